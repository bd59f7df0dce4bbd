#include "core/delivery_progress.hpp"
#include "tests/core/delivery_progress_fixture.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;
using enum delivery_state;
using enum delivery_transition;
using namespace std::chrono_literals;

TEST_CASE("Acknowledge initial push: the answer is saved, and one success ends the dead count") {
  const auto step = step_of(progress_in(pending, 1), acknowledge_initial_push, by_worker(acknowledged(1)));
  CHECK(step.left == pending);
  CHECK(step.now.state == delivered);
  CHECK_FALSE(step.now.claim);
  CHECK_FALSE(step.now.due_at);
  CHECK(step.now.attempts == 1);
  CHECK(step.effects == transition_effects{.closes_attempt = 1, .resets_dead_count = true});

  CHECK(refusal_of(progress_in(pending, 1), acknowledge_initial_push, by_worker(failed_attempt(1))).kind
        == refusal_kind::guard_unmet);
  CHECK(refusal_of(progress_in(retrying, 2), acknowledge_initial_push, by_worker(acknowledged(2))).kind
        == refusal_kind::no_such_step);
}

TEST_CASE("Defer unsuccessful push: the next attempt is due when the schedule says, with the error kept") {
  const auto step = step_of(progress_in(pending, 1), defer_unsuccessful_push, by_worker(failed_attempt(1)));
  CHECK(step.now.state == retrying);
  CHECK(step.now.due_at == progress_now + 1min);
  CHECK(step.now.error_class == "http_503");
  CHECK(step.now.error == "the subscriber answered 503");
  CHECK_FALSE(step.now.claim);
  CHECK(step.effects == transition_effects{.closes_attempt = 1, .dispatches_at = progress_now + 1min});

  for (const auto ending : {attempt_ending::permanent, attempt_ending::gone, attempt_ending::acknowledged})
    CHECK(refusal_of(progress_in(pending, 1), defer_unsuccessful_push, by_worker(failed_attempt(1, ending)))
              .kind
          == refusal_kind::guard_unmet);
}

TEST_CASE("Acknowledge a later push: the errors before it are cleared") {
  auto before = progress_in(retrying, 3);
  before.error_class = "http_503";
  before.error = "the subscriber answered 503";
  const auto step = step_of(before, acknowledge_later_push, by_worker(acknowledged(3)));
  CHECK(step.left == retrying);
  CHECK(step.now.state == delivered);
  CHECK(step.now.error_class.empty());
  CHECK(step.now.error.empty());
  CHECK(step.effects == transition_effects{.closes_attempt = 3, .resets_dead_count = true});
}

TEST_CASE("End delivery retries: after the last attempt or one that failed for good, it counts as dead") {
  const auto last = step_of(progress_in(retrying, 6), end_delivery_retries,
                            by_worker(failed_attempt(6, attempt_ending::transient, true)));
  CHECK(last.now.state == dead);
  CHECK(last.now.error_class == "http_503");
  CHECK_FALSE(last.now.due_at);
  CHECK(last.effects == transition_effects{.closes_attempt = 6, .counts_dead = true});

  const auto for_good = step_of(progress_in(retrying, 2), end_delivery_retries,
                                by_worker(failed_attempt(2, attempt_ending::permanent)));
  CHECK(for_good.now.state == dead);
  CHECK(refusal_of(progress_in(retrying, 2), end_delivery_retries, by_worker(failed_attempt(2))).kind
        == refusal_kind::guard_unmet);
}

TEST_CASE("Advance a pull cursor: what it covers is delivered, and only by the adapter") {
  auto waiting = progress_in(pending);
  waiting.due_at.reset();
  const auto step = step_of(waiting, advance_pull_cursor, by_adapter());
  CHECK(step.now.state == delivered);
  CHECK(step.effects == transition_effects{});

  CHECK(refusal_of(waiting, advance_pull_cursor, by_adapter(false)).kind == refusal_kind::guard_unmet);
  CHECK(refusal_of(waiting, advance_pull_cursor, by_operator()).kind == refusal_kind::wrong_cause);
}

TEST_CASE("Restart dead delivery: the round begins anew, the attempts' numbers do not") {
  auto before = progress_in(dead, 6);
  before.error_class = "http_503";
  before.error = "the subscriber answered 503";
  const auto step = step_of(before, restart_dead_delivery, by_operator());
  CHECK(step.now.state == pending);
  CHECK(step.now.attempts == 6);
  CHECK(step.now.round_attempts == 0);
  CHECK(step.now.error_class.empty());
  CHECK(step.now.error.empty());
  CHECK(step.now.due_at == progress_now);
  CHECK(step.effects == transition_effects{.dispatches_at = progress_now, .audits_request = true});
  CHECK(refusal_of(before, restart_dead_delivery, by_operator(operator_request::none)).kind
        == refusal_kind::guard_unmet);
}

