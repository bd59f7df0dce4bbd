#include "core/callback_outcome.hpp"

#include "core/words.hpp"

namespace sluice::core {

namespace {

constexpr words<callback_outcomes> outcome_words{"recorded", "refused", "no_profile",
                                                 "crowded",  "late",    "unrecorded"};
static_assert(word_of(callback_outcome::unrecorded, outcome_words) == "unrecorded");

} // namespace

std::string_view to_string(callback_outcome outcome) noexcept {
  return word_of(outcome, outcome_words);
}

} // namespace sluice::core
