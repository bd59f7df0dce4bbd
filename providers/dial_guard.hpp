#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sockaddr;

namespace sluice::providers {

/// An IP address as 16 bytes in network order; IPv4 as ::ffff:a.b.c.d (RFC 4291 section 2.5.5.2).
using address_bytes = std::array<std::uint8_t, 16>;

/// A range of addresses. IPv4 ranges cover the mapped form alone: "10.0.0.0/8" is ::ffff:10.0.0.0/104.
struct network {
  address_bytes prefix{};
  int length = 0; ///< bits, 0 to 128

  [[nodiscard]] bool contains(const address_bytes& address) const noexcept;
};

/// Reads "10.0.0.0/8", "fd00::/8" or a single address. Bits behind the prefix must be zero. The error is a
/// sentence that quotes the text.
[[nodiscard]] std::expected<network, std::string> parse_network(std::string_view text);

enum class dial_verdict : std::uint8_t {
  allowed,
  not_public,   ///< private, loopback, link-local, reserved, … or an IPv6 form that leads to such an IPv4
                ///< address
  not_internet, ///< neither IPv4 nor IPv6
};

/// Keeps calls from reaching inside: says which addresses may be dialled. Names are judged by what they
/// resolve to, at the moment of dialling, so a name that changes its mind gains nothing.
class dial_guard {
public:
  /// `allowed_networks`: CIDR ranges that may be dialled although they are not public. Throws
  /// std::invalid_argument for one that is none.
  explicit dial_guard(const std::vector<std::string>& allowed_networks);

  [[nodiscard]] dial_verdict verdict(const sockaddr& address) const noexcept;
  [[nodiscard]] dial_verdict verdict(const address_bytes& address) const noexcept;

  /// For settings: why this host of a URL can never be dialled, when that shows without resolving it. Reads
  /// IPv6 in brackets and every spelling of IPv4 inet_aton takes (0x7f.1, 2130706433, 017700000001).
  [[nodiscard]] std::optional<std::string> refuse_literal(std::string_view host) const;

private:
  std::vector<network> allowed_;
};

} // namespace sluice::providers
