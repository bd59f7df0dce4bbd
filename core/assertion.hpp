#pragma once

#include <source_location>

namespace sluice::core {

/// Prints the sentence and where it was asserted, and ends the program.
[[noreturn]] void assertion_failed(const char* sentence, const std::source_location& where) noexcept;

/// For programmer errors alone, in every build: what the sentence says holds, or the program ends before it
/// writes something wrong. `sentence` says what was expected.
inline void assert_that(bool holds, const char* sentence,
                        const std::source_location& where = std::source_location::current()) noexcept {
  if (!holds) [[unlikely]]
    assertion_failed(sentence, where);
}

} // namespace sluice::core
