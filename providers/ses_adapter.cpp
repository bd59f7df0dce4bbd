#include "providers/ses_adapter.hpp"

#include "core/outside_address.hpp"
#include "providers/aws_signature.hpp"
#include "providers/ses_answer.hpp"
#include "providers/ses_event.hpp"
#include "providers/ses_message.hpp"
#include "providers/ses_settings.hpp"
#include "providers/sns_address.hpp"
#include "providers/sns_message.hpp"
#include "providers/submission_answer.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sluice::providers {

namespace {

constexpr std::string_view send_path = "/v2/email/outbound-emails"; // SendEmail, SES API v2
constexpr std::string_view json_type = "application/json";

/// What curl will send as Host: the port only where it is not the scheme's own.
std::string host_of(const core::outside_url& url) {
  std::string host{url.host};
  if (!url.port.empty() && url.port != (url.https ? "443" : "80")) {
    host.append(":").append(url.port);
  }
  return host;
}

class ses_adapter final : public notification_adapter {
public:
  explicit ses_adapter(ses_settings settings) : settings_{std::move(settings)} {}

  [[nodiscard]] const adapter_traits& traits() const noexcept override { return traits_; }
  [[nodiscard]] std::vector<std::string> faults_of(const core::submission_order& order) const override;
  [[nodiscard]] std::expected<core::http_request, core::submission>
  build(const core::submission_order& order, core::timestamp now, std::string_view) const override;
  [[nodiscard]] core::submission read(const core::submission_order&, const core::http_answer& answer,
                                      core::timestamp now) const override {
    return read_ses_answer(answer, now);
  }
  [[nodiscard]] std::optional<core::timestamp>
  corrected_time(const core::http_answer& answer) const override {
    return ses_corrected_time(answer);
  }
  [[nodiscard]] callback_verdict verify(const core::callback_request& callback,
                                        const known_certificates& certificates,
                                        core::timestamp now) const override;
  [[nodiscard]] std::optional<core::http_request> status_query(const status_question&) const override {
    return std::nullopt;
  }
  [[nodiscard]] status_answer read_status(const status_question&, const core::http_answer&) const override {
    return {}; // nothing was asked
  }
  [[nodiscard]] std::optional<core::http_request> token_request(core::timestamp) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::expected<access_token, core::submission>
  read_token(const core::http_answer&) const override {
    return std::unexpected{
        rejected(core::rejection_cause::provider, "no_token", "SES signs its requests and takes no token")};
  }

private:
  [[nodiscard]] core::header_lines signed_headers(std::string_view body, core::timestamp now) const;
  [[nodiscard]] static callback_verdict read_message(const sns_message& message);

  ses_settings settings_;
  adapter_traits traits_{.contacts = {core::contact_kind::email}, .has_callback = true};
};

std::string fault_of_contact(const core::contact_address& contact) {
  if (contact.kind != core::contact_kind::email) {
    return "the contact is no e-mail address, and SES reaches nothing else";
  }
  return fault_of_mailbox(contact.text);
}

std::vector<std::string> ses_adapter::faults_of(const core::submission_order& order) const {
  auto faults = faults_of_mail(order.content);
  if (auto fault = fault_of_contact(order.contact); !fault.empty()) {
    faults.push_back(std::move(fault));
  }
  return faults;
}

core::header_lines ses_adapter::signed_headers(std::string_view body, core::timestamp now) const {
  const auto url = core::parse_outside_url(settings_.base_url).value(); // checked when it was read
  const std::string path{std::string{url.path}.append(send_path)};
  auto made =
      sign_in_headers({.method = "POST",
                       .path = path,
                       .query = {},
                       .headers = {{"host", host_of(url)}, {"content-type", std::string{json_type}}},
                       .body = body},
                      settings_.credentials, {.region = settings_.region, .service = "ses", .at = now});
  core::header_lines lines{"Content-Type: " + std::string{json_type}, "Accept: " + std::string{json_type},
                           "User-Agent: sluice/0.1"};
  std::ranges::move(made.lines, std::back_inserter(lines));
  return lines;
}

std::expected<core::http_request, core::submission>
ses_adapter::build(const core::submission_order& order, core::timestamp now, std::string_view) const {
  if (auto fault = fault_of_contact(order.contact); !fault.empty()) {
    return std::unexpected{rejected(core::rejection_cause::recipient, "unusable_address", std::move(fault))};
  }
  if (auto faults = faults_of_mail(order.content); !faults.empty()) {
    return std::unexpected{
        rejected(core::rejection_cause::message, "unusable_content", std::move(faults.front()))};
  }
  core::http_request request;
  request.method = "POST";
  request.url = settings_.base_url + std::string{send_path};
  request.body = ses_message_body(settings_, order);
  request.headers = signed_headers(request.body, now);
  request.wanted_headers = {std::string{ses_error_header}, std::string{ses_date_header}};
  return request;
}

callback_verdict ses_adapter::read_message(const sns_message& message) {
  switch (message.type) {
  case sns_message_type::subscription_confirmation:
    if (!is_confirmation_address(message.subscribe_url, message.topic, message.token)) {
      return core::callback_refusal{core::callback_refusal_kind::unexpected_sender,
                                    "SubscribeURL does not confirm this subscription at SNS"};
    }
    return verified_callback{.events = {}, .confirm_url = message.subscribe_url};
  case sns_message_type::unsubscribe_confirmation: // whoever unsubscribed meant it: nothing is taken back
    return verified_callback{};
  case sns_message_type::notification:
    break;
  }
  const auto published_at = core::parse_rfc3339(message.timestamp).value_or(core::timestamp{});
  auto events = read_ses_events(message.message, message.message_id, published_at);
  if (!events) {
    return std::move(events).error();
  }
  return verified_callback{.events = *std::move(events), .confirm_url = {}};
}

callback_verdict ses_adapter::verify(const core::callback_request& callback,
                                     const known_certificates& certificates, core::timestamp now) const {
  auto verdict =
      verify_sns_message(callback, {.topics = settings_.topics, .authorities = settings_.signing_authorities},
                         certificates, now);
  if (auto* wanted = std::get_if<certificate_wanted>(&verdict)) {
    return std::move(*wanted);
  }
  if (auto* refusal = std::get_if<core::callback_refusal>(&verdict)) {
    return std::move(*refusal);
  }
  return read_message(std::get<sns_message>(verdict));
}

} // namespace

std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_ses_adapter(const core::provider_profile& profile, const adapter_surroundings&) {
  auto settings = parse_ses_settings(profile);
  if (!settings) {
    return std::unexpected{std::move(settings).error()};
  }
  return std::make_shared<const ses_adapter>(*std::move(settings));
}

} // namespace sluice::providers
