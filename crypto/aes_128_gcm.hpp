#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// AES-128 in Galois/Counter Mode (NIST SP 800-38D) with the nonce and tag sizes protocols use. For keys that
/// seal once; what an installation keeps is sealed by crypto/seal.hpp.
namespace sluice::crypto {

inline constexpr std::size_t aes_128_gcm_key_size = 16;
inline constexpr std::size_t aes_128_gcm_nonce_size = 12;
inline constexpr std::size_t aes_128_gcm_tag_size = 16;

/// Ciphertext and tag; nothing for a key or nonce of another size. A nonce is never used twice with one key.
[[nodiscard]] std::optional<std::string> aes_128_gcm_seal(std::string_view key, std::string_view nonce,
                                                          std::string_view plain,
                                                          std::string_view associated = {});

/// The plain text; nothing where key, nonce, ciphertext, tag and associated data do not belong together.
[[nodiscard]] std::optional<std::string> aes_128_gcm_open(std::string_view key, std::string_view nonce,
                                                          std::string_view sealed,
                                                          std::string_view associated = {});

} // namespace sluice::crypto
