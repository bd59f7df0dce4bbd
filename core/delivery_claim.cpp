#include "core/delivery_claim.hpp"

#include "core/assertion.hpp"

#include <utility>

namespace sluice::core {

namespace {

bool is_open(delivery_state state) noexcept {
  return state == delivery_state::pending || state == delivery_state::retrying;
}

std::unexpected<transition_refusal> refuse(refusal_kind kind, std::string sentence) {
  return std::unexpected{transition_refusal{kind, std::move(sentence)}};
}

} // namespace

void assert_consistent(const delivery_progress& progress) noexcept {
  const bool open = is_open(progress.state);
  assert_that(open || (!progress.claim && !progress.due_at),
              "only a pending or retrying delivery is due or claimed");
  assert_that(!progress.claim || !progress.due_at, "a claimed delivery is not due");
  assert_that(!progress.claim || progress.claim->number == progress.attempts,
              "a claim is of the delivery's last attempt");
  assert_that(progress.round_attempts >= 0 && progress.round_attempts <= progress.attempts,
              "a round has no more attempts than the delivery");
}

std::expected<delivery_progress, transition_refusal> claim_attempt(const delivery_progress& progress,
                                                                   timestamp now, duration lease) {
  assert_consistent(progress);
  assert_that(lease > duration::zero(), "an attempt's lease lasts");
  if (!is_open(progress.state))
    return refuse(refusal_kind::guard_unmet,
                  "a delivery that is " + std::string{to_string(progress.state)} + " is not sent");
  if (progress.claim)
    return refuse(refusal_kind::guard_unmet, "attempt " + std::to_string(progress.claim->number)
                                                 + " is on its way, with a lease until "
                                                 + to_rfc3339(progress.claim->lease_until));
  if (!progress.due_at || now < *progress.due_at)
    return refuse(refusal_kind::guard_unmet, progress.due_at
                                                 ? "the delivery is due at " + to_rfc3339(*progress.due_at)
                                                 : std::string{"the delivery is not to be pushed"});
  auto claimed = progress;
  ++claimed.attempts;
  ++claimed.round_attempts;
  claimed.claim = attempt_claim{claimed.attempts, now + lease};
  claimed.due_at.reset();
  return claimed;
}

std::expected<delivery_progress, transition_refusal>
give_back_attempt(const delivery_progress& progress, std::int64_t number, timestamp due_at) {
  assert_consistent(progress);
  if (!progress.claim || progress.claim->number != number)
    return refuse(refusal_kind::attempt_superseded,
                  "attempt " + std::to_string(number) + " is no longer the delivery's");
  auto given_back = progress;
  given_back.claim.reset();
  given_back.due_at = due_at;
  --given_back.attempts;
  --given_back.round_attempts;
  return given_back;
}

} // namespace sluice::core
