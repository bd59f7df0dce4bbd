#include "providers/visible_text.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

/// Long enough for any secret that starts within the quoted part to be seen whole.
constexpr std::size_t looked_at_max = 4096;

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

std::string without_secrets(std::string_view text, std::span<const std::string> secrets) {
  std::string out{text};
  for (const auto& secret : secrets) {
    if (secret.empty()) {
      continue;
    }
    for (auto at = out.find(secret); at != std::string::npos; at = out.find(secret, at + 3)) {
      out.replace(at, secret.size(), "***");
    }
  }
  return out;
}

} // namespace

std::size_t utf8_sequence_length(std::string_view text) noexcept {
  if (text.empty()) {
    return 0;
  }
  const unsigned first = byte_at(text, 0);
  if (first < 0x80U) {
    return 1;
  }
  const std::size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  if (first < 0xC2U || first > 0xF4U || text.size() < length) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80U) {
      return 0;
    }
  }
  const unsigned second = byte_at(text, 1);
  const bool overlong = (first == 0xE0U && second < 0xA0U) || (first == 0xF0U && second < 0x90U);
  const bool surrogate = first == 0xEDU && second >= 0xA0U;
  const bool beyond = first == 0xF4U && second >= 0x90U;
  return overlong || surrogate || beyond ? 0 : length;
}

bool is_control(std::string_view sequence) noexcept {
  if (sequence.size() == 1) {
    return byte_at(sequence, 0) < 0x20U || byte_at(sequence, 0) == 0x7FU;
  }
  if (sequence.size() == 2) {
    return byte_at(sequence, 0) == 0xC2U && byte_at(sequence, 1) < 0xA0U;
  }
  return sequence == "\u2028" || sequence == "\u2029";
}

std::string visible_text(std::string_view text, std::span<const std::string> secrets, std::size_t bytes_max) {
  const auto masked = without_secrets(text.substr(0, looked_at_max), secrets);
  std::string_view rest = masked;
  std::string out;
  while (!rest.empty()) {
    const auto length = utf8_sequence_length(rest);
    auto shown = length == 0 ? std::string_view{"?"} : rest.substr(0, length);
    if (is_control(shown)) {
      shown = " ";
    }
    rest.remove_prefix(std::max<std::size_t>(length, 1));
    if (shown == " " && (out.empty() || out.back() == ' ')) {
      continue;
    }
    if (out.size() + shown.size() > bytes_max) {
      return out + "…";
    }
    out += shown;
  }
  if (!out.empty() && out.back() == ' ') {
    out.pop_back();
  }
  return text.size() > looked_at_max ? out + "…" : out;
}

std::string plain_word(std::string_view text, std::size_t bytes_max) {
  const bool is_word = text.size() <= bytes_max && std::ranges::all_of(text, [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                                || c == '.' || c == '-' || c == '_' || c == ' ';
                       });
  return std::string{is_word ? text : std::string_view{}};
}

std::string shown_location(std::string_view location, std::span<const std::string> secrets) {
  location = location.substr(0, location.find_first_of("?#"));
  const auto authority = location.find("//");
  if (authority == std::string_view::npos) {
    return visible_text(location, secrets);
  }
  const auto start = authority + 2;
  const auto end = std::min(location.find('/', start), location.size());
  const auto user = location.substr(start, end - start).rfind('@');
  if (user == std::string_view::npos) {
    return visible_text(location, secrets);
  }
  return visible_text(std::string{location.substr(0, start)}.append(location.substr(start + user + 1)),
                      secrets);
}

} // namespace sluice::providers
