#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// An IP address as 16 bytes in network order; IPv4 as ::ffff:a.b.c.d (RFC 4291 section 2.5.5.2).
using address_bytes = std::array<std::uint8_t, 16>;

/// Reads an IPv6 address (RFC 4291 section 2.2) without brackets and zone.
[[nodiscard]] std::optional<address_bytes> parse_ipv6(std::string_view text) noexcept;

/// Reads four decimal numbers without leading zeros, "10.0.0.1".
[[nodiscard]] std::optional<address_bytes> parse_ipv4(std::string_view text) noexcept;

/// Reads every spelling of IPv4 that inet_aton takes: one to four parts, the last one filling the bytes that
/// are left, each decimal, octal behind "0" or hexadecimal behind "0x" (0x7f.1, 2130706433, 017700000001).
[[nodiscard]] std::optional<address_bytes> parse_spelled_ipv4(std::string_view text) noexcept;

/// Whether packets to the address leave for the public internet. Forms of IPv6 that carry an IPv4 address
/// (mapped, NAT64, 6to4, ISATAP) are judged by that one too; Teredo is not public at all.
[[nodiscard]] bool is_public(const address_bytes& address) noexcept;

/// The IPv4 address, mapped, that a packet to this IPv6 address ends at, where its form says so.
[[nodiscard]] std::optional<address_bytes> embedded_ipv4(const address_bytes& address) noexcept;

/// A range of addresses. IPv4 ranges cover the mapped form alone: "10.0.0.0/8" is ::ffff:10.0.0.0/104.
struct network {
  address_bytes prefix{};
  int length = 0; ///< bits, 0 to 128

  [[nodiscard]] bool contains(const address_bytes& address) const noexcept;
};

/// Reads "10.0.0.0/8", "fd00::/8" or a single address. Bits behind the prefix must be zero. The error is a
/// sentence that quotes the text.
[[nodiscard]] std::expected<network, std::string> parse_network(std::string_view text);

} // namespace sluice::core
