#include "core/notification_progress.hpp"
#include "tests/core/notification_fixture.hpp"

#include <catch2/catch.hpp>

#include <rapidcheck.h>
#include <set>
#include <utility>
#include <vector>

using namespace sluice::core;
using enum notification_state;
using enum notification_transition;
using namespace std::chrono_literals;

namespace {

notification_state state_at(std::size_t index) {
  return static_cast<notification_state>(index);
}

notification_transition transition_at(std::size_t index) {
  return static_cast<notification_transition>(index);
}

/// Facts that say everything at once of an attempt, as nobody really has them.
notification_facts facts_of_all(notification_cause by, std::int64_t number, submission_end end) {
  end.number = number;
  return {.by = by,
          .now = notification_now + 1h,
          .lease = notification_lease,
          .attempt = number,
          .due_at = notification_now + 1h,
          .ended = std::move(end),
          .settled = settlement{number, settlement_kind::not_sent},
          .suppressed = suppression_reason::complaint};
}

std::vector<submission_end> all_ends() {
  return {accepted_end(),
          rejected_end(rejection_cause::recipient),
          rejected_end(rejection_cause::message),
          rejected_end(rejection_cause::provider),
          retryable_end(),
          retryable_end(true),
          ambiguous_end()};
}

/// An attempt of which nobody knows the outcome is never followed by another by itself.
void check_ambiguity(notification_transition transition, const notification_step& step,
                     const notification_facts& facts) {
  if (step.left != ambiguous || step.now.state == accepted)
    return;
  RC_ASSERT(transition == settle_as_not_sent);
  const bool by_answer = facts.by == notification_cause::notifier
                         && facts.ended->what.kind != submission_kind::accepted
                         && facts.ended->what.kind != submission_kind::ambiguous;
  RC_ASSERT(by_answer || facts.settled->kind == settlement_kind::not_sent);
}

} // namespace

TEST_CASE("each pair of a notification's states without a transition is refused with a sentence for both") {
  const std::set<std::pair<notification_state, notification_state>> known{
      {queued, dispatching}, {queued, expired},       {queued, cancelled},     {queued, failed},
      {dispatching, queued}, {dispatching, accepted}, {dispatching, rejected}, {dispatching, ambiguous},
      {dispatching, failed}, {ambiguous, accepted},   {ambiguous, queued}};
  std::set<std::string> sentences;
  for (std::size_t from = 0; from < notification_states; ++from) {
    for (std::size_t to = 0; to < notification_states; ++to) {
      CAPTURE(to_string(state_at(from)), to_string(state_at(to)));
      const auto refused = refuse_step(state_at(from), state_at(to));
      REQUIRE(refused.has_value() != known.contains({state_at(from), state_at(to)}));
      if (!refused)
        continue;
      CHECK(refused->kind == refusal_kind::no_such_step);
      CHECK(refused->sentence.starts_with("a notification that is " + std::string{to_string(state_at(from))}
                                          + " does not become " + std::string{to_string(state_at(to))}
                                          + ": "));
      CHECK(sentences.insert(refused->sentence).second);
    }
  }
}

TEST_CASE("no transition of a notification leaves any state but its own, whoever asks for it") {
  for (std::size_t index = 0; index < notification_transitions; ++index) {
    for (std::size_t from = 0; from < notification_states; ++from) {
      const auto transition = transition_at(index);
      if (rule_of(transition).from == state_at(from))
        continue;
      CAPTURE(rule_of(transition).trigger, to_string(state_at(from)));
      for (std::size_t who = 0; who < notification_causes; ++who)
        for (const auto& end : all_ends())
          CHECK_FALSE(can_apply(notification_in(state_at(from)), two_profiles, transition,
                                facts_of_all(static_cast<notification_cause>(who), 1, end)));
    }
  }
}

TEST_CASE("a notification's transition is refused to everybody but those who may cause it") {
  for (std::size_t index = 0; index < notification_transitions; ++index) {
    const auto& rule = rule_of(transition_at(index));
    CAPTURE(rule.trigger);
    for (std::size_t number = 0; number < notification_causes; ++number) {
      const auto who = static_cast<notification_cause>(number);
      const auto allowed = can_apply(notification_in(rule.from), two_profiles, transition_at(index),
                                     facts_of_all(who, 1, accepted_end()));
      if (rule.allows(who))
        CHECK((allowed || allowed.error().kind != refusal_kind::wrong_cause));
      else
        CHECK((!allowed && allowed.error().kind == refusal_kind::wrong_cause
               && allowed.error().sentence.find(to_string(who)) != std::string::npos));
    }
  }
}

TEST_CASE("an attempt's end that is no longer the notification's changes nothing") {
  for (const auto& end : all_ends()) {
    for (const auto state : {dispatching, ambiguous}) {
      const auto before = notification_in(state, 2); // the end is of attempt 1
      const auto transition = transition_of(before, two_profiles, end);
      if (transition)
        CHECK(refusal_of(before, *transition, by_notifier(end)).kind == refusal_kind::attempt_superseded);
    }
  }
}

TEST_CASE("each end of an attempt on its way has the one transition that takes it") {
  for (const auto& before : {notification_in(dispatching), at_last_place(notification_in(dispatching))}) {
    for (const auto& end : all_ends()) {
      const auto meant = transition_of(before, two_profiles, end);
      REQUIRE(meant);
      for (std::size_t index = 0; index < notification_transitions; ++index) {
        const auto transition = transition_at(index);
        if (transition == lapse_lease || transition == give_back_attempt)
          continue;
        CAPTURE(rule_of(transition).trigger);
        CHECK(can_apply(before, two_profiles, transition, by_notifier(end)).has_value()
              == (transition == *meant));
      }
    }
  }
}

TEST_CASE(
    "whatever happens to a notification, its numbers have no gap and an ambiguity blocks what follows") {
  CHECK(rc::check([] {
    const auto length = *rc::gen::inRange(1, 4);
    const notification_terms terms{.route_length = length};
    auto progress = begin_notification(terms, notification_now);
    for (int turn = 0; turn < 60; ++turn) {
      const auto transition =
          transition_at(*rc::gen::inRange<std::size_t>(0, static_cast<std::size_t>(cancel)));
      const auto number = progress.attempts - *rc::gen::element(0, 0, 0, 1);
      const auto who = static_cast<notification_cause>(*rc::gen::inRange<std::size_t>(0, 4));
      const auto facts = facts_of_all(who, number, *rc::gen::elementOf(all_ends()));
      const auto step = apply(progress, terms, transition, facts);
      if (!step)
        continue;
      const auto numbers = step->now.attempts - progress.attempts;
      RC_ASSERT(numbers == (transition == claim_attempt ? 1 : transition == give_back_attempt ? -1 : 0));
      RC_ASSERT(step->now.place - progress.place == (transition == fall_back ? 1 : 0));
      RC_ASSERT(step->now.place < length);
      RC_ASSERT(progress.state == queued || progress.state == dispatching || progress.state == ambiguous);
      check_ambiguity(transition, *step, facts);
      progress = step->now;
    }
  }));
}
