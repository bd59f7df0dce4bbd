#include "core/notification_progress.hpp"
#include "tests/core/notification_fixture.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;
using enum notification_state;
using enum notification_transition;
using namespace std::chrono_literals;
using closing = attempt_closing;
using attempt_state = notification_attempt_state;

TEST_CASE("Begin: a notification is due at once, and one that expires sooner is found expired") {
  const auto made = begin_notification({}, notification_now);
  CHECK(made.state == queued);
  CHECK(made.due_at == notification_now);
  CHECK(made.attempts == 0);
  const notification_terms late{.expires_at = notification_now - 1s};
  CHECK(begin_notification(late, notification_now).due_at == notification_now - 1s);
}

TEST_CASE("Claim an attempt: it has its number, its row and its lease before the call") {
  const auto step = step_of(notification_in(queued, 0), claim_attempt, by_notifier());
  CHECK(step.left == queued);
  CHECK(step.now.state == dispatching);
  CHECK(step.now.attempts == 1);
  CHECK(step.now.place_attempts == 1);
  CHECK(step.now.claim == attempt_claim{1, notification_now + 1min});
  CHECK_FALSE(step.now.due_at);
  CHECK(step.effects == notification_effects{.opens_attempt = 1, .wakes_at = notification_now + 1min});

  CHECK(refusal_of(notification_in(queued), claim_attempt, by_notifier(notification_now - 1us)).kind
        == refusal_kind::guard_unmet);
  const notification_terms expiring{.expires_at = notification_now};
  CHECK(refusal_of(notification_in(queued), claim_attempt, by_notifier(), expiring).sentence
        == "the notification expired at 2026-01-01T00:00:00.000000Z");
}

TEST_CASE("Give back an attempt: what was never made has no number and no row, and counts nowhere") {
  auto facts = by_notifier();
  facts.attempt = 3;
  facts.due_at = notification_now + 5s;
  const auto step = step_of(notification_in(dispatching, 3), give_back_attempt, facts);
  CHECK(step.now.state == queued);
  CHECK(step.now.attempts == 2);
  CHECK(step.now.place_attempts == 2);
  CHECK_FALSE(step.now.claim);
  CHECK(step.now.due_at == notification_now + 5s);
  CHECK(step.effects == notification_effects{.drops_attempt = 3, .wakes_at = notification_now + 5s});

  facts.attempt = 2;
  CHECK(refusal_of(notification_in(dispatching, 3), give_back_attempt, facts).kind
        == refusal_kind::attempt_superseded);
}

TEST_CASE("Record acceptance: the errors before it are cleared, and nothing is said of delivery") {
  auto before = notification_in(dispatching, 2);
  before.error_class = "http_503";
  before.error = "the provider answered 503";
  const auto step = step_of(before, record_acceptance, by_notifier(accepted_end(2)));
  CHECK(step.now.state == accepted);
  CHECK_FALSE(step.now.claim);
  CHECK(step.now.error_class.empty());
  CHECK(step.now.error.empty());
  CHECK(step.effects == notification_effects{.closes_attempt = closing{2, attempt_state::accepted}});
}

TEST_CASE("Record rejection: a refused recipient or message ends it, whatever profiles are left") {
  for (const auto cause : {rejection_cause::recipient, rejection_cause::message}) {
    const auto step =
        step_of(notification_in(dispatching), record_rejection, by_notifier(rejected_end(cause)));
    CHECK(step.now.state == rejected);
    CHECK(step.now.error_class == "http_400");
    CHECK(step.effects == notification_effects{.closes_attempt = closing{1, attempt_state::rejected}});
    CHECK(refusal_of(notification_in(dispatching), fall_back, by_notifier(rejected_end(cause))).kind
          == refusal_kind::guard_unmet);
  }
  const auto of_provider = by_notifier(rejected_end(rejection_cause::provider));
  CHECK(step_of(at_last_place(notification_in(dispatching)), record_rejection, of_provider).now.state
        == rejected);
  CHECK(refusal_of(notification_in(dispatching), record_rejection, of_provider).kind
        == refusal_kind::guard_unmet);
}

TEST_CASE("Record rejection: the provider's word for a dead address suppresses the contact point") {
  auto end = rejected_end(rejection_cause::recipient);
  end.what.retires = suppression_reason::retired_token;
  const auto step = step_of(notification_in(dispatching), record_rejection, by_notifier(end));
  CHECK(step.effects
        == notification_effects{.closes_attempt = closing{1, attempt_state::rejected},
                                .suppresses = suppression_reason::retired_token});
}

TEST_CASE("Record ambiguity: nothing goes on by itself, and reconciliation has a target") {
  const auto step = step_of(notification_in(dispatching), record_ambiguity, by_notifier(ambiguous_end()));
  CHECK(step.now.state == ambiguous);
  CHECK_FALSE(step.now.due_at);
  CHECK(step.now.error_class == "timed_out");
  CHECK(step.effects
        == notification_effects{.closes_attempt = closing{1, attempt_state::ambiguous}, .reconciles = true});
  for (const auto other : {schedule_retry, fall_back, exhaust_route, record_rejection})
    CHECK(refusal_of(notification_in(dispatching), other, by_notifier(ambiguous_end())).kind
          == refusal_kind::guard_unmet);
}

