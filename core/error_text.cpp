#include "core/error_text.hpp"

#include <algorithm>

namespace sluice::core {

namespace {

[[nodiscard]] unsigned char byte_at(const std::string& text, std::size_t at) noexcept {
  return static_cast<unsigned char>(text[at]);
}

/// How many bytes the character at `at` has, 0 where none begins (RFC 3629 section 4: no overlong form, no
/// surrogate, nothing past U+10FFFF).
[[nodiscard]] std::size_t character_bytes(const std::string& text, std::size_t at) noexcept {
  const unsigned char lead = byte_at(text, at);
  if (lead < 0x80)
    return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() - at < length)
    return 0;
  const unsigned char least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned char most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (byte_at(text, at + 1) < least || byte_at(text, at + 1) > most)
    return 0;
  for (std::size_t next = at + 2; next < at + length; ++next)
    if ((byte_at(text, next) & 0xc0) != 0x80)
      return 0;
  return length;
}

} // namespace

std::string error_text(std::string text, std::size_t bytes_max) {
  std::size_t at = 0;
  while (at < text.size() && at < bytes_max) {
    std::size_t length = character_bytes(text, at);
    if (length == 0 || text[at] == '\0') {
      text[at] = '?';
      length = 1;
    }
    if (at + length > bytes_max)
      break;
    at += length;
  }
  text.resize(at);
  return text;
}

bool is_storable_text(std::string_view text) {
  return error_text(std::string{text}, text.size()) == text;
}

} // namespace sluice::core
