#include "providers/dial_guard.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <cstring>
#include <netinet/in.h>
#include <span>
#include <stdexcept>
#include <sys/socket.h>

namespace sluice::providers {
namespace {

using ipv4_bytes = std::array<std::uint8_t, 4>;

struct ipv4_range {
  std::uint32_t prefix;
  int length;
};

constexpr std::uint32_t ipv4(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return a << 24U | b << 16U | c << 8U | d;
}

/// IANA IPv4 special-purpose registry, entries that are not globally reachable, with multicast and the
/// retired 6to4 relays (RFC 7526).
constexpr std::array not_public_ipv4{
    ipv4_range{ipv4(0, 0, 0, 0), 8},      ipv4_range{ipv4(10, 0, 0, 0), 8},
    ipv4_range{ipv4(100, 64, 0, 0), 10},  ipv4_range{ipv4(127, 0, 0, 0), 8},
    ipv4_range{ipv4(169, 254, 0, 0), 16}, ipv4_range{ipv4(172, 16, 0, 0), 12},
    ipv4_range{ipv4(192, 0, 0, 0), 24},   ipv4_range{ipv4(192, 0, 2, 0), 24},
    ipv4_range{ipv4(192, 88, 99, 0), 24}, ipv4_range{ipv4(192, 168, 0, 0), 16},
    ipv4_range{ipv4(198, 18, 0, 0), 15},  ipv4_range{ipv4(198, 51, 100, 0), 24},
    ipv4_range{ipv4(203, 0, 113, 0), 24}, ipv4_range{ipv4(224, 0, 0, 0), 4},
    ipv4_range{ipv4(240, 0, 0, 0), 4},
};

bool is_public(ipv4_bytes bytes) {
  const auto value = ipv4(bytes[0], bytes[1], bytes[2], bytes[3]);
  return std::ranges::none_of(not_public_ipv4, [value](const ipv4_range& range) {
    return value >> (32 - range.length) == range.prefix >> (32 - range.length);
  });
}

template <std::size_t N>
bool begins_with(const address_bytes& address, const std::array<std::uint8_t, N>& prefix) {
  return std::ranges::equal(prefix, std::span{address}.template first<N>());
}

ipv4_bytes bytes_at(const address_bytes& address, std::size_t offset) {
  return {address[offset], address[offset + 1], address[offset + 2], address[offset + 3]};
}

constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr std::array<std::uint8_t, 12> nat64{0x00, 0x64, 0xff, 0x9b}; // RFC 6052, the well-known prefix
constexpr std::array<std::uint8_t, 2> six_to_four{0x20, 0x02};        // RFC 3056

/// The IPv4 address a packet to this IPv6 address ends at, where the form says so.
std::optional<ipv4_bytes> embedded_ipv4(const address_bytes& address) {
  if (begins_with(address, mapped) || begins_with(address, nat64))
    return bytes_at(address, 12);
  if (begins_with(address, six_to_four))
    return bytes_at(address, 2);
  const bool isatap =
      (address[8] & 0xfdU) == 0 && address[9] == 0 && address[10] == 0x5e && address[11] == 0xfe;
  if (isatap) // RFC 5214 section 6.1
    return bytes_at(address, 12);
  return std::nullopt;
}

/// Global unicast is 2000::/3; what IANA set aside within it is not. Teredo lies in 2001::/23.
bool is_public_ipv6(const address_bytes& address) {
  if ((address[0] & 0xe0U) != 0x20)
    return false;
  const bool protocol_assignments = address[0] == 0x20 && address[1] == 0x01 && (address[2] & 0xfeU) == 0;
  const bool documentation = begins_with(address, std::array<std::uint8_t, 4>{0x20, 0x01, 0x0d, 0xb8});
  const bool documentation_2024 = address[0] == 0x3f && address[1] == 0xff && (address[2] & 0xf0U) == 0;
  return !protocol_assignments && !documentation && !documentation_2024;
}

bool is_public(const address_bytes& address) {
  const auto inner = embedded_ipv4(address);
  if (inner && !is_public(*inner))
    return false;
  return begins_with(address, mapped) || begins_with(address, nat64) || is_public_ipv6(address);
}

address_bytes map(ipv4_bytes bytes) {
  address_bytes result{};
  std::ranges::copy(mapped, result.begin());
  std::ranges::copy(bytes, result.begin() + mapped.size());
  return result;
}

std::optional<address_bytes> parse_ipv6(std::string_view text) {
  address_bytes bytes{};
  if (inet_pton(AF_INET6, std::string{text}.c_str(), bytes.data()) != 1)
    return std::nullopt;
  return bytes;
}

std::optional<ipv4_bytes> parse_dotted_ipv4(std::string_view text) {
  ipv4_bytes bytes{};
  if (inet_pton(AF_INET, std::string{text}.c_str(), bytes.data()) != 1)
    return std::nullopt;
  return bytes;
}

bool is_numeric_label(std::string_view label) {
  if (label.starts_with("0x") || label.starts_with("0X"))
    return label.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
  return !label.empty() && label.find_first_not_of("0123456789") == std::string_view::npos;
}

/// One part of a spelled IPv4 address: decimal, octal behind "0", hexadecimal behind "0x".
std::optional<std::uint64_t> parse_part(std::string_view part) {
  int base = 10;
  if (part.starts_with("0x") || part.starts_with("0X")) {
    part.remove_prefix(2);
    base = 16;
    if (part.empty())
      return 0;
  } else if (part.size() > 1 && part.front() == '0') {
    base = 8;
  }
  std::uint64_t value = 0;
  const auto* begin = part.data();
  const auto* end = begin + part.size();
  const auto [stop, fault] = std::from_chars(begin, end, value, base);
  if (part.empty() || fault != std::errc{} || stop != end)
    return std::nullopt;
  return value;
}

/// One to four parts, the last one filling the bytes that are left, as inet_aton reads them.
std::optional<ipv4_bytes> parse_spelled_ipv4(std::string_view host) {
  std::uint64_t address = 0;
  for (int used = 0; used < 4; ++used) {
    const auto dot = host.find('.');
    const auto part = parse_part(host.substr(0, dot));
    if (!part)
      return std::nullopt;
    const int bits_left = 32 - 8 * used;
    if (dot == std::string_view::npos) {
      if (*part >> bits_left != 0)
        return std::nullopt;
      address |= *part;
      return ipv4_bytes{static_cast<std::uint8_t>(address >> 24U), static_cast<std::uint8_t>(address >> 16U),
                        static_cast<std::uint8_t>(address >> 8U), static_cast<std::uint8_t>(address)};
    }
    if (*part > 0xff)
      return std::nullopt;
    address |= *part << (bits_left - 8);
    host.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

std::string quoted(std::string_view text) {
  return '"' + std::string{text} + '"';
}

} // namespace

bool network::contains(const address_bytes& address) const noexcept {
  const auto whole = static_cast<std::size_t>(length / 8);
  if (!std::equal(prefix.begin(), prefix.begin() + static_cast<std::ptrdiff_t>(whole), address.begin()))
    return false;
  const int rest = length % 8;
  return rest == 0 || (prefix[whole] ^ address[whole]) >> (8 - rest) == 0;
}

std::expected<network, std::string> parse_network(std::string_view text) {
  const auto fault = [&](const char* why) {
    return std::unexpected(quoted(text) + " is no CIDR range: " + why);
  };
  const auto slash = text.find('/');
  const auto address_text = text.substr(0, slash);
  network result{.prefix = {}, .length = 128};
  int length_offset = 0;
  if (const auto four = parse_dotted_ipv4(address_text)) {
    result.prefix = map(*four);
    length_offset = 96;
  } else if (const auto six = parse_ipv6(address_text)) {
    result.prefix = *six;
  } else {
    return fault("its first part is neither an IPv4 nor an IPv6 address");
  }
  if (slash != std::string_view::npos) {
    const auto length_text = text.substr(slash + 1);
    const auto* begin = length_text.data();
    const auto* end = begin + length_text.size();
    int length = -1;
    const auto [stop, error] = std::from_chars(begin, end, length);
    if (error != std::errc{} || stop != end || length < 0 || length > 128 - length_offset)
      return fault("the prefix length is no number from 0 to 32 (IPv4) or 128 (IPv6)");
    result.length = length + length_offset;
  }
  for (int bit = result.length; bit < 128; ++bit)
    if ((result.prefix[static_cast<std::size_t>(bit / 8)] >> (7 - bit % 8) & 1) != 0)
      return fault("it has bits behind its prefix length");
  return result;
}

dial_guard::dial_guard(const std::vector<std::string>& allowed_networks) {
  for (const auto& text : allowed_networks) {
    auto parsed = parse_network(text);
    if (!parsed)
      throw std::invalid_argument("allowed_networks: " + parsed.error());
    allowed_.push_back(*parsed);
  }
}

dial_verdict dial_guard::verdict(const address_bytes& address) const noexcept {
  if (is_public(address))
    return dial_verdict::allowed;
  // A range that is allowed is allowed by whatever form of IPv6 leads to it.
  const auto inner = embedded_ipv4(address);
  const auto reached = inner ? map(*inner) : address;
  const bool listed = std::ranges::any_of(
      allowed_, [&](const network& range) { return range.contains(address) || range.contains(reached); });
  return listed ? dial_verdict::allowed : dial_verdict::not_public;
}

dial_verdict dial_guard::verdict(const sockaddr& address) const noexcept {
  if (address.sa_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof four);
    ipv4_bytes bytes{};
    std::memcpy(bytes.data(), &four.sin_addr, bytes.size());
    return verdict(map(bytes));
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &address, sizeof six);
    address_bytes bytes{};
    std::memcpy(bytes.data(), &six.sin6_addr, bytes.size());
    return verdict(bytes);
  }
  return dial_verdict::not_internet;
}

std::optional<std::string> dial_guard::refuse_literal(std::string_view host) const {
  const auto judge = [&](const address_bytes& address) -> std::optional<std::string> {
    if (verdict(address) == dial_verdict::allowed)
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
  return address ? judge(map(*address)) : quoted(host) + " is no IPv4 address";
}

} // namespace sluice::providers
