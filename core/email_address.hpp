#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace sluice::core {

// RFC 5321 section 4.5.3.1; a path has 256 octets with its two angle brackets.
inline constexpr std::size_t email_bytes_max = 254;
inline constexpr std::size_t email_local_bytes_max = 64;
inline constexpr std::size_t domain_label_bytes_max = 63; ///< RFC 1035 section 2.3.4

/// local-part "@" Domain with the domain in lower case. The local part stays as it is: what its case means is
/// its host's affair (RFC 5321 section 2.4). Refused: quoted local parts, address literals, domains of one
/// label, and everything beyond ASCII, where a domain is written as its A-labels ("xn--…"). The error is a
/// sentence that quotes nothing.
[[nodiscard]] std::expected<std::string, std::string> normalise_email(std::string_view text);

} // namespace sluice::core
