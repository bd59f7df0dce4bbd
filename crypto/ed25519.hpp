#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::crypto {

inline constexpr std::size_t ed25519_seed_size = 32;
inline constexpr std::size_t ed25519_public_key_size = 32;
inline constexpr std::size_t ed25519_signature_size = 64;

/// RFC 8032. A private key is its seed; nothing where a key has another size.
[[nodiscard]] std::optional<std::string> ed25519_public_key(std::string_view seed);
[[nodiscard]] std::optional<std::string> ed25519_sign(std::string_view seed, std::string_view bytes);

/// Whether the signature is the key's over the bytes; false, too, for a key or signature of another size.
[[nodiscard]] bool ed25519_verify(std::string_view public_key, std::string_view bytes,
                                  std::string_view signature);

} // namespace sluice::crypto
