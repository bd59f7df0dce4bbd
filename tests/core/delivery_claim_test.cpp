#include "core/delivery_claim.hpp"
#include "tests/core/delivery_progress_fixture.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;
using enum delivery_state;
using enum delivery_transition;
using namespace std::chrono_literals;

TEST_CASE("a claim numbers the next attempt and gives it a lease, in the same state") {
  const auto claimed = claim_attempt(progress_in(pending), progress_now, progress_lease);
  REQUIRE(claimed);
  CHECK(claimed->state == pending);
  CHECK(claimed->attempts == 1);
  CHECK(claimed->round_attempts == 1);
  CHECK(claimed->claim == attempt_claim{1, progress_now + progress_lease});
  CHECK_FALSE(claimed->due_at);
}

TEST_CASE("only a delivery that is due and has no attempt on its way is claimed") {
  CHECK_FALSE(claim_attempt(progress_in(pending, 1), progress_now, progress_lease)); // claimed
  auto later = progress_in(pending);
  later.due_at = progress_now + 1us;
  CHECK_FALSE(claim_attempt(later, progress_now, progress_lease));
  CHECK(claim_attempt(later, progress_now + 1us, progress_lease));
  auto pulled = progress_in(pending);
  pulled.due_at.reset();
  CHECK_FALSE(claim_attempt(pulled, progress_now, progress_lease));
  for (const auto state : {delivered, failed, dead, skipped_filter}) {
    const auto refused = claim_attempt(progress_in(state), progress_now, progress_lease);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().sentence.find(to_string(state)) != std::string::npos);
  }
}

TEST_CASE("a claim whose lease lapsed is closed as interrupted, and the attempt counts") {
  const auto end = failed_attempt(1, attempt_ending::interrupted);
  auto facts = by_worker(end);
  CHECK(refusal_of(progress_in(pending, 1), defer_unsuccessful_push, facts).kind
        == refusal_kind::guard_unmet); // the lease holds

  facts.now = progress_now + progress_lease;
  const auto step = step_of(progress_in(pending, 1), defer_unsuccessful_push, facts);
  CHECK(step.now.state == retrying);
  CHECK(step.now.round_attempts == 1);
  CHECK(step.effects.closes_attempt == 1);

  auto last = by_worker(failed_attempt(6, attempt_ending::interrupted, true));
  last.now = facts.now;
  CHECK(step_of(progress_in(retrying, 6), end_delivery_retries, last).now.state == dead);
}

TEST_CASE("an answer that comes after the lease counts as long as nobody has closed its attempt") {
  auto late = by_worker(acknowledged(1));
  late.now = progress_now + progress_lease + 1h;
  CHECK(step_of(progress_in(pending, 1), acknowledge_initial_push, late).now.state == delivered);

  auto lapsed = by_worker(failed_attempt(1, attempt_ending::interrupted));
  lapsed.now = late.now;
  const auto closed = step_of(progress_in(pending, 1), defer_unsuccessful_push, lapsed);
  CHECK(refusal_of(closed.now, acknowledge_later_push, late).kind == refusal_kind::attempt_superseded);
}

TEST_CASE("an attempt that was held back before its call leaves no trace in the counts") {
  const auto given_back = give_back_attempt(progress_in(retrying, 3), 3, progress_now + 5s);
  REQUIRE(given_back);
  CHECK(given_back->state == retrying);
  CHECK(given_back->attempts == 2);
  CHECK(given_back->round_attempts == 2);
  CHECK(given_back->due_at == progress_now + 5s);
  const auto claimed = claim_attempt(*given_back, progress_now + 5s, progress_lease);
  REQUIRE(claimed);
  CHECK(claimed->claim->number == 3);

  const auto refused = give_back_attempt(progress_in(retrying, 3), 2, progress_now);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == refusal_kind::attempt_superseded);
}

TEST_CASE("numbers of attempts grow by one through failures, restarts and deliveries") {
  auto progress = progress_in(pending);
  for (std::int64_t number = 1; number <= 12; ++number) {
    const auto claimed = claim_attempt(progress, *progress.due_at, progress_lease);
    REQUIRE(claimed);
    REQUIRE(claimed->claim->number == number);
    CHECK(claimed->round_attempts == (number - 1) % 6 + 1);
    const auto end = failed_attempt(number, attempt_ending::transient, number % 6 == 0);
    progress = step_of(*claimed, transition_of(claimed->state, end), by_worker(end)).now;
    if (number % 6 == 0) {
      CHECK(progress.state == dead);
      progress = step_of(progress, restart_dead_delivery, by_operator()).now;
    }
  }
}
