#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace sluice::config {

/// Where a server listens or is found.
struct listen_address {
  std::string address;    ///< IPv4 or IPv6 without brackets
  std::uint16_t port = 0; ///< 0: a free one

  [[nodiscard]] std::string text() const; ///< "127.0.0.1:80", "[::1]:80"
};

/// Reads "ADDRESS:PORT", an IPv6 address in brackets, or "PORT" alone for 127.0.0.1. The error says what is
/// allowed.
[[nodiscard]] std::expected<listen_address, std::string> parse_listen_address(std::string_view text);

} // namespace sluice::config
