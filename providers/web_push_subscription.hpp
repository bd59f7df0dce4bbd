#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace sluice::providers {

inline constexpr std::size_t web_push_secret_size = 16; ///< RFC 8291 section 3.2

/// Where a browser is reached and for whom its messages are encrypted.
struct web_push_subscription {
  std::string endpoint;   ///< https, the push service's address of this subscription
  std::string origin;     ///< the endpoint's, as RFC 6454 section 6.1 writes it
  std::string public_key; ///< p256dh: 65 bytes, an uncompressed point; not yet checked to be on the curve
  std::string secret;     ///< auth: 16 bytes
};

inline constexpr std::size_t web_push_subscription_bytes_max = 4096;

/// Reads the JSON of a PushSubscription (Push API, its toJSON): endpoint, keys.p256dh and keys.auth in
/// base64url without padding; other members are left alone. The error is a sentence that quotes nothing.
[[nodiscard]] std::expected<web_push_subscription, std::string>
parse_web_push_subscription(std::string_view json);

} // namespace sluice::providers
