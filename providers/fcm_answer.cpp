#include "providers/fcm_answer.hpp"

#include "core/payload.hpp"
#include "providers/answer_members.hpp"
#include "providers/retry_after.hpp"
#include "providers/submission_answer.hpp"
#include "providers/visible_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace sluice::providers {

namespace {

using json = nlohmann::json;
using enum core::rejection_cause;

constexpr std::size_t word_bytes_max = 40;
constexpr std::size_t id_bytes_max = 500;
constexpr core::duration quota_wait = std::chrono::seconds{60}; // "Best practices …": 429 without Retry-After

/// An error of Google's APIs: its status and, of its details, those of FCM and of the request's fields.
struct fcm_error {
  std::string code;   ///< FcmError's errorCode; empty where there is none
  std::string status; ///< google.rpc.Code
  bool names_address = false;
};

std::string text_of(const json& object, const char* name) {
  if (!object.is_object())
    return {};
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

bool names_address(const json& detail) {
  const auto violations = detail.find("fieldViolations");
  if (violations == detail.end() || !violations->is_array())
    return false;
  return std::ranges::any_of(*violations, [](const json& each) {
    const auto field = text_of(each, "field");
    return field == "message.token" || field == "message.fid";
  });
}

fcm_error error_in(const std::string& body) {
  fcm_error made;
  if (!core::check_payload(body))
    return made;
  const auto document = json::parse(body, nullptr, false);
  if (!document.is_object() || !document.contains("error") || !document["error"].is_object())
    return made;
  const auto& error = document["error"];
  made.status = plain_word(text_of(error, "status"), word_bytes_max);
  const auto details = error.find("details");
  if (details == error.end() || !details->is_array())
    return made;
  for (const auto& detail : *details) {
    if (!detail.is_object())
      continue;
    if (text_of(detail, "@type").ends_with("/google.firebase.fcm.v1.FcmError"))
      made.code = plain_word(text_of(detail, "errorCode"), word_bytes_max);
    made.names_address = made.names_address || names_address(detail);
  }
  return made;
}

/// The provider's own word for a dead address, and nothing else, retires it.
core::submission unregistered() {
  auto made = rejected(recipient, "UNREGISTERED", "the app is no longer registered under this address");
  made.retires = core::suppression_reason::retired_token;
  return made;
}

core::submission invalid_argument(const fcm_error& error, std::string error_class) {
  return error.names_address
             ? rejected(recipient, std::move(error_class), "FCM cannot read the address")
             : rejected(message, std::move(error_class), "FCM refused a field of the message");
}

core::submission with_wait(core::submission made, const core::http_answer& answer, core::timestamp now) {
  made.wait = parse_retry_after(answer.retry_after, now);
  if (!made.wait && answer.status == 429)
    made.wait = quota_wait;
  return made;
}

/// Status and FcmError's code agree in what is documented; where only one is there, it counts.
core::submission read_refusal(const core::http_answer& answer, core::timestamp now) {
  const auto error = error_in(answer.body);
  const auto& code = error.code.empty() ? error.status : error.code;
  const auto word = code.empty() ? "http_" + std::to_string(answer.status) : code;
  if (error.code == "UNREGISTERED")
    return unregistered();
  if (error.code == "SENDER_ID_MISMATCH")
    return rejected(provider, word, "the address is registered for another project");
  if (error.code == "THIRD_PARTY_AUTH_ERROR")
    return rejected(provider, word, "the project's key for APNs or Web Push is missing or was refused");
  if (answer.status == 429 || code == "QUOTA_EXCEEDED")
    return with_wait(retryable(word, "the project or the device has got too many messages"), answer, now);
  if (answer.status == 503 || code == "UNAVAILABLE")
    return with_wait(retryable(word, "FCM is overloaded"), answer, now);
  if (answer.status == 500 && code == "INTERNAL")
    return with_wait(retryable(word, "FCM had an error of its own"), answer, now);
  if (answer.status == 401)
    return retryable(std::string{fcm_unauthenticated},
                     "the access token was refused; another one may be taken");
  if (answer.status == 400 && code == "INVALID_ARGUMENT")
    return invalid_argument(error, word);
  auto sentence = "FCM answered " + std::to_string(answer.status);
  if (answer.status >= 500 || answer.status == 408 || answer.status < 300)
    return ambiguous(word, std::move(sentence));
  return rejected(provider, word, std::move(sentence));
}

/// "projects/{project}/messages/{id}".
bool is_message_name(std::string_view name) {
  return name.starts_with("projects/") && name.size() <= id_bytes_max
         && std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; });
}

} // namespace

core::submission read_fcm_answer(const core::http_answer& answer, core::timestamp now) {
  if (!has_status(answer))
    return submission_without_answer(answer);
  if (!is_success(answer))
    return read_refusal(answer, now);
  auto name = members_of(answer.body, {"/name"})[0].text;
  if (!is_message_name(name))
    return ambiguous("no_id_in_answer", "FCM answered " + std::to_string(answer.status)
                                            + ", but the message's name cannot be read from it");
  return accepted(std::move(name));
}

} // namespace sluice::providers
