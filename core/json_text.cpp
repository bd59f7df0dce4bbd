#include "core/payload.hpp"

#include <array>
#include <cstring>

namespace sluice::core {
namespace {

constexpr std::uint64_t in_every_byte(unsigned char byte) noexcept {
  return 0x0101010101010101U * byte;
}

/// Whether one of eight bytes is zero.
constexpr bool has_zero(std::uint64_t bytes) noexcept {
  return ((bytes - in_every_byte(0x01)) & ~bytes & in_every_byte(0x80)) != 0;
}

constexpr bool needs_escape(unsigned char c) noexcept {
  return c < 0x20 || c == '"' || c == '\\';
}

/// How many characters at the front need no escape; eight at a time where possible.
std::size_t plain_run(std::string_view text) noexcept {
  std::size_t count = 0;
  while (text.size() - count >= sizeof(std::uint64_t)) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + count, sizeof bytes);
    const bool control = ((bytes - in_every_byte(0x20)) & ~bytes & in_every_byte(0x80)) != 0;
    if (control || has_zero(bytes ^ in_every_byte('"')) || has_zero(bytes ^ in_every_byte('\\'))) {
      break;
    }
    count += sizeof bytes;
  }
  while (count < text.size() && !needs_escape(static_cast<unsigned char>(text[count]))) {
    ++count;
  }
  return count;
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view hex = "0123456789abcdef";
  switch (c) {
  case '"':
    out += "\\\"";
    break;
  case '\\':
    out += "\\\\";
    break;
  case '\b':
    out += "\\b";
    break;
  case '\f':
    out += "\\f";
    break;
  case '\n':
    out += "\\n";
    break;
  case '\r':
    out += "\\r";
    break;
  case '\t':
    out += "\\t";
    break;
  default:
    out += "\\u00";
    out += hex[static_cast<unsigned char>(c) >> 4U];
    out += hex[static_cast<unsigned char>(c) & 0xFU];
  }
}

} // namespace

std::string_view to_string(value_kind kind) noexcept {
  constexpr std::array<std::string_view, 7> names{"absent", "null",  "boolean", "number",
                                                  "string", "array", "object"};
  return names[static_cast<std::size_t>(kind)];
}

void append_json(std::string& out, const value& v) {
  if (v.kind == value_kind::string) {
    append_json_string(out, v.text);
  } else if (v.kind == value_kind::absent) {
    out += "null";
  } else {
    out += v.text;
  }
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (;;) {
    const auto run = plain_run(text);
    out.append(text.substr(0, run));
    if (run == text.size()) {
      break;
    }
    append_escaped(out, text[run]);
    text.remove_prefix(run + 1);
  }
  out += '"';
}

} // namespace sluice::core