TEST_CASE("Restart failed delivery: an operator's request queues it again") {
  const auto step = step_of(progress_in(failed, 2), restart_failed_delivery, by_operator());
  CHECK(step.now.state == pending);
  CHECK(step.now.attempts == 2);
  CHECK(step.now.round_attempts == 0);
  CHECK(step.now.due_at == progress_now);
  CHECK(refusal_of(progress_in(failed, 2), restart_failed_delivery, by_loss()).kind
        == refusal_kind::wrong_cause);
}

TEST_CASE("Schedule a further delivery attempt: a retrying delivery stays so until the ceiling") {
  const auto step = step_of(progress_in(retrying, 5), schedule_further_attempt, by_worker(failed_attempt(5)));
  CHECK(step.left == retrying);
  CHECK(step.now.state == retrying);
  CHECK(step.now.due_at == progress_now + 1min);
  CHECK(step.effects == transition_effects{.closes_attempt = 5, .dispatches_at = progress_now + 1min});
  CHECK(refusal_of(progress_in(retrying, 6), schedule_further_attempt,
                   by_worker(failed_attempt(6, attempt_ending::transient, true)))
            .kind
        == refusal_kind::guard_unmet);
}

TEST_CASE("Fail permanently on the first attempt: dead at once, and gone disables the subscription too") {
  const auto step = step_of(progress_in(pending, 1), fail_permanently_on_first_attempt,
                            by_worker(failed_attempt(1, attempt_ending::permanent)));
  CHECK(step.now.state == dead);
  CHECK(step.effects == transition_effects{.closes_attempt = 1, .counts_dead = true});

  const auto gone = step_of(progress_in(pending, 1), fail_permanently_on_first_attempt,
                            by_worker(failed_attempt(1, attempt_ending::gone)));
  CHECK(gone.now.state == dead);
  CHECK(gone.effects
        == transition_effects{.closes_attempt = 1, .counts_dead = true, .disables_subscription = true});

  // A schedule without waits: the first failure is the last.
  CHECK(step_of(progress_in(pending, 1), fail_permanently_on_first_attempt,
                by_worker(failed_attempt(1, attempt_ending::transient, true)))
            .now.state
        == dead);
}

TEST_CASE("Refuse initial delivery after configuration loss: failed with what is gone, and no dead counted") {
  const auto step = step_of(progress_in(pending), refuse_initial_delivery, by_loss());
  CHECK(step.now.state == failed);
  CHECK(step.now.error_class == "configuration_lost");
  CHECK(step.now.error == "the subscription is gone");
  CHECK_FALSE(step.now.due_at);
  CHECK(step.effects == transition_effects{});
  CHECK(refusal_of(progress_in(pending), refuse_initial_delivery, by_loss("")).kind
        == refusal_kind::guard_unmet);
}

TEST_CASE("Refuse later delivery after configuration loss: an attempt on its way is no longer its own") {
  const auto step = step_of(progress_in(retrying, 2), refuse_later_delivery, by_loss());
  CHECK(step.now.state == failed);
  CHECK_FALSE(step.now.claim);
  CHECK(step.effects == transition_effects{});
}

TEST_CASE("Restart eligible delivery work: what was delivered is sent again, by a retry or a window replay") {
  for (const auto request : {operator_request::retry, operator_request::window_replay}) {
    const auto step = step_of(progress_in(delivered, 1), restart_delivered_work, by_operator(request));
    CHECK(step.now.state == pending);
    CHECK(step.now.attempts == 1);
    CHECK(step.now.round_attempts == 0);
    CHECK(step.effects == transition_effects{.dispatches_at = progress_now, .audits_request = true});
  }
}

TEST_CASE("Restart eligible delivery work: what retries is due at once, and its attempt is superseded") {
  const auto step = step_of(progress_in(retrying, 3), restart_retrying_work, by_operator());
  CHECK(step.now.state == pending);
  CHECK(step.now.attempts == 3);
  CHECK(step.now.round_attempts == 0);
  CHECK(step.now.due_at == progress_now);
  CHECK_FALSE(step.effects.closes_attempt);

  // The attempt that was on its way ends, before the next claim and after it.
  CHECK(refusal_of(step.now, acknowledge_initial_push, by_worker(acknowledged(3))).kind
        == refusal_kind::attempt_superseded);
  const auto claimed = claim_attempt(step.now, progress_now, progress_lease);
  REQUIRE(claimed);
  CHECK(claimed->claim->number == 4);
  CHECK(refusal_of(*claimed, defer_unsuccessful_push, by_worker(failed_attempt(3))).kind
        == refusal_kind::attempt_superseded);
}