TEST_CASE("Schedule a retry: the same profile is due again when the schedule says, or the expiry if sooner") {
  const auto step = step_of(notification_in(dispatching), schedule_retry, by_notifier(retryable_end()));
  CHECK(step.now.state == queued);
  CHECK(step.now.place == 0);
  CHECK(step.now.place_attempts == 1);
  CHECK(step.now.due_at == notification_now + 1min);
  CHECK(step.now.error == "the provider answered 503");
  CHECK(step.effects
        == notification_effects{.closes_attempt = closing{1, attempt_state::retryable},
                                .wakes_at = notification_now + 1min});
  const notification_terms soon{.route_length = 2, .expires_at = notification_now + 30s};
  CHECK(step_of(notification_in(dispatching), schedule_retry, by_notifier(retryable_end()), soon).now.due_at
        == notification_now + 30s);
}

TEST_CASE("Fall back: the next profile is due at once after a provider's rejection or the last retry") {
  for (const auto& end : {rejected_end(rejection_cause::provider, 3), retryable_end(true, 3)}) {
    const auto step = step_of(notification_in(dispatching, 3), fall_back, by_notifier(end));
    CHECK(step.now.state == queued);
    CHECK(step.now.place == 1);
    CHECK(step.now.attempts == 3);
    CHECK(step.now.place_attempts == 0);
    CHECK(step.now.due_at == notification_now);
    CHECK(step.effects.closes_attempt->number == 3);
    CHECK(step.effects.wakes_at == notification_now);
    CHECK(refusal_of(at_last_place(notification_in(dispatching, 3)), fall_back, by_notifier(end)).kind
          == refusal_kind::guard_unmet);
  }
  CHECK(refusal_of(notification_in(dispatching), fall_back, by_notifier(retryable_end())).kind
        == refusal_kind::guard_unmet);
}

TEST_CASE("Exhaust the route: the last profile's last retry fails the notification with its error") {
  const auto step = step_of(at_last_place(notification_in(dispatching, 5)), exhaust_route,
                            by_notifier(retryable_end(true, 5)));
  CHECK(step.now.state == failed);
  CHECK(step.now.error_class == "http_503");
  CHECK(step.effects == notification_effects{.closes_attempt = closing{5, attempt_state::retryable}});
  CHECK(refusal_of(notification_in(dispatching), exhaust_route, by_notifier(retryable_end(true))).kind
        == refusal_kind::guard_unmet);
}

TEST_CASE(
    "Record ambiguity: what was sent again in doubt goes to no other provider when the retries are through") {
  auto last = retryable_end(true, 3);
  last.what.doubt = submission_doubt::this_one;
  auto at = notification_in(dispatching, 3);
  CHECK(transition_of(at, two_profiles, last) == record_ambiguity);
  const auto step = step_of(at, record_ambiguity, by_notifier(last));
  CHECK(step.now.state == ambiguous);
  CHECK(step.effects
        == notification_effects{.closes_attempt = closing{3, attempt_state::ambiguous}, .reconciles = true});

  last.what.doubt = submission_doubt::earlier;
  at.place_attempts = 3;
  CHECK(transition_of(at, two_profiles, last) == record_ambiguity);
  at.place_attempts = 1;
  CHECK(transition_of(at, two_profiles, last) == fall_back);
}

TEST_CASE(
    "Record rejection: what was sent again in doubt goes to no other provider when it is refused at last") {
  auto refused = rejected_end(rejection_cause::provider, 2);
  refused.what.doubt = submission_doubt::earlier;
  auto at = notification_in(dispatching, 2);
  at.place_attempts = 2;
  CHECK(transition_of(at, two_profiles, refused) == record_rejection);
  at.place_attempts = 1;
  CHECK(transition_of(at, two_profiles, refused) == fall_back);
}

TEST_CASE("Lapse the lease: an attempt without an answer is ambiguous, never sent again by itself") {
  for (const auto who : {notification_cause::notifier, notification_cause::reconciler}) {
    auto facts = by_reconciler(notification_now + notification_lease);
    facts.by = who;
    const auto step = step_of(notification_in(dispatching, 2), lapse_lease, facts);
    CHECK(step.now.state == ambiguous);
    CHECK(step.now.error_class == "lease_lapsed");
    CHECK(
        step.effects
        == notification_effects{.closes_attempt = closing{2, attempt_state::ambiguous}, .reconciles = true});
  }
  CHECK(refusal_of(notification_in(dispatching), lapse_lease,
                   by_reconciler(notification_now + notification_lease - 1us))
            .kind
        == refusal_kind::guard_unmet);
}

