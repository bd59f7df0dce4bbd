#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

/// Secrets in the form of Standard Webhooks 1.0.0, "Signature scheme".
namespace sluice::providers {

enum class signature_scheme : std::uint8_t {
  hmac_sha256, ///< "whsec_" and base64 of 24 to 64 bytes; signatures begin with "v1,"
  ed25519,     ///< "whsk_" and base64 of the private key; signatures begin with "v1a,"
};

[[nodiscard]] std::string_view to_string(signature_scheme scheme) noexcept;
[[nodiscard]] std::optional<signature_scheme> parse_signature_scheme(std::string_view text) noexcept;

inline constexpr std::size_t hmac_key_bytes_min = 24;
inline constexpr std::size_t hmac_key_bytes_max = 64;

/// A secret, read.
struct webhook_secret {
  signature_scheme scheme = signature_scheme::hmac_sha256;
  std::string key; ///< bytes; of ed25519 the seed
};

/// The error says what is allowed and never quotes the text. A private key of ed25519 may be its seed of 32
/// bytes, or the 64 bytes of seed and public key, which must belong together.
[[nodiscard]] std::expected<webhook_secret, std::string> parse_webhook_secret(std::string_view text);

/// A new secret as text, of 32 random bytes.
[[nodiscard]] std::string make_webhook_secret(signature_scheme scheme);

/// What a receiver verifies with: the secret itself, or "whpk_" and the public key.
[[nodiscard]] std::string verification_key(const webhook_secret& secret);

} // namespace sluice::providers
