#pragma once

#include <catch2/catch.hpp>

#include <set>
#include <string>

namespace sluice::core {

/// Every enumerator up to `last` has a word of its own that reads back, and foreign text reads as nothing.
template <class Enum, class Parse>
void check_words(Enum last, Parse parse) {
  std::set<std::string> words;
  for (int value = 0; value <= static_cast<int>(last); ++value) {
    const auto word = to_string(static_cast<Enum>(value));
    CHECK(words.insert(std::string{word}).second);
    CHECK(parse(word) == static_cast<Enum>(value));
  }
  CHECK_FALSE(parse(""));
  CHECK_FALSE(parse("unknown"));
  CHECK_FALSE(parse(std::string{to_string(last)} + " "));
}

} // namespace sluice::core
