#pragma once

#include "providers/visible_text.hpp"

#include <cstdlib>
#include <string_view>

namespace sluice::tests {

/// A promise that does not hold ends the program, which is how a fuzzer hears of it.
inline void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

/// UTF-8 without control characters: fit for a person's eyes.
[[nodiscard]] inline bool is_clean(std::string_view text) {
  while (!text.empty()) {
    const auto length = providers::utf8_sequence_length(text);
    if (length == 0 || providers::is_control(text.substr(0, length))) {
      return false;
    }
    text.remove_prefix(length);
  }
  return true;
}

} // namespace sluice::tests
