#pragma once

#include "core/notification.hpp"
#include "providers/notification_adapter.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// A Twilio account as one profile uses it.
struct twilio_settings {
  std::string base_url; ///< without a slash at its end
  std::string account_sid;
  std::string from;                  ///< a number, short code or alphanumeric sender; or
  std::string messaging_service_sid; ///< the pool of senders that chooses one
  std::string username;              ///< of the requests: the account, or an API key
  std::string password;
  std::vector<std::string> signing_tokens; ///< what callbacks may be signed with; none: it gets none
  std::string callback_url;                ///< empty: it gets none
};

/// Reads both JSON texts of the profile. The error lists every fault with its place; values of credentials
/// are never quoted.
[[nodiscard]] std::expected<twilio_settings, std::vector<std::string>>
parse_twilio_settings(const core::provider_profile& profile, const adapter_surroundings& around);

/// Whether the text is an id of Twilio's ("String Identifier"): the prefix and 32 hexadecimal digits.
[[nodiscard]] bool is_twilio_sid(std::string_view prefix, std::string_view text) noexcept;

/// Whether it is a message's: SM or MM.
[[nodiscard]] bool is_twilio_message_sid(std::string_view text) noexcept;

} // namespace sluice::providers
