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

} // namespace sluice::api
