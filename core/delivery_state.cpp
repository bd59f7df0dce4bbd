#include "core/delivery_state.hpp"

#include "core/words.hpp"

namespace sluice::core {

namespace {

constexpr words<delivery_states> state_words{"pending", "delivered", "retrying",
                                             "failed",  "dead",      "skipped_filter"};
static_assert(state_words[static_cast<std::size_t>(delivery_state::skipped_filter)] == "skipped_filter");

constexpr words<5> ending_words{"acknowledged", "transient", "permanent", "gone", "interrupted"};
static_assert(ending_words[static_cast<std::size_t>(attempt_ending::interrupted)] == "interrupted");

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
