#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// Keys and signatures on the curve P-256 (FIPS 186-5, secp256r1 in SEC 2).
namespace sluice::crypto {

inline constexpr std::size_t p256_private_key_size = 32; ///< the scalar, its highest byte first
inline constexpr std::size_t p256_public_key_size = 65;  ///< uncompressed point, SEC 1 section 2.3.3
inline constexpr std::size_t p256_signature_size = 64;   ///< r and s, RFC 7518 section 3.4
inline constexpr std::size_t p256_shared_secret_size = 32;

/// A private key. Copies share one key, which threads may use together; nothing prints it.
class p256_key {
public:
  /// From its scalar; nothing where it is none of the curve's.
  [[nodiscard]] static std::optional<p256_key> from_bytes(std::string_view scalar);

  /// From PEM: PKCS#8 (RFC 5208) or SEC1 (RFC 5915), unencrypted. Nothing for a key of another curve or kind.
  [[nodiscard]] static std::optional<p256_key> from_pem(std::string_view pem);

  /// A fresh key of the operating system's randomness; nothing only where OpenSSL cannot run.
  [[nodiscard]] static std::optional<p256_key> generate();

  [[nodiscard]] const std::string& public_key() const noexcept { return public_key_; }

  /// ES256 (RFC 7518 section 3.4): ECDSA over SHA-256. Never the same twice.
  [[nodiscard]] std::optional<std::string> sign(std::string_view bytes) const;

  /// The shared secret with another's public key (SP 800-56A, section 5.7.1.2); nothing where that is no
  /// uncompressed point of the curve.
  [[nodiscard]] std::optional<std::string> agree(std::string_view other_public_key) const;

private:
  explicit p256_key(std::shared_ptr<void> key, std::string public_key);

  std::shared_ptr<void> key_; ///< OpenSSL's EVP_PKEY
  std::string public_key_;
};

/// Whether the bytes are an uncompressed point of the curve.
[[nodiscard]] bool is_p256_public_key(std::string_view bytes);

/// Whether r and s are the key's signature over the bytes; false, too, for a key or signature of another
/// form.
[[nodiscard]] bool p256_verify(std::string_view public_key, std::string_view bytes,
                               std::string_view signature);

/// The same of a signature in DER (RFC 3279 section 2.2.3).
[[nodiscard]] bool p256_verify_der(std::string_view public_key, std::string_view bytes,
                                   std::string_view signature);

} // namespace sluice::crypto
