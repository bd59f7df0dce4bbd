#include "core/delivery_state.hpp"

#include <algorithm>
#include <array>

namespace sluice::core {

namespace {

constexpr std::array<std::string_view, delivery_states> state_words{"pending", "delivered", "retrying",
                                                                    "failed",  "dead",      "skipped_filter"};
static_assert(state_words[static_cast<std::size_t>(delivery_state::skipped_filter)] == "skipped_filter");

constexpr std::array<std::string_view, 5> ending_words{"acknowledged", "transient", "permanent", "gone",
                                                       "interrupted"};
static_assert(ending_words[static_cast<std::size_t>(attempt_ending::interrupted)] == "interrupted");

/// Where a word stands in its table, as the enumerator.
template <class Enum, std::size_t Count>
std::optional<Enum> value_of(std::string_view text,
                             const std::array<std::string_view, Count>& words) noexcept {
  const auto found = std::ranges::find(words, text);
  if (found == words.end())
    return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

template <class Enum, std::size_t Count>
std::string_view word_of(Enum value, const std::array<std::string_view, Count>& words) noexcept {
  const auto index = static_cast<std::size_t>(value);
  return index < Count ? words[index] : std::string_view{"unknown"};
}

} // namespace

std::string_view to_string(delivery_state state) noexcept {
  return word_of(state, state_words);
}

std::optional<delivery_state> parse_delivery_state(std::string_view text) noexcept {
  return value_of<delivery_state>(text, state_words);
}

std::string_view to_string(attempt_ending ending) noexcept {
  return word_of(ending, ending_words);
}

std::optional<attempt_ending> parse_attempt_ending(std::string_view text) noexcept {
  return value_of<attempt_ending>(text, ending_words);
}

} // namespace sluice::core
