#include "providers/apns_answer.hpp"

#include "core/header_field.hpp"
#include "core/payload.hpp"
#include "providers/retry_after.hpp"
#include "providers/status_submission.hpp"
#include "providers/submission_answer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

namespace sluice::providers {

namespace {

constexpr std::size_t id_bytes_max = 64;
constexpr int no_longer_active = 410;
/// Apple asks for a new provider token no more than once in this time.
constexpr core::duration token_update_pause = std::chrono::minutes{20};
/// The last millisecond of the year 9999, RFC 3339's end.
constexpr std::int64_t milliseconds_max = 253'402'300'799'999;

struct error_reason {
  std::string_view word;
  std::optional<core::rejection_cause> cause; ///< nothing: it may be sent again
  std::string_view meaning;
  bool retires = false;
};

/// "Response error strings" of the same page.
constexpr std::array reasons{
    error_reason{"BadCollapseId", core::rejection_cause::message, "the collapse id is too long"},
    error_reason{"BadDeviceToken", core::rejection_cause::recipient,
                 "the device token is none, or belongs to the other environment"},
    error_reason{"BadExpirationDate", core::rejection_cause::message, "the expiration date is none"},
    error_reason{"BadMessageId", core::rejection_cause::message, "the id is no UUID"},
    error_reason{"BadPriority", core::rejection_cause::message, "the priority is none"},
    error_reason{"BadTopic", core::rejection_cause::provider, "settings.topic is none"},
    error_reason{"DeviceTokenNotForTopic", core::rejection_cause::provider,
                 "the device token belongs to another app than settings.topic"},
    error_reason{"DuplicateHeaders", core::rejection_cause::message, "a header was repeated"},
    error_reason{"IdleTimeout", std::nullopt, "the connection had been idle"},
    error_reason{"InvalidPushType", core::rejection_cause::message, "the push type is none"},
    error_reason{"MissingDeviceToken", core::rejection_cause::recipient, "there was no device token"},
    error_reason{"MissingTopic", core::rejection_cause::provider, "settings.topic is missing"},
    error_reason{"PayloadEmpty", core::rejection_cause::message, "the message was empty"},
    error_reason{"TopicDisallowed", core::rejection_cause::provider, "settings.topic may not be pushed to"},
    error_reason{"BadCertificate", core::rejection_cause::provider, "the certificate is not valid"},
    error_reason{"BadCertificateEnvironment", core::rejection_cause::provider,
                 "the certificate is for the other environment"},
    error_reason{
        "ExpiredProviderToken", std::nullopt,
        "the provider token is too old: a new one is made; if that does not help, compare this machine's "
        "clock"},
    error_reason{"Forbidden", core::rejection_cause::provider, "the action is not allowed"},
    error_reason{
        "InvalidProviderToken", core::rejection_cause::provider,
        "the provider token is not valid: compare settings.key_id, settings.team_id and the private key"},
    error_reason{"MissingProviderToken", core::rejection_cause::provider, "the provider token is missing"},
    error_reason{"UnrelatedKeyIdInToken", core::rejection_cause::provider,
                 "settings.key_id is not of the key this connection was opened with"},
    error_reason{"BadEnvironmentKeyIdInToken", core::rejection_cause::provider,
                 "settings.key_id is of a key for the other environment"},
    error_reason{"BadPath", core::rejection_cause::provider, "the path is none"},
    error_reason{"MethodNotAllowed", core::rejection_cause::provider, "the method is not POST"},
    error_reason{"ExpiredToken", core::rejection_cause::recipient, "the device token has expired", true},
    error_reason{"Unregistered", core::rejection_cause::recipient,
                 "the device token is no longer active for the app", true},
    error_reason{"PayloadTooLarge", core::rejection_cause::message, "the message is too large"},
    error_reason{"TooManyProviderTokenUpdates", std::nullopt, "the provider token changes too often"},
    error_reason{"TooManyRequests", std::nullopt, "too many messages to this one device"},
    error_reason{"InternalServerError", std::nullopt, "an internal error"},
    error_reason{"ServiceUnavailable", std::nullopt, "the service is not available"},
    error_reason{"Shutdown", std::nullopt, "the server is being shut down"},
};

struct error_body {
  std::string reason;
  std::optional<core::timestamp> timestamp;
};

/// Milliseconds since 1970 ("timestamp" of the same page).
std::optional<core::timestamp> time_of(const core::value& milliseconds) {
  const auto& text = milliseconds.text;
  std::int64_t count = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, count);
  if (milliseconds.kind != core::value_kind::number || fault != std::errc{} || stop != end || count < 0
      || count > milliseconds_max) {
    return std::nullopt;
  }
  return core::timestamp{std::chrono::milliseconds{count}};
}

error_body body_of(const core::http_answer& answer) {
  std::vector<core::value> members;
  auto reader = core::payload_reader::compile({"/reason", "/timestamp"});
  if (!reader || !reader->read(answer.body, members) || members[0].kind != core::value_kind::string) {
    return {};
  }
  return {std::move(members[0].text), time_of(members[1])};
}

core::submission of_reason(const error_reason& known, const error_body& body, const core::http_answer& answer,
                           core::timestamp now) {
  const auto sentence = "APNs answered " + std::to_string(answer.status) + ' ' + std::string{known.word}
                        + ": " + std::string{known.meaning};
  if (!known.cause) {
    auto made = retryable(std::string{known.word}, sentence);
    made.wait = parse_retry_after(answer.retry_after, now);
    if (!made.wait && known.word == "TooManyProviderTokenUpdates") {
      made.wait = token_update_pause;
    }
    return made;
  }
  auto made = rejected(*known.cause, std::string{known.word}, sentence);
  if (known.retires && answer.status == no_longer_active) {
    made.retires = core::suppression_reason::retired_token;
    made.retired_at = body.timestamp;
  }
  return made;
}

} // namespace

std::string apns_reason(const core::http_answer& answer) {
  return has_status(answer) ? body_of(answer).reason : std::string{};
}

core::submission read_apns_answer(std::string_view attempt_id, const core::http_answer& answer,
                                  core::timestamp now) {
  if (!has_status(answer)) {
    return submission_without_answer(answer);
  }
  if (is_success(answer)) {
    const auto id = answer.header("apns-id");
    const bool readable = !id.empty() && id.size() <= id_bytes_max && core::is_header_value(id);
    if (answer.error != core::call_error::none && !readable) {
      return ambiguous(status_class(answer.status), "APNs' answer was cut, and it names no message");
    }
    return accepted(std::string{readable ? id : attempt_id}); // the id is the one it was sent with
  }
  const auto body = body_of(answer);
  const auto* const known = std::ranges::find(reasons, body.reason, &error_reason::word);
  if (known != reasons.end()) {
    return of_reason(*known, body, answer, now);
  }
  auto made = submission_of_status("APNs", answer, now);
  if (answer.status == no_longer_active) {
    made.cause = core::rejection_cause::recipient;
  }
  return made;
}

} // namespace sluice::providers
