#include "core/reconciliation.hpp"

#include "core/assertion.hpp"
#include "core/words.hpp"

#include <algorithm>

namespace sluice::core {

namespace {

using target = reconciliation_target;
using verdict = reconciliation_verdict;

constexpr words<reconciliation_targets> target_words{"ambiguous_submission", "overdue_callback",
                                                     "unmatched_event"};
constexpr words<reconciliation_verdicts> verdict_words{"known",   "matched", "not_found",
                                                       "several", "unread",  "unsupported"};
static_assert(word_of(target::unmatched_event, target_words) == "unmatched_event");
static_assert(word_of(verdict::unsupported, verdict_words) == "unsupported");

/// Whether the look has found what it was for.
bool is_found(target what, verdict said, const reconciliation_facts& facts) noexcept {
  switch (what) {
  case target::ambiguous_submission:
    return said == verdict::known;
  case target::overdue_callback:
    return facts.callback_came;
  default:
    return said == verdict::matched;
  }
}

} // namespace

std::string_view to_string(reconciliation_target what) noexcept {
  return word_of(what, target_words);
}

std::optional<reconciliation_target> parse_reconciliation_target(std::string_view text) noexcept {
  return value_of<target>(text, target_words);
}

std::string_view to_string(reconciliation_verdict said) noexcept {
  return word_of(said, verdict_words);
}

std::optional<reconciliation_verdict> parse_reconciliation_verdict(std::string_view text) noexcept {
  return value_of<verdict>(text, verdict_words);
}

std::optional<timestamp> reconciliation_schedule::next_look(timestamp since,
                                                            std::optional<timestamp> last_look) const {
  assert_that(std::ranges::is_sorted(looks), "looks come one after the other");
  const auto next =
      std::ranges::find_if(looks, [&](duration after) { return !last_look || since + after > *last_look; });
  return next == looks.end() ? std::nullopt : std::optional{since + *next};
}

reconciliation_step reconcile(reconciliation_target what, reconciliation_verdict said,
                              const reconciliation_facts& facts, const reconciliation_schedule& schedule) {
  if (is_found(what, said, facts))
    return {.proves_acceptance = what == target::ambiguous_submission};
  const bool hopeless = said == verdict::several || said == verdict::unsupported;
  const auto next = hopeless ? std::nullopt : schedule.next_look(facts.since, facts.now);
  return {.next_look = next, .needs_person = !next && what == target::ambiguous_submission};
}

} // namespace sluice::core
