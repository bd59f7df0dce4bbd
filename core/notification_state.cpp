#include "core/notification_state.hpp"

#include "core/words.hpp"

namespace sluice::core {

namespace {

constexpr words<notification_states> state_words{"queued",    "dispatching", "accepted", "rejected",
                                                 "ambiguous", "failed",      "expired",  "cancelled"};
static_assert(word_of(notification_state::cancelled, state_words) == "cancelled");

constexpr words<notification_attempt_states> attempt_words{"dispatching", "accepted", "rejected", "retryable",
                                                           "ambiguous"};
static_assert(word_of(notification_attempt_state::ambiguous, attempt_words) == "ambiguous");

} // namespace

std::string_view to_string(notification_state state) noexcept {
  return word_of(state, state_words);
}

std::optional<notification_state> parse_notification_state(std::string_view text) noexcept {
  return value_of<notification_state>(text, state_words);
}

std::string_view to_string(notification_attempt_state state) noexcept {
  return word_of(state, attempt_words);
}

std::optional<notification_attempt_state> parse_notification_attempt_state(std::string_view text) noexcept {
  return value_of<notification_attempt_state>(text, attempt_words);
}

} // namespace sluice::core
