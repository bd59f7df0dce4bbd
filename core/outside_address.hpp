#pragma once

#include "core/ip_address.hpp"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// Which addresses outside may be called: public ones, and those the settings allow besides. What can be told
/// from the text alone is refused when an address is written down, everything else when it is dialled.
class outside_addresses {
public:
  /// `allowed_networks`: CIDR ranges that may be called although they are not public. The error names the one
  /// that is none.
  [[nodiscard]] static std::expected<outside_addresses, std::string>
  make(const std::vector<std::string>& allowed_networks);

  /// Nothing but what is public.
  outside_addresses() = default;

  [[nodiscard]] bool allows(const address_bytes& address) const noexcept;

  /// Why this host of a URL can never be called, when that shows without resolving it. Reads IPv6 in brackets
  /// and every spelling of IPv4 that resolvers take.
  [[nodiscard]] std::optional<std::string> refuse_host(std::string_view host) const;

  /// The same of a whole URL, which must be one that parse_outside_url reads.
  [[nodiscard]] std::optional<std::string> refuse_url(std::string_view url) const;

private:
  std::vector<network> allowed_;
};

inline constexpr std::size_t outside_url_bytes_max = 2048;

/// An absolute http or https URL, split; the parts point into the text.
struct outside_url {
  bool https = false;
  std::string_view origin; ///< scheme, host and port: what stands before the path
  std::string_view host;   ///< IPv6 in its brackets
  std::string_view port;   ///< digits, or empty
  std::string_view path;   ///< with the query, or empty
};

/// Refused: user or password, a fragment, a host or port that is none, and every character that must be
/// percent-encoded (RFC 3986), so that what is judged here is what libcurl will read. The error is a sentence
/// to follow the name of what holds the URL, and quotes nothing.
[[nodiscard]] std::expected<outside_url, std::string> parse_outside_url(std::string_view url);

/// Whether the text can stand in a URL behind its host as it is (RFC 3986).
[[nodiscard]] bool is_url_text(std::string_view text) noexcept;

} // namespace sluice::core
