#include "core/delivery_progress.hpp"
#include "tests/core/delivery_progress_fixture.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <utility>

using namespace sluice::core;
using enum delivery_state;
using enum delivery_transition;
using namespace std::chrono_literals;

namespace {

delivery_state state_at(std::size_t index) {
  return static_cast<delivery_state>(index);
}

delivery_transition transition_at(std::size_t index) {
  return static_cast<delivery_transition>(index);
}

} // namespace

TEST_CASE("each pair of states without a transition is refused with a sentence that names both") {
  const std::set<std::pair<delivery_state, delivery_state>> known{
      {pending, delivered},  {pending, retrying}, {pending, dead},      {pending, failed},
      {retrying, delivered}, {retrying, dead},    {retrying, retrying}, {retrying, failed},
      {retrying, pending},   {dead, pending},     {failed, pending},    {delivered, pending}};
  for (std::size_t from = 0; from < delivery_states; ++from) {
    for (std::size_t to = 0; to < delivery_states; ++to) {
      CAPTURE(to_string(state_at(from)), to_string(state_at(to)));
      const auto refused = refuse_step(state_at(from), state_at(to));
      REQUIRE(refused.has_value() != known.contains({state_at(from), state_at(to)}));
      if (!refused)
        continue;
      CHECK(refused->sentence.find(to_string(state_at(from))) != std::string::npos);
      CHECK(refused->sentence.find(to_string(state_at(to))) != std::string::npos);
      CHECK(refused->sentence.find(": ") != std::string::npos);
      CHECK((refused->kind == refusal_kind::filtered_out) == (state_at(from) == skipped_filter));
    }
  }
}

TEST_CASE("no transition leaves any state but its own, whoever asks for it") {
  for (std::size_t index = 0; index < delivery_transitions; ++index) {
    for (std::size_t from = 0; from < delivery_states; ++from) {
      const auto transition = transition_at(index);
      if (rule_of(transition).from == state_at(from))
        continue;
      CAPTURE(rule_of(transition).trigger, to_string(state_at(from)));
      const auto before = progress_in(state_at(from), 1);
      for (const auto& facts :
           {by_worker(acknowledged(1)), by_worker(failed_attempt(1)), by_operator(), by_adapter(), by_loss()})
        CHECK_FALSE(can_apply(before, transition, facts));
    }
  }
}

TEST_CASE("a transition is refused to everybody but the one who may cause it") {
  for (std::size_t index = 0; index < delivery_transitions; ++index) {
    const auto& rule = rule_of(transition_at(index));
    CAPTURE(rule.trigger);
    for (const auto& facts : {by_worker(acknowledged(1)), by_operator(), by_adapter()}) {
      if (facts.by == rule.who)
        continue;
      const auto refused = can_apply(progress_in(rule.from, 1), transition_at(index), facts);
      REQUIRE_FALSE(refused);
      CHECK(refused.error().kind == refusal_kind::wrong_cause);
      CHECK(refused.error().sentence.find(rule.trigger) != std::string::npos);
    }
  }
}

TEST_CASE("a delivery that the filter skipped does not become pending, whatever became of the filter") {
  const auto refused = restart_of(skipped_filter);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == refusal_kind::filtered_out);
  CHECK(
      refused.error().sentence
      == "a delivery that is skipped_filter does not become pending: changing a filter does not bring back a "
         "delivery that was recorded as filtered out");
}

TEST_CASE("an operator's restart is named by the state it leaves") {
  CHECK(restart_of(dead) == restart_dead_delivery);
  CHECK(restart_of(failed) == restart_failed_delivery);
  CHECK(restart_of(delivered) == restart_delivered_work);
  CHECK(restart_of(retrying) == restart_retrying_work);
  const auto refused = restart_of(pending);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == refusal_kind::no_such_step);
}

TEST_CASE("an attempt's end is named by the state it leaves and whether another attempt follows") {
  const auto last = failed_attempt(1, attempt_ending::transient, true);
  CHECK(transition_of(pending, acknowledged(1)) == acknowledge_initial_push);
  CHECK(transition_of(retrying, acknowledged(1)) == acknowledge_later_push);
  CHECK(transition_of(pending, failed_attempt(1)) == defer_unsuccessful_push);
  CHECK(transition_of(retrying, failed_attempt(1)) == schedule_further_attempt);
  CHECK(transition_of(pending, last) == fail_permanently_on_first_attempt);
  CHECK(transition_of(retrying, last) == end_delivery_retries);
  CHECK(transition_of(retrying, failed_attempt(1, attempt_ending::gone)) == end_delivery_retries);
  CHECK(transition_of(retrying, failed_attempt(1, attempt_ending::interrupted)) == schedule_further_attempt);
}

TEST_CASE("words of deliveries read back, and a foreign text is none") {
  for (std::size_t index = 0; index < delivery_states; ++index)
    CHECK(parse_delivery_state(to_string(state_at(index))) == state_at(index));
  for (const auto ending : {attempt_ending::acknowledged, attempt_ending::transient,
                            attempt_ending::permanent, attempt_ending::gone, attempt_ending::interrupted})
    CHECK(parse_attempt_ending(to_string(ending)) == ending);
  CHECK(to_string(skipped_filter) == "skipped_filter");
  CHECK_FALSE(parse_delivery_state("unknown"));
  CHECK_FALSE(parse_attempt_ending(""));
}
