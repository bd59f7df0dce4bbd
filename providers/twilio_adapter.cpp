#include "providers/twilio_adapter.hpp"

#include "crypto/encoding.hpp"
#include "providers/answer_members.hpp"
#include "providers/retry_after.hpp"
#include "providers/submission_answer.hpp"
#include "providers/text_encoding.hpp"
#include "providers/twilio_callback.hpp"
#include "providers/twilio_errors.hpp"
#include "providers/twilio_settings.hpp"
#include "providers/twilio_status.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

constexpr std::size_t body_characters_max = 1600;               // "Message resource", Body; error 21617
constexpr core::duration validity_max = std::chrono::hours{10}; // "Message resource", ValidityPeriod

/// Unicode characters. Twilio does not say what it counts; whatever it is, it is no fewer.
std::size_t characters_in(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// E.164: "+" and at most 15 digits, none of them a leading zero.
bool is_phone_number(std::string_view text) {
  constexpr std::size_t digits_max = 15;
  return text.size() >= 2 && text.size() <= digits_max + 1 && text[0] == '+' && text[1] != '0'
         && text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

class twilio_adapter final : public notification_adapter {
public:
  explicit twilio_adapter(twilio_settings settings)
      : settings_{std::move(settings)},
        common_headers_{std::make_shared<const core::header_lines>(core::header_lines{
            "Authorization: Basic " + crypto::to_base64(settings_.username + ":" + settings_.password),
            "Accept: application/json", "User-Agent: sluice/0.1"})} {
    traits_.contacts = {core::contact_kind::phone};
    traits_.has_callback = true;
    traits_.has_status_query = true;
  }

  const adapter_traits& traits() const noexcept override { return traits_; }
  std::vector<std::string> faults_of(const core::submission_order& order) const override;
  std::expected<core::http_request, core::submission>
  build(const core::submission_order& order, core::timestamp now, std::string_view token) const override;
  core::submission read(const core::submission_order& order, const core::http_answer& answer,
                        core::timestamp now) const override;
  callback_verdict verify(const core::callback_request& callback, const known_certificates& certificates,
                          core::timestamp now) const override;
  std::optional<core::http_request> status_query(const status_question& question) const override;
  status_answer read_status(const status_question& question, const core::http_answer& answer) const override;
  std::optional<core::http_request> token_request(core::timestamp) const override { return std::nullopt; }
  std::expected<access_token, core::submission> read_token(const core::http_answer&) const override {
    return std::unexpected{
        rejected(core::rejection_cause::provider, "no_token", "Twilio is asked without an access token")};
  }

private:
  twilio_settings settings_;
  std::shared_ptr<const core::header_lines> common_headers_;
  adapter_traits traits_;
};

std::vector<std::string> twilio_adapter::faults_of(const core::submission_order& order) const {
  std::vector<std::string> faults;
  if (order.contact.kind != core::contact_kind::phone)
    faults.emplace_back("contact: must be a phone number, which is all Twilio sends to");
  if (order.content.text.empty())
    faults.emplace_back("content.text: is missing; it is what an SMS consists of");
  if (const auto length = characters_in(order.content.text); length > body_characters_max)
    faults.push_back("content.text: has " + std::to_string(length) + " characters; allowed are 1,600");
  return faults;
}

std::expected<core::http_request, core::submission> twilio_adapter::build(const core::submission_order& order,
                                                                          core::timestamp now,
                                                                          std::string_view /*token*/) const {
  using enum core::rejection_cause;
  if (order.contact.kind != core::contact_kind::phone || !is_phone_number(order.contact.text))
    return std::unexpected{rejected(recipient, "bad_address", "the address is no phone number in E.164")};
  core::http_request request;
  request.method = "POST";
  request.url = settings_.base_url + "/2010-04-01/Accounts/" + settings_.account_sid + "/Messages.json";
  request.common_headers = common_headers_;
  request.headers = {"Content-Type: application/x-www-form-urlencoded"};
  append_form_field(request.body, "To", order.contact.text);
  if (settings_.messaging_service_sid.empty())
    append_form_field(request.body, "From", settings_.from);
  else
    append_form_field(request.body, "MessagingServiceSid", settings_.messaging_service_sid);
  append_form_field(request.body, "Body", order.content.text);
  if (const auto url = twilio_callback_url(settings_, order.attempt_id); !url.empty())
    append_form_field(request.body, "StatusCallback", url);
  if (order.expires_at) {
    const auto left =
        std::chrono::floor<std::chrono::seconds>(std::min(*order.expires_at - now, validity_max));
    if (left < std::chrono::seconds{1})
      return std::unexpected{rejected(message, "expired", "the notification expired before it was sent")};
    append_form_field(request.body, "ValidityPeriod", std::to_string(left.count()));
  }
  return request;
}

core::submission by_status(const core::http_answer& answer, std::string error_class, std::string error) {
  // "Error 20429": never processed. "Error 20500": a message may have gone out all the same.
  if (answer.status == 429 || answer.status == 503)
    return retryable(std::move(error_class), std::move(error));
  if (answer.status >= 500 || answer.status == 408 || answer.status < 300)
    return ambiguous(std::move(error_class), std::move(error));
  return rejected(core::rejection_cause::provider, std::move(error_class), std::move(error));
}

core::submission read_refusal(const core::http_answer& answer, core::timestamp now) {
  const auto code = parse_twilio_error(members_of(answer.body, {"/code"})[0].text);
  const auto* known = find_twilio_error(code);
  auto error_class = code == 0 ? "http_" + std::to_string(answer.status) : "twilio_" + std::to_string(code);
  auto error = code == 0 ? "Twilio answered " + std::to_string(answer.status) : describe_twilio_error(code);
  core::submission made;
  if (known == nullptr || answer.status == 429)
    made = by_status(answer, std::move(error_class), std::move(error));
  else if (known->kind == core::submission_kind::retryable)
    made = retryable(std::move(error_class), std::move(error));
  else
    made = rejected(known->cause, std::move(error_class), std::move(error));
  if (made.kind == core::submission_kind::rejected && known != nullptr)
    made.retires = known->retires;
  if (made.kind == core::submission_kind::retryable)
    made.wait = parse_retry_after(answer.retry_after, now);
  return made;
}

core::submission twilio_adapter::read(const core::submission_order& /*order*/,
                                      const core::http_answer& answer, core::timestamp now) const {
  if (!has_status(answer))
    return submission_without_answer(answer);
  if (!is_success(answer))
    return read_refusal(answer, now);
  auto sid = members_of(answer.body, {"/sid"})[0].text;
  if (!is_twilio_message_sid(sid))
    return ambiguous("no_id_in_answer", "Twilio answered " + std::to_string(answer.status)
                                            + ", but the message's id cannot be read from it");
  return accepted(std::move(sid));
}

callback_verdict twilio_adapter::verify(const core::callback_request& callback,
                                        const known_certificates& /*certificates*/,
                                        core::timestamp /*now*/) const {
  return verify_twilio_callback(settings_, callback);
}

std::optional<core::http_request> twilio_adapter::status_query(const status_question& question) const {
  core::http_request request;
  request.method = "GET";
  request.url = twilio_status_url(settings_, question);
  request.common_headers = common_headers_;
  return request;
}

status_answer twilio_adapter::read_status(const status_question& question,
                                          const core::http_answer& answer) const {
  return read_twilio_status(settings_, question, answer);
}

} // namespace

std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_twilio_adapter(const core::provider_profile& profile, const adapter_surroundings& around) {
  auto settings = parse_twilio_settings(profile, around);
  if (!settings)
    return std::unexpected{std::move(settings).error()};
  return std::make_shared<const twilio_adapter>(*std::move(settings));
}

} // namespace sluice::providers
