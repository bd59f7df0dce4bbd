#pragma once

#include "providers/twilio_adapter.hpp"
#include "providers/twilio_signature.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace sluice::twilio_testing {

inline const std::string account = "AC" + std::string(32, '1');
inline const std::string other_account = "AC" + std::string(32, '9');
inline const std::string message_sid = "SM" + std::string(31, '2') + "a";
inline const std::string service_sid = "MG" + std::string(32, '3');
inline const std::string auth_token = "t0ken-of-the-account";
inline const std::string callback_url = "https://hooks.example.com/v1/callbacks/p-1";
inline const std::string attempt = "0199c0de-0000-7000-8000-00000000abcd";
inline const std::string recipient = "+15005550007";
inline const core::timestamp now = core::from_us(1'764'500'000'000'000);

inline nlohmann::json twilio_plain_settings() {
  return {{"account_sid", account}, {"from", "+15005550006"}};
}

inline std::expected<std::shared_ptr<const providers::notification_adapter>, std::vector<std::string>>
try_twilio(const nlohmann::json& settings, const nlohmann::json& credentials = {{"auth_token", auth_token}},
           const std::string& address = callback_url) {
  core::provider_profile profile;
  profile.provider = core::provider_kind::twilio;
  profile.settings = settings.dump();
  profile.credentials = credentials.dump();
  return providers::make_twilio_adapter(profile, {address});
}

inline std::shared_ptr<const providers::notification_adapter>
twilio(const nlohmann::json& settings = twilio_plain_settings(),
       const nlohmann::json& credentials = {{"auth_token", auth_token}},
       const std::string& address = callback_url) {
  const auto made = try_twilio(settings, credentials, address);
  if (!made)
    for (const auto& fault : made.error())
      UNSCOPED_INFO(fault);
  REQUIRE(made);
  return *made;
}

inline core::submission_order sms(std::string text = "Your code is 123456", std::string to = recipient) {
  core::submission_order made;
  made.attempt_id = attempt;
  made.notification_id = "0199c0de-0000-7000-8000-000000000001";
  made.contact = {core::contact_kind::phone, std::move(to)};
  made.content.text = std::move(text);
  return made;
}

inline core::http_answer answered(int status, std::string body = {}, std::string retry_after = {}) {
  core::http_answer made;
  made.status = status;
  made.body = std::move(body);
  made.retry_after = std::move(retry_after);
  made.ended_at = now;
  return made;
}

inline core::http_answer failed(core::call_error error, int status = 0) {
  core::http_answer made;
  made.error = error;
  made.status = status;
  made.ended_at = now;
  return made;
}

/// A callback as Twilio would send it to `url`, which stands behind a proxy here: the request knows its own
/// path and query alone.
inline core::callback_request signed_callback(const std::string& body, const std::string& url = callback_url,
                                              const std::string& token = auth_token) {
  core::callback_request made;
  made.method = "POST";
  const auto query = url.find('?');
  made.path_and_query = "/inside" + (query == std::string::npos ? "" : url.substr(query));
  made.body = body;
  made.headers = {
      {"host", "10.0.0.7:8080"},
      {"content-type", "application/x-www-form-urlencoded; charset=UTF-8"},
      {"x-twilio-signature", providers::twilio_signature(token, url, providers::parse_form(body))}};
  return made;
}

inline providers::callback_verdict
verdict_of(const core::callback_request& callback,
           const std::shared_ptr<const providers::notification_adapter>& adapter = twilio()) {
  return adapter->verify(callback, [](auto) { return std::nullopt; }, now);
}

inline core::provider_event only_event(const providers::callback_verdict& verdict) {
  if (const auto* refused = std::get_if<core::callback_refusal>(&verdict))
    UNSCOPED_INFO(refused->reason);
  REQUIRE(std::holds_alternative<providers::verified_callback>(verdict));
  REQUIRE(std::get<providers::verified_callback>(verdict).events.size() == 1);
  return std::get<providers::verified_callback>(verdict).events.front();
}

inline core::callback_refusal_kind refusal_of(const providers::callback_verdict& verdict) {
  REQUIRE(std::holds_alternative<core::callback_refusal>(verdict));
  const auto& refused = std::get<core::callback_refusal>(verdict);
  CHECK(refused.reason.find(recipient) == std::string::npos);
  CHECK_FALSE(refused.reason.empty());
  return refused.kind;
}

} // namespace sluice::twilio_testing
