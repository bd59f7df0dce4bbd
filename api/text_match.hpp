#pragma once

#include <algorithm>
#include <string_view>

/// Text of HTTP whose case does not matter.
namespace sluice::api {

[[nodiscard]] constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

/// `word` is in lower case.
[[nodiscard]] constexpr bool begins_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size()
         && std::ranges::equal(text.substr(0, word.size()), word, {}, lower, lower);
}

/// Whether a Content-Type is `wanted`, whatever its parameters; `wanted` is in lower case.
[[nodiscard]] constexpr bool is_media_type(std::string_view content_type, std::string_view wanted) {
  if (!begins_with_word(content_type, wanted))
    return false;
  const auto rest = content_type.substr(wanted.size());
  return rest.empty() || rest.front() == ';' || rest.front() == ' ';
}

} // namespace sluice::api
