#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

struct evp_pkey_st; // OpenSSL's EVP_PKEY

namespace sluice::crypto {

/// An RSA key that signs. Copies share it, threads may use it together, nothing prints it.
class rsa_private_key {
public:
  static constexpr std::size_t modulus_bits_min = 2048; ///< RFC 7518 section 3.3
  static constexpr std::size_t modulus_bits_max = 8192; ///< a longer one only costs time

  /// Reads PEM: PKCS#8 (RFC 7468 section 10) or PKCS#1 (RFC 8017 appendix A.1.2), not encrypted. Nothing
  /// where it is none, no RSA key, or of another size.
  [[nodiscard]] static std::optional<rsa_private_key> from_pem(std::string_view text);

  /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2.1): what JWS calls RS256 (RFC 7518 section 3.3).
  /// Nothing only where OpenSSL cannot compute it.
  [[nodiscard]] std::optional<std::string> sign_sha256(std::string_view bytes) const;

private:
  explicit rsa_private_key(std::shared_ptr<evp_pkey_st> key) : key_{std::move(key)} {}

  std::shared_ptr<evp_pkey_st> key_;
};

} // namespace sluice::crypto
