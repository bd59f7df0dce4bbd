#pragma once

#include "crypto/key_ring.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::crypto {

enum class seal_error : std::uint8_t {
  no_key,          ///< the ring has no key to seal with
  malformed,       ///< the text is not a sealed value
  unknown_key,     ///< it was sealed with a key the ring does not hold
  not_authentic,   ///< it was changed, or belongs to another place than the one asked for
  too_long,        ///< more bytes than one sealed value may hold
  library_failure, ///< OpenSSL refused the operation
};

[[nodiscard]] std::string_view to_string(seal_error error) noexcept; ///< a sentence

inline constexpr std::size_t sealed_bytes_max = std::size_t{64} * 1024 * 1024;

/// AES-256-GCM under the ring's first key with a fresh random nonce (NIST SP 800-38D, 8.2.2), as text:
/// "v1.<key name>.<base64url of nonce, ciphertext and tag>". `associated` names the place the value belongs
/// to; it is authenticated and not stored, and a value opens only where the same is given. One key may seal
/// 2^32 values: put a new key first before that.
[[nodiscard]] std::expected<std::string, seal_error> seal(const key_ring& keys, std::string_view plain,
                                                          std::string_view associated);

/// The name of the key a value was sealed with; nothing where the text is no sealed value.
[[nodiscard]] std::optional<std::string_view> sealing_key_of(std::string_view sealed) noexcept;

/// Whether the value was sealed with another key than the ring's first, or is no sealed value: what is to be
/// done before an old key goes. False for an empty ring, which seals nothing.
[[nodiscard]] bool needs_resealing(const key_ring& keys, std::string_view sealed) noexcept;

[[nodiscard]] std::expected<std::string, seal_error> open(const key_ring& keys, std::string_view sealed,
                                                          std::string_view associated);

} // namespace sluice::crypto
