#include "crypto/encoding.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace sluice::crypto {

namespace {

constexpr std::string_view base64_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view base64url_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view hex_alphabet = "0123456789abcdef";
constexpr std::uint8_t foreign = 0xff;

using values = std::array<std::uint8_t, 256>;

[[nodiscard]] constexpr values values_of(std::string_view alphabet) {
  values table{};
  table.fill(foreign);
  for (std::size_t index = 0; index < alphabet.size(); ++index)
    table[static_cast<unsigned char>(alphabet[index])] = static_cast<std::uint8_t>(index);
  return table;
}

constexpr values base64_values = values_of(base64_alphabet);
constexpr values base64url_values = values_of(base64url_alphabet);

[[nodiscard]] std::uint32_t byte_at(std::string_view bytes, std::size_t at) noexcept {
  return static_cast<unsigned char>(bytes[at]);
}

[[nodiscard]] std::string encode(std::string_view bytes, std::string_view alphabet) {
  std::string text((bytes.size() * 4 + 2) / 3, '\0');
  char* to = text.data();
  std::size_t at = 0;
  for (; at + 3 <= bytes.size(); at += 3) {
    const std::uint32_t group =
        byte_at(bytes, at) << 16 | byte_at(bytes, at + 1) << 8 | byte_at(bytes, at + 2);
    *to++ = alphabet[group >> 18];
    *to++ = alphabet[group >> 12 & 63];
    *to++ = alphabet[group >> 6 & 63];
    *to++ = alphabet[group & 63];
  }
  if (at == bytes.size())
    return text;
  const bool two = at + 2 == bytes.size();
  const std::uint32_t group = byte_at(bytes, at) << 16 | (two ? byte_at(bytes, at + 1) << 8 : 0);
  *to++ = alphabet[group >> 18];
  *to++ = alphabet[group >> 12 & 63];
  if (two)
    *to = alphabet[group >> 6 & 63];
  return text;
}

/// Without padding. A foreign character shows in the two high bits that no value has.
[[nodiscard]] std::optional<std::string> decode(std::string_view text, const values& table) {
  if (text.size() % 4 == 1)
    return std::nullopt;
  std::string bytes(text.size() * 3 / 4, '\0');
  char* to = bytes.data();
  const auto value = [&](std::size_t at) -> std::uint32_t {
    return table[static_cast<unsigned char>(text[at])];
  };
  std::size_t at = 0;
  std::uint32_t seen = 0;
  for (; at + 4 <= text.size(); at += 4) {
    const std::uint32_t a = value(at), b = value(at + 1), c = value(at + 2), d = value(at + 3);
    seen |= a | b | c | d;
    *to++ = static_cast<char>((a << 2 | b >> 4) & 0xff);
    *to++ = static_cast<char>((b << 4 | c >> 2) & 0xff);
    *to++ = static_cast<char>((c << 6 | d) & 0xff);
  }
  if (at < text.size()) {
    const bool two = text.size() - at == 3;
    const std::uint32_t a = value(at), b = value(at + 1), c = two ? value(at + 2) : 0;
    seen |= a | b | c;
    *to++ = static_cast<char>((a << 2 | b >> 4) & 0xff);
    if (two)
      *to = static_cast<char>((b << 4 | c >> 2) & 0xff);
    if ((two ? c & 3 : b & 15) != 0)
      return std::nullopt;
  }
  if (seen > 63)
    return std::nullopt;
  return bytes;
}

} // namespace

std::string to_base64(std::string_view bytes) {
  std::string text = encode(bytes, base64_alphabet);
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0)
    return std::nullopt;
  if (text.ends_with("=="))
    text.remove_suffix(2);
  else if (text.ends_with('='))
    text.remove_suffix(1);
  return decode(text, base64_values);
}

std::string to_base64url(std::string_view bytes) {
  return encode(bytes, base64url_alphabet);
}

std::optional<std::string> from_base64url(std::string_view text) {
  return decode(text, base64url_values);
}

std::string to_hex(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    text += hex_alphabet[byte_at(bytes, at) >> 4];
    text += hex_alphabet[byte_at(bytes, at) & 15];
  }
  return text;
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0)
    return std::nullopt;
  const auto value = [&](std::size_t at) -> std::size_t {
    const char c = text[at] >= 'A' && text[at] <= 'F' ? static_cast<char>(text[at] - 'A' + 'a') : text[at];
    return hex_alphabet.find(c);
  };
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t at = 0; at < text.size(); at += 2) {
    const std::size_t high = value(at);
    const std::size_t low = value(at + 1);
    if (high == std::string_view::npos || low == std::string_view::npos)
      return std::nullopt;
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

} // namespace sluice::crypto
