#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// What an address is an address of; it decides which providers can reach it and how it is normalised.
enum class contact_kind : std::uint8_t {
  email,            ///< RFC 5321 mailbox
  phone,            ///< E.164, "+" and digits
  fcm_installation, ///< Firebase installation id
  fcm_token,        ///< registration token
  apns_token,       ///< device token, hexadecimal
  web_push,         ///< JSON of a PushSubscription: endpoint, keys.p256dh, keys.auth
  other,            ///< a text the webhook provider's receiver understands
};
inline constexpr std::size_t contact_kinds = 7;

[[nodiscard]] std::string_view to_string(contact_kind kind) noexcept;
[[nodiscard]] std::optional<contact_kind> parse_contact_kind(std::string_view text) noexcept;

/// Why nothing is sent to a contact point any more.
enum class suppression_reason : std::uint8_t {
  hard_bounce,   ///< a provider said the address does not exist
  complaint,     ///< the person marked a message as unwanted
  retired_token, ///< the provider's own word for a dead token
  unsubscribed,  ///< the person said so, to the provider
  person,        ///< an operator
};

[[nodiscard]] std::string_view to_string(suppression_reason reason) noexcept;
[[nodiscard]] std::optional<suppression_reason> parse_suppression_reason(std::string_view text) noexcept;

/// An address as it is sent to. Never logged, never in an error, never in a message between nodes.
struct contact_address {
  contact_kind kind = contact_kind::email;
  std::string text; ///< normalised
};

/// Leaves out the address.
template <class Inspector>
auto inspect(Inspector& f, contact_address& x) {
  return f(x.kind);
}

} // namespace sluice::core
