#pragma once

#include "core/provider_event.hpp"
#include "core/time.hpp"
#include "providers/notification_adapter.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace sluice::providers {

enum class sns_message_type : std::uint8_t {
  notification,
  subscription_confirmation,
  unsubscribe_confirmation
};

/// What Amazon SNS posts ("HTTP/HTTPS notification JSON format" and its two companions, SNS Developer Guide).
struct sns_message {
  sns_message_type type = sns_message_type::notification;
  std::string message_id;
  std::string topic;
  std::string message;
  std::optional<std::string> subject; ///< nothing where it is missing or null
  std::string timestamp;              ///< as it came: it is signed
  std::string token;                  ///< of confirmations
  std::string subscribe_url;          ///< of confirmations
  std::string signature_version;
  std::string signature; ///< base64
  std::string certificate_url;
};

/// SNS repeats a delivery for at most an hour ("Amazon SNS message delivery retries"), with the time of the
/// first.
inline constexpr core::duration sns_message_age_max = std::chrono::hours{1};

/// Reads the envelope; nothing of it is believed yet. The error is content_type or malformed.
[[nodiscard]] std::expected<sns_message, core::callback_refusal>
parse_sns_message(const core::callback_request& callback);

/// What its signature is over ("Verifying the signatures of Amazon SNS messages"): names and values in the
/// order of the names, each on a line of its own. A subject that is not there has no lines.
[[nodiscard]] std::string sns_string_to_sign(const sns_message& message);

/// Who may say something, and who may vouch for it.
struct sns_demands {
  std::span<const std::string> topics;
  std::string_view authorities; ///< certificate_demands'
};

using sns_verdict = std::variant<sns_message, certificate_wanted, core::callback_refusal>;

/// Whether the callback is SNS's, for one of these topics and of this hour. A certificate is asked for only
/// where all else would hold, so that nobody can make us fetch for nothing.
[[nodiscard]] sns_verdict verify_sns_message(const core::callback_request& callback,
                                             const sns_demands& demands,
                                             const known_certificates& certificates, core::timestamp now);

} // namespace sluice::providers
