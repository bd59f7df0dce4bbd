#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

struct evp_pkey_st; // OpenSSL's EVP_PKEY

namespace sluice::crypto {

enum class signature_digest : std::uint8_t { sha1, sha256 };

/// The public half of an RSA key. Copies share it; it never changes.
class rsa_public_key {
public:
  static constexpr std::size_t modulus_bits_min = 2048; ///< NIST SP 800-131A: less is no longer trusted
  static constexpr std::size_t modulus_bits_max = 8192; ///< a longer one only costs time

  /// Reads "BEGIN PUBLIC KEY" (RFC 7468 section 13). Nothing where it is none, no RSA key, or of another
  /// size.
  [[nodiscard]] static std::optional<rsa_public_key> from_pem(std::string_view text);

  /// Takes the caller's reference; nothing as above.
  [[nodiscard]] static std::optional<rsa_public_key> from_handle(evp_pkey_st* key);

  /// RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2.2).
  [[nodiscard]] bool verify(signature_digest digest, std::string_view bytes,
                            std::string_view signature) const;

private:
  explicit rsa_public_key(std::shared_ptr<evp_pkey_st> key) : key_{std::move(key)} {}

  std::shared_ptr<evp_pkey_st> key_;
};

} // namespace sluice::crypto
