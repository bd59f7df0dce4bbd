#include "core/outside_address.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace sluice::core {
namespace {

std::string quoted(std::string_view text) {
  return '"' + std::string{text} + '"';
}

bool is_numeric_label(std::string_view label) noexcept {
  if (label.starts_with("0x") || label.starts_with("0X"))
    return label.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
  return !label.empty() && label.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_letter_or_digit(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_port(std::string_view port) noexcept {
  std::uint16_t number = 0;
  const auto* end = port.data() + port.size();
  const auto [stop, fault] = std::from_chars(port.data(), end, number);
  return fault == std::errc{} && stop == end && number != 0;
}

/// A name or dotted address, or an IPv6 address in brackets.
bool is_host(std::string_view host) noexcept {
  const bool address = host.size() > 2 && host.front() == '[' && host.back() == ']';
  const auto inner = address ? host.substr(1, host.size() - 2) : host;
  return !inner.empty() && std::ranges::all_of(inner, [address](char c) {
    return is_letter_or_digit(c) || c == '.' || (address ? c == ':' : c == '-' || c == '_');
  });
}

} // namespace

std::expected<outside_addresses, std::string>
outside_addresses::make(const std::vector<std::string>& allowed_networks) {
  outside_addresses made;
  for (const auto& text : allowed_networks) {
    auto parsed = parse_network(text);
    if (!parsed)
      return std::unexpected{"allowed_networks: " + parsed.error()};
    made.allowed_.push_back(*parsed);
  }
  return made;
}

bool outside_addresses::allows(const address_bytes& address) const noexcept {
  if (is_public(address))
    return true;
  // A range that is allowed is allowed by whatever form of IPv6 leads to it.
  const auto reached = embedded_ipv4(address).value_or(address);
  return std::ranges::any_of(
      allowed_, [&](const network& range) { return range.contains(address) || range.contains(reached); });
}

std::optional<std::string> outside_addresses::refuse_host(std::string_view host) const {
  const auto judge = [&](const address_bytes& address) -> std::optional<std::string> {
    if (allows(address))
      return std::nullopt;
    return quoted(host) + " is not a public address; allowed_networks can allow it";
  };
  if (host.find(':') != std::string_view::npos || host.starts_with('[')) {
    auto inner = host;
    if (inner.starts_with('[') && inner.ends_with(']'))
      inner = inner.substr(1, inner.size() - 2);
    const auto address = parse_ipv6(inner.substr(0, inner.find('%'))); // without the zone, RFC 6874
    return address ? judge(*address) : quoted(host) + " is no IPv6 address";
  }
  auto name = host;
  if (name.ends_with('.'))
    name.remove_suffix(1);
  if (name.empty())
    return "a host is missing";
  // Resolvers take a name whose last label is a number for an address, in whatever spelling.
  const auto last_dot = name.rfind('.');
  if (!is_numeric_label(last_dot == std::string_view::npos ? name : name.substr(last_dot + 1)))
    return std::nullopt;
  const auto address = parse_spelled_ipv4(name);
  return address ? judge(*address) : quoted(host) + " is no IPv4 address";
}

std::optional<std::string> outside_addresses::refuse_url(std::string_view url) const {
  const auto parsed = parse_outside_url(url);
  return parsed ? refuse_host(parsed->host) : parsed.error();
}

std::expected<outside_url, std::string> parse_outside_url(std::string_view url) {
  outside_url made;
  made.https = url.starts_with("https://");
  if (!made.https && !url.starts_with("http://"))
    return std::unexpected{"must be an absolute address that begins with https:// or http://"};
  if (url.size() > outside_url_bytes_max)
    return std::unexpected{"must have at most " + std::to_string(outside_url_bytes_max) + " bytes"};
  const std::size_t start = made.https ? 8 : 7;
  const auto end = std::min(url.find_first_of("/?#", start), url.size());
  made.origin = url.substr(0, end);
  made.path = url.substr(end);
  const auto authority = url.substr(start, end - start);
  if (authority.find('@') != std::string_view::npos)
    return std::unexpected{"must not hold a user or password; credentials have their own place"};
  const auto bracket = authority.find(']');
  const auto colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  made.host = authority.substr(0, colon);
  if (colon != std::string_view::npos)
    made.port = authority.substr(colon + 1);
  if (!is_host(made.host) || (colon != std::string_view::npos && !is_port(made.port)))
    return std::unexpected{"must name a host (a foreign one in its xn-- form), and a port if any as digits, "
                           "1 to 65535"};
  if (made.path.find('#') != std::string_view::npos)
    return std::unexpected{"must not hold a fragment (\"#\"); write %23 for the character"};
  if (!is_url_text(made.path))
    return std::unexpected{
        "holds a character that must be percent-encoded (RFC 3986), such as %20 for a space "
        "and %22 for a quote"};
  return made;
}

bool is_url_text(std::string_view text) noexcept {
  static constexpr std::string_view others = "-._~!$&'()*+,;=:@/?%[]";
  return std::ranges::all_of(
      text, [](char c) { return is_letter_or_digit(c) || others.find(c) != std::string_view::npos; });
}

} // namespace sluice::core
