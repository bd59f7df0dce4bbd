#include "providers/webhook_adapter.hpp"

#include "core/error_text.hpp"
#include "core/payload.hpp"
#include "providers/answer_members.hpp"
#include "providers/retry_after.hpp"
#include "providers/send_only_adapter.hpp"
#include "providers/webhook_event.hpp"
#include "providers/webhook_settings.hpp"
#include "providers/webhook_signature.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace sluice::providers {

namespace {

using core::append_json_string;

/// The texts of a content by the names they have in the body.
std::array<std::pair<std::string_view, const std::string*>, 5>
texts_of(const core::message_content& content) {
  return {{{"subject", &content.subject},
           {"title", &content.title},
           {"text", &content.text},
           {"html", &content.html},
           {"collapse_key", &content.collapse_key}}};
}

void append_member(std::string& out, std::string_view name, std::string_view text) {
  if (text.empty())
    return;
  out += out.ends_with('{') ? "" : ",";
  append_json_string(out, name);
  out += ':';
  append_json_string(out, text);
}

std::string content_json(const core::message_content& content) {
  std::string out{"{"};
  for (const auto& [name, text] : texts_of(content))
    append_member(out, name, *text);
  if (!content.data.empty())
    out.append(out.ends_with('{') ? "" : ",").append("\"data\":").append(content.data);
  append_member(out, "urgency", core::to_string(content.urgency));
  return out + '}';
}

std::string body_of(const core::submission_order& order) {
  std::string out{"{"};
  append_member(out, "id", order.attempt_id);
  append_member(out, "notification", order.notification_id);
  out += R"(,"to":{)";
  append_member(out, "kind", core::to_string(order.contact.kind));
  append_member(out, "address", order.contact.text);
  out += R"(},"content":)" + content_json(order.content);
  if (order.expires_at)
    append_member(out, "expires_at", core::to_rfc3339(*order.expires_at));
  return out + '}';
}

bool is_object(std::string_view json) {
  const auto first = json.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && json[first] == '{' && core::check_payload(json).has_value();
}

class webhook_adapter final : public send_only_adapter {
public:
  explicit webhook_adapter(webhook_settings settings) : settings_{std::move(settings)} {
    traits_.has_status_query = !settings_.status_url.empty();
  }

  [[nodiscard]] const adapter_traits& traits() const noexcept override { return traits_; }
  [[nodiscard]] std::vector<std::string> faults_of(const core::submission_order& order) const override;
  [[nodiscard]] std::expected<core::http_request, core::submission>
  build(const core::submission_order& order, core::timestamp now, std::string_view) const override;
  [[nodiscard]] core::submission read(const core::submission_order&, const core::http_answer& answer,
                                      core::timestamp now) const override;
  [[nodiscard]] callback_verdict verify(const core::callback_request& callback, const known_certificates&,
                                        core::timestamp now) const override;
  [[nodiscard]] std::optional<core::http_request>
  status_query(const status_question& question) const override;
  [[nodiscard]] status_answer read_status(const status_question& question,
                                          const core::http_answer& answer) const override;

private:
  [[nodiscard]] core::submission open_outcome(std::string error_class, std::string error) const;
  [[nodiscard]] core::submission read_answer(const core::http_answer& answer, core::timestamp now) const;

