#include "core/ip_address.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <span>

namespace sluice::core {
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
std::optional<ipv4_bytes> inner_ipv4(const address_bytes& address) noexcept {
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

address_bytes map(ipv4_bytes bytes) {
  address_bytes result{};
  std::ranges::copy(mapped, result.begin());
  std::ranges::copy(bytes, result.begin() + mapped.size());
  return result;
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

/// One group of an IPv6 address: one to four hex digits.
std::optional<std::uint16_t> parse_group(std::string_view text) noexcept {
  if (text.empty() || text.size() > 4)
    return std::nullopt;
  std::uint16_t value = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value, 16);
  if (fault != std::errc{} || stop != end)
    return std::nullopt;
  return value;
}

/// The bytes of groups between colons, the last one perhaps an IPv4 address. Nothing for text that is none.
struct group_reader {
  std::array<std::uint8_t, 16> bytes{};
  std::size_t count = 0;

  bool read(std::string_view text) noexcept {
    while (true) {
      const auto colon = text.find(':');
      const auto group = text.substr(0, colon);
      if (!(colon == std::string_view::npos && group.find('.') != std::string_view::npos ? add_ipv4(group)
                                                                                         : add(group)))
        return false;
      if (colon == std::string_view::npos)
        return true;
      text.remove_prefix(colon + 1);
    }
  }

  bool add(std::string_view group) noexcept {
    const auto value = parse_group(group);
    if (!value || count + 2 > bytes.size())
      return false;
    bytes[count++] = static_cast<std::uint8_t>(*value >> 8U);
    bytes[count++] = static_cast<std::uint8_t>(*value);
    return true;
  }

  bool add_ipv4(std::string_view text) noexcept {
    const auto four = parse_ipv4(text);
    if (!four || count + 4 > bytes.size())
      return false;
    std::copy(four->begin() + 12, four->end(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    count += 4;
    return true;
  }
};

std::string quoted(std::string_view text) {
  return '"' + std::string{text} + '"';
}

} // namespace

std::optional<address_bytes> parse_ipv6(std::string_view text) noexcept {
  group_reader before;
  const auto gap = text.find("::");
  if (gap == std::string_view::npos)
    return before.read(text) && before.count == 16 ? std::optional{before.bytes} : std::nullopt;
  group_reader after;
  const auto head = text.substr(0, gap);
  const auto tail = text.substr(gap + 2);
  if ((!head.empty() && (head.find('.') != std::string_view::npos || !before.read(head)))
      || (!tail.empty() && !after.read(tail)) || before.count + after.count > 14)
    return std::nullopt;
  auto address = before.bytes;
  std::copy_n(after.bytes.begin(), after.count, address.end() - static_cast<std::ptrdiff_t>(after.count));
  return address;
}

std::optional<address_bytes> parse_ipv4(std::string_view text) noexcept {
  ipv4_bytes bytes{};
  for (std::size_t part = 0; part < 4; ++part) {
    const auto dot = text.find('.');
    const auto digits = text.substr(0, dot);
    const auto* end = digits.data() + digits.size();
    const bool plain = !digits.empty() && (digits.size() == 1 || digits.front() != '0');
    const auto [stop, fault] = std::from_chars(digits.data(), end, bytes[part]);
    if (!plain || fault != std::errc{} || stop != end || (dot == std::string_view::npos) != (part == 3))
      return std::nullopt;
    text.remove_prefix(std::min(digits.size() + 1, text.size()));
  }
  return map(bytes);
}

/// The last part fills the bytes that are left.
std::optional<address_bytes> parse_spelled_ipv4(std::string_view text) noexcept {
  std::uint64_t address = 0;
  for (int used = 0; used < 4; ++used) {
    const auto dot = text.find('.');
    const auto part = parse_part(text.substr(0, dot));
    if (!part)
      return std::nullopt;
    const int bits_left = 32 - 8 * used;
    if (dot == std::string_view::npos) {
      if (*part >> bits_left != 0)
        return std::nullopt;
      address |= *part;
      return map({static_cast<std::uint8_t>(address >> 24U), static_cast<std::uint8_t>(address >> 16U),
                  static_cast<std::uint8_t>(address >> 8U), static_cast<std::uint8_t>(address)});
    }
    if (*part > 0xff)
      return std::nullopt;
    address |= *part << (bits_left - 8);
    text.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

bool is_public(const address_bytes& address) noexcept {
  const auto inner = inner_ipv4(address);
  if (inner && !is_public(*inner))
    return false;
  return begins_with(address, mapped) || begins_with(address, nat64) || is_public_ipv6(address);
}

std::optional<address_bytes> embedded_ipv4(const address_bytes& address) noexcept {
  const auto inner = inner_ipv4(address);
  return inner ? std::optional{map(*inner)} : std::nullopt;
}

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
  if (const auto four = parse_ipv4(address_text)) {
    result.prefix = *four;
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

} // namespace sluice::core
