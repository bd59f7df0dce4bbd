#pragma once

#include "crypto/rsa_public_key.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::crypto {

enum class certificate_error : std::uint8_t {
  unreadable,    ///< no PEM with at least one X.509 certificate, or too many
  wrong_name,    ///< the first certificate is for none of the names
  not_valid_now, ///< not yet, or no longer
  untrusted,     ///< no chain of certificates leads from it to one that is trusted
  unusable_key,  ///< not RSA, or of a size nobody should trust
};

[[nodiscard]] std::string_view to_string(certificate_error error) noexcept; ///< a sentence

inline constexpr std::size_t certificates_max = 8; ///< in one text
inline constexpr std::size_t certificate_bytes_max = std::size_t{64} << 10U;

/// What a certificate that signed something has to be.
struct certificate_demands {
  std::vector<std::string> names; ///< DNS names of which the leaf must have one; wildcards never fit
  /// PEM of the certificates that may end a chain, roots or intermediates. Empty: the last certificate of the
  /// text itself is believed, so whoever fetched the text vouches for it.
  std::string_view authorities;
  std::chrono::sys_time<std::chrono::microseconds> at{};
};

/// The key of the first certificate in `pem`, whose others may be the way to an authority. The chain is
/// checked by RFC 5280 section 6 (signatures, validity, basic constraints, keys and digests of at least 112
/// bits of strength); revocation is not looked up. The name stands in subjectAltName, or in the subject where
/// there is none (RFC 6125 section 6.4).
[[nodiscard]] std::expected<rsa_public_key, certificate_error>
signing_key_of(std::string_view pem, const certificate_demands& demands);

/// How many certificates a PEM text holds; 0 where it is no such text, or holds too many.
[[nodiscard]] std::size_t count_certificates(std::string_view pem);

} // namespace sluice::crypto