TEST_CASE("Settle as accepted: by reconciliation, a person or the answer that came late") {
  const auto known = settled_by(notification_cause::reconciler, settlement_kind::accepted);
  CHECK(step_of(notification_in(ambiguous), settle_as_accepted, known).effects
        == notification_effects{.closes_attempt = closing{1, attempt_state::accepted}});
  const auto said = settled_by(notification_cause::person, settlement_kind::accepted);
  const auto step = step_of(notification_in(ambiguous), settle_as_accepted, said);
  CHECK(step.now.state == accepted);
  CHECK(step.now.error_class.empty());
  CHECK(step.effects.audits_request);
  CHECK(step_of(notification_in(ambiguous), settle_as_accepted, by_notifier(accepted_end())).now.state
        == accepted);
  CHECK(refusal_of(notification_in(ambiguous), settle_as_accepted, by_notifier(retryable_end())).kind
        == refusal_kind::guard_unmet);
  CHECK(refusal_of(notification_in(ambiguous, 2), settle_as_accepted, said).kind
        == refusal_kind::attempt_superseded);
}

TEST_CASE("Settle as not sent: it is due again at the same place, under the next number") {
  const auto said = settled_by(notification_cause::person, settlement_kind::not_sent);
  const auto step = step_of(notification_in(ambiguous), settle_as_not_sent, said);
  CHECK(step.now.state == queued);
  CHECK(step.now.place == 0);
  CHECK(step.now.attempts == 1);
  CHECK(step.now.due_at == notification_now);
  CHECK(step.effects
        == notification_effects{.closes_attempt = closing{1, attempt_state::retryable},
                                .wakes_at = notification_now,
                                .audits_request = true});
  CHECK(step_of(step.now, claim_attempt, by_notifier()).now.claim->number == 2);
  const notification_terms over{.route_length = 2, .expires_at = notification_now - 1s};
  const auto late = step_of(notification_in(ambiguous), settle_as_not_sent, said, over);
  CHECK(step_of(late.now, expire, by_notifier(), over).now.state == expired);
  CHECK(refusal_of(notification_in(ambiguous), settle_as_accepted, said).kind == refusal_kind::guard_unmet);
}

TEST_CASE("Settle as not sent: a late answer that it was not taken says so, a late doubt says nothing") {
  for (const auto& end : {rejected_end(rejection_cause::recipient), retryable_end(), retryable_end(true)})
    CHECK(step_of(notification_in(ambiguous), settle_as_not_sent, by_notifier(end)).now.state == queued);
  CHECK_FALSE(transition_of(notification_in(ambiguous), two_profiles, ambiguous_end()));
  CHECK(refusal_of(notification_in(ambiguous), settle_as_not_sent, by_notifier(ambiguous_end())).kind
        == refusal_kind::guard_unmet);
}

TEST_CASE("Prove by an event: a genuine event of the last attempt shows that it was taken") {
  const auto step = step_of(notification_in(ambiguous, 2), prove_by_event, by_event(2));
  CHECK(step.now.state == accepted);
  CHECK(step.effects == notification_effects{.closes_attempt = closing{2, attempt_state::accepted}});
  CHECK(refusal_of(notification_in(ambiguous, 2), prove_by_event, by_event(1)).kind
        == refusal_kind::attempt_superseded);
}

TEST_CASE("Expire: what is still queued at its expiry is sent no more") {
  const notification_terms expiring{.expires_at = notification_now};
  const auto step = step_of(notification_in(queued), expire, by_notifier(), expiring);
  CHECK(step.now.state == expired);
  CHECK_FALSE(step.now.due_at);
  CHECK(step.effects == notification_effects{});
  CHECK(refusal_of(notification_in(queued), expire, by_notifier(notification_now - 1us), expiring).kind
        == refusal_kind::guard_unmet);
  CHECK(refusal_of(notification_in(queued), expire, by_notifier()).kind == refusal_kind::guard_unmet);
}

TEST_CASE("Cancel: a person withdraws what is queued, and nothing that may be with a provider") {
  const auto step = step_of(notification_in(queued), cancel, by_person());
  CHECK(step.now.state == cancelled);
  CHECK(step.effects == notification_effects{.audits_request = true});
  CHECK(refusal_of(notification_in(dispatching), cancel, by_person()).sentence
        == "a notification that is dispatching does not become cancelled: its attempt may be with the "
           "provider already");
}

TEST_CASE("Refuse a suppressed contact point: failed with the reason, and no attempt is made") {
  auto facts = by_notifier();
  facts.suppressed = suppression_reason::hard_bounce;
  const auto step = step_of(notification_in(queued, 0), refuse_suppressed, facts);
  CHECK(step.now.state == failed);
  CHECK(step.now.attempts == 0);
  CHECK(step.now.error_class == "contact_suppressed");
  CHECK(step.now.error == "the contact point is suppressed: hard_bounce");
  CHECK(step.effects == notification_effects{});
  CHECK(refusal_of(notification_in(queued), refuse_suppressed, by_notifier()).kind
        == refusal_kind::guard_unmet);
}

TEST_CASE("Refuse a contact point that was removed: failed, for it has no address any more") {
  auto facts = by_notifier();
  facts.contact_removed = true;
  const auto step = step_of(notification_in(queued, 2), refuse_suppressed, facts);
  CHECK(step.now.state == failed);
  CHECK(step.now.attempts == 2);
  CHECK(step.now.error_class == "contact_removed");
  CHECK(step.now.error == "the contact point was removed");
  CHECK_FALSE(step.now.due_at);
}
