#include "providers/mail_headers.hpp"

#include "core/date_format.hpp"
#include "crypto/encoding.hpp"
#include "providers/visible_text.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

constexpr std::size_t line_bytes_max = 76; // RFC 2047 section 2, of a line that has an encoded word
constexpr std::string_view word_begin = "=?utf-8?B?";
constexpr std::string_view word_end = "?=";
constexpr std::size_t word_bytes_max = 75;

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; })
         && text.find("=?") == std::string_view::npos && !text.starts_with(' ') && !text.ends_with(' ');
}

/// The longest beginning of whole characters within so many bytes; at least one character.
std::string_view beginning(std::string_view text, std::size_t bytes_max) {
  std::size_t taken = 0;
  while (taken < text.size()) {
    const auto length = std::max<std::size_t>(utf8_sequence_length(text.substr(taken)), 1);
    if (taken != 0 && taken + length > bytes_max)
      break;
    taken += length;
  }
  return text.substr(0, taken);
}

/// Encoded words behind `used` bytes of a line.
std::string encoded_words(std::string_view text, std::size_t used) {
  std::string out;
  while (!text.empty()) {
    const auto room = std::min(word_bytes_max, line_bytes_max - std::min(used, line_bytes_max - 20));
    const auto piece = beginning(text, (room - word_begin.size() - word_end.size()) / 4 * 3);
    out.append(out.empty() ? "" : "\r\n ").append(word_begin).append(crypto::to_base64(piece));
    out.append(word_end);
    text.remove_prefix(piece.size());
    used = 1;
  }
  return out;
}

std::string quoted_string(std::string_view text) {
  std::string out{"\""};
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + '"';
}

} // namespace

bool is_one_line(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto length = utf8_sequence_length(text);
    if (length == 0 || is_control(text.substr(0, length)))
      return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string text_header(std::string_view name, std::string_view text) {
  auto line = std::string{name} + ": ";
  const bool short_enough = line.size() + text.size() <= line_bytes_max;
  line += short_enough && is_plain(text) ? std::string{text} : encoded_words(text, line.size());
  return line;
}

std::string mailbox_header(std::string_view name, std::string_view display_name, std::string_view mailbox) {
  auto line = std::string{name} + ": ";
  if (display_name.empty())
    return line.append(mailbox);
  const bool short_enough = line.size() + display_name.size() + 2 <= line_bytes_max;
  line += short_enough && is_plain(display_name) ? quoted_string(display_name)
                                                 : encoded_words(display_name, line.size());
  return line.append("\r\n <").append(mailbox).append(">");
}

std::string date_header(core::timestamp at) {
  static const auto format = core::date_format::compile("%a, %d %b %Y %H:%M:%S +0000");
  std::string line{"Date: "};
  format->append(line, at);
  return line;
}

std::string with_mail_line_ends(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 32 + 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n')
      continue;
    if (text[i] == '\r' || text[i] == '\n')
      out += "\r\n";
    else
      out += text[i];
  }
  if (!out.empty() && !out.ends_with("\r\n"))
    out += "\r\n";
  return out;
}

} // namespace sluice::providers