  webhook_settings settings_;
  adapter_traits traits_{.contacts = {core::contact_kind::email, core::contact_kind::phone,
                                      core::contact_kind::fcm_installation, core::contact_kind::fcm_token,
                                      core::contact_kind::apns_token, core::contact_kind::web_push,
                                      core::contact_kind::other},
                         .has_callback = true};
};

std::string contact_fault(const core::contact_address& contact) {
  const bool usable = !contact.text.empty() && core::is_storable_text(contact.text);
  return usable ? std::string{} : "contact: must be UTF-8 without NUL, and not empty";
}

std::vector<std::string> content_faults(const core::message_content& content) {
  std::vector<std::string> faults;
  std::size_t bytes = content.data.size();
  for (const auto& [name, text] : texts_of(content)) {
    bytes += text->size();
    if (!core::is_storable_text(*text))
      faults.push_back(std::string{name} + ": must be UTF-8 without NUL");
  }
  if (!content.data.empty() && !is_object(content.data))
    faults.emplace_back("data: must be a JSON object of at most 1 MiB, without NUL");
  if (bytes == 0)
    faults.emplace_back("text: is missing; a message has a subject, title, text, html or data");
  if (bytes > webhook_body_bytes_max)
    faults.emplace_back("text: all texts and data together have more than 1048576 bytes");
  return faults;
}

std::vector<std::string> webhook_adapter::faults_of(const core::submission_order& order) const {
  auto faults = content_faults(order.content);
  if (auto fault = contact_fault(order.contact); !fault.empty())
    faults.push_back(std::move(fault));
  return faults;
}

std::expected<core::http_request, core::submission>
webhook_adapter::build(const core::submission_order& order, core::timestamp now, std::string_view) const {
  if (auto fault = contact_fault(order.contact); !fault.empty())
    return std::unexpected{rejected(core::rejection_cause::recipient, "unusable_address", std::move(fault))};
  if (auto faults = content_faults(order.content); !faults.empty())
    return std::unexpected{
        rejected(core::rejection_cause::message, "unusable_content", std::move(faults.front()))};
  core::http_request request;
  request.method = "POST";
  request.url = settings_.url;
  request.http2 = settings_.http2;
  request.body = body_of(order);
  auto signature = sign_webhook(order.notification_id, request.body, settings_.secrets, now);
  if (!signature)
    return std::unexpected{
        rejected(core::rejection_cause::provider, "unsigned", "no secret of the profile can sign")};
  request.headers = *std::move(signature);
  request.headers.insert(request.headers.end(), {"Content-Type: application/json", "Accept: application/json",
                                                 "User-Agent: sluice/0.1"});
  request.headers.insert(request.headers.end(), settings_.headers.begin(), settings_.headers.end());
  return request;
}

core::submission webhook_adapter::open_outcome(std::string error_class, std::string error) const {
  if (!settings_.honours_webhook_id)
    return ambiguous(std::move(error_class), std::move(error));
  auto made = retryable(std::move(error_class), std::move(error));
  made.doubt = core::submission_doubt::this_one;
  return made;
}

core::submission webhook_adapter::read(const core::submission_order&, const core::http_answer& answer,
                                       core::timestamp now) const {
  auto made = read_answer(answer, now);
  const bool ended =
      made.kind == core::submission_kind::accepted || made.kind == core::submission_kind::ambiguous;
  if (settings_.honours_webhook_id && !ended && made.doubt == core::submission_doubt::none)
    made.doubt = core::submission_doubt::earlier;
  return made;
}

core::submission webhook_adapter::read_answer(const core::http_answer& answer, core::timestamp now) const {
  if (!has_status(answer)) {
    auto made = submission_without_answer(answer);
    return made.kind == core::submission_kind::ambiguous ? open_outcome(made.error_class, made.error) : made;
  }
  if (is_success(answer))
    return accepted(webhook_id_text(members_of(answer.body, {settings_.id}).front()));
  const int status = answer.status;
  auto error_class = "http_" + std::to_string(status);
  auto sentence = "the receiver answered " + std::to_string(status);
  const bool moved = status >= 300 && status <= 399;
  if (moved)
    sentence += ", a redirect, which is never followed";
  if (moved || status == 408 || status == 425 || status == 429) {
    auto made = retryable(std::move(error_class), std::move(sentence));
    made.wait = parse_retry_after(answer.retry_after, now);
    return made;
  }
  if (status >= 400 && status <= 499) {
    const auto cause = status == 413 ? core::rejection_cause::message : core::rejection_cause::provider;
    return rejected(cause, std::move(error_class), std::move(sentence));
  }
  auto made = open_outcome(std::move(error_class), std::move(sentence));
  if (made.kind == core::submission_kind::retryable)
    made.wait = parse_retry_after(answer.retry_after, now);
  return made;
}

callback_verdict webhook_adapter::verify(const core::callback_request& callback, const known_certificates&,
                                         core::timestamp now) const {
  auto event = verify_webhook_callback(callback, settings_, now);
  if (!event)
    return std::move(event).error();
  verified_callback made;
  made.events.push_back(*std::move(event));
  return made;
}

std::optional<core::http_request> webhook_adapter::status_query(const status_question& question) const {
  if (settings_.status_url.empty())
    return std::nullopt;
  auto url = webhook_status_url(settings_.status_url, question.provider_message_id, question.attempt_id);
  if (!url)
    return std::nullopt; // after an open outcome there is no id of the receiver's to ask by
  core::http_request request;
  request.method = "GET";
  request.url = *std::move(url);
  request.http2 = settings_.http2;
  request.headers = {"Accept: application/json", "User-Agent: sluice/0.1"};
  request.headers.insert(request.headers.end(), settings_.headers.begin(), settings_.headers.end());
  return request;
}

status_answer webhook_adapter::read_status(const status_question& question,
                                           const core::http_answer& answer) const {
  if (answer.error == core::call_error::none && (answer.status == 404 || answer.status == 410))
    return {.kind = status_answer::verdict::unknown, .provider_message_id = {}, .events = {}, .error = {}};
  status_answer made;
  made.error = "the receiver gave no answer that says what became of the message";
  if (answer.error != core::call_error::none || !is_success(answer))
    return made;
  auto event = read_webhook_event(answer.body, settings_.status);
  const bool ours = event && (event->attempt_id.empty() || event->attempt_id == question.attempt_id)
                    && (question.provider_message_id.empty() || event->provider_message_id.empty()
                        || event->provider_message_id == question.provider_message_id);
  if (!ours)
    return made;
  event->attempt_id = question.attempt_id;
  if (event->provider_message_id.empty())
    event->provider_message_id = question.provider_message_id;
  made.kind = status_answer::verdict::known;
  made.error.clear();
  made.provider_message_id = event->provider_message_id;
  made.events.push_back(*std::move(event));
  return made;
}

} // namespace

std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_webhook_adapter(const core::provider_profile& profile, const adapter_surroundings&) {
  auto settings = parse_webhook_settings(profile);
  if (!settings)
    return std::unexpected{std::move(settings).error()};
  return std::make_shared<const webhook_adapter>(*std::move(settings));
}

} // namespace sluice::providers
