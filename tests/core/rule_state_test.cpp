#include "core/rule_state.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {

const timestamp now = from_us(1'700'000'000'000'000);
const health_settings settings{};
const installation_facts beating{.stopped = false, .heartbeat_at = now - 1s};

/// Open, idle, completed a minute ago.
rule_facts healthy() {
  rule_facts rule;
  rule.rule = {1};
  rule.route_open = true;
  rule.updated_at = now - 24h;
  rule.completed_at = now - 1min;
  rule.cursor_updated_at = now - 1min;
  rule.ended.emplace();
  rule.ended->ending = run_ending::completed;
  return rule;
}

using change = std::function<void(rule_facts&)>;

change ended_as(run_ending ending) {
  return [ending](rule_facts& rule) { rule.ended->ending = ending; };
}

void never_ran(rule_facts& rule) {
  rule.ended.reset();
  rule.completed_at.reset();
}

void closed(rule_facts& rule) {
  rule.route_open = false;
}

void stopped(rule_facts& rule) {
  rule.stops.connection = 7;
}

void held(rule_facts& rule) {
  rule.stops.hold = 7;
}

/// A change waits, and nothing was completed for long.
void stale(rule_facts& rule) {
  rule.change_counter = rule.completed_counter + 1;
  rule.completed_at = now - 16min;
}

void running(rule_facts& rule) {
  rule.running.emplace();
}

void blocked(rule_facts& rule) {
  rule.blocked_until = now + 1s;
}

struct state_case {
  std::string name;
  std::vector<change> changes;
  rule_state expected;
};

rule_state state_of_case(const state_case& one, const installation_facts& installation = beating) {
  auto rule = healthy();
  for (const auto& made : one.changes)
    made(rule);
  return state_of(rule, installation, settings, now);
}

} // namespace

TEST_CASE("the most severe state that holds is the rule's") {
  const std::vector<state_case> table{
      {"nothing", {}, rule_state::ok},
      {"a global stop", {[](rule_facts& rule) { rule.stops.global = 1; }}, rule_state::stopped},
      {"a connection's stop", {stopped}, rule_state::stopped},
      {"its own stop", {[](rule_facts& rule) { rule.stops.rule = 1; }}, rule_state::stopped},
      {"a hold", {held}, rule_state::held},
      {"faulted", {ended_as(run_ending::faulted)}, rule_state::failing},
      {"circuit", {ended_as(run_ending::breaker_open)}, rule_state::failing},
      {"target in error",
       {[](rule_facts& rule) { rule.target_status = connection_status::error; }},
       rule_state::failing},
      {"source in error",
       {[](rule_facts& rule) { rule.source_status = connection_status::error; }},
       rule_state::ok},
      {"stale", {stale}, rule_state::stale},
      {"blocked", {blocked}, rule_state::throttled},
      {"throttled", {ended_as(run_ending::throttled)}, rule_state::throttled},
      {"block over", {[](rule_facts& rule) { rule.blocked_until = now; }}, rule_state::ok},
      {"route closed", {ended_as(run_ending::route_closed)}, rule_state::ok},
      {"stopped run", {ended_as(run_ending::stopped)}, rule_state::ok},
      {"abandoned", {ended_as(run_ending::abandoned)}, rule_state::ok},
      {"all", {stopped, held, ended_as(run_ending::faulted), stale, blocked}, rule_state::stopped},
      {"all but stopped", {held, ended_as(run_ending::faulted), stale, blocked}, rule_state::held},
      {"failing and stale", {ended_as(run_ending::faulted), stale, blocked}, rule_state::failing},
      {"stale and throttled", {stale, blocked}, rule_state::stale},
      {"nothing to say", {closed, never_ran}, rule_state::none},
      {"stopped, but nothing to say", {closed, never_ran, stopped}, rule_state::none},
      {"closed and held", {closed, never_ran, held}, rule_state::held},
      {"closed, ran before, stopped", {closed, stopped}, rule_state::stopped},
      {"closed, runs", {closed, never_ran, running, stopped}, rule_state::stopped},
      {"open, never ran, stopped", {never_ran, stopped}, rule_state::stopped},
  };
  for (const auto& one : table) {
    INFO(one.name);
    CHECK(state_of_case(one) == one.expected);
  }
}

TEST_CASE("only a completed run, an idle check or a running chain that writes is a sign of life") {
  const std::vector<state_case> table{
      {"15 minutes are not too long",
       {stale, [](rule_facts& rule) { rule.completed_at = now - 15min; }},
       rule_state::ok},
      {"a moment more is",
       {stale, [](rule_facts& rule) { rule.completed_at = now - 15min - 1us; }},
       rule_state::stale},
      {"another ending does not count",
       {stale, [](rule_facts& rule) { rule.ended->ended_at = now; }},
       rule_state::stale},
      {"never completed: from its configuration",
       {stale, never_ran, [](rule_facts& rule) { rule.updated_at = now - 1min; }},
       rule_state::ok},
      {"never completed, long ago", {stale, never_ran}, rule_state::stale},
      {"a running chain writes", {stale, running}, rule_state::ok},
      {"a running chain is silent",
       {stale, running, [](rule_facts& rule) { rule.cursor_updated_at = now - 16min; }},
       rule_state::stale},
      {"the cursor of a rule that does not run", {stale}, rule_state::stale},
      {"a change that came to an idle rule a minute ago",
       {stale, [](rule_facts& rule) { rule.changed_at = now - 1min; }},
       rule_state::ok},
      {"a change that has waited too long",
       {stale, [](rule_facts& rule) { rule.changed_at = now - 16min; }},
       rule_state::stale},
      {"an idle check", {[](rule_facts& rule) { rule.completed_at = now - 24h; }}, rule_state::ok},
  };
  for (const auto& one : table) {
    INFO(one.name);
    CHECK(state_of_case(one) == one.expected);
  }
}

TEST_CASE("an idle rule goes stale when the dispatcher stops looking") {
  const state_case idle{"idle", {[](rule_facts& rule) { rule.completed_at = now - 24h; }}, {}};
  CHECK(state_of_case(idle, {false, now - 15min}) == rule_state::ok);
  CHECK(state_of_case(idle, {false, now - 16min}) == rule_state::stale);
  CHECK(state_of_case(idle, {false, std::nullopt}) == rule_state::stale);
  const state_case changed{"changed", {stale, [](rule_facts& rule) { rule.changed_at = now - 1min; }}, {}};
  CHECK(state_of_case(changed, {false, now - 16min}) == rule_state::stale);
}

TEST_CASE("the whole installation's state is the first that matches") {
  auto working = healthy();
  stale(working);
  auto stopped_one = working;
  stopped(stopped_one);
  auto closed_one = working;
  closed(closed_one);
  auto at_work = working;
  at_work.completed_at = now - 1min;
  const auto of = [](std::vector<rule_facts> rules, installation_facts installation = beating) {
    return global_state_of(rules, installation, settings, now);
  };
  CHECK(of({}) == global_state::ok);
  CHECK(of({healthy()}) == global_state::ok);
  CHECK(of({}, {true, std::nullopt}) == global_state::stopped);
  CHECK(of({working}, {false, std::nullopt}) == global_state::scheduler_down);
  CHECK(of({working}, {false, now - 61s}) == global_state::scheduler_down);
  CHECK(of({working}, {false, now - 60s}) == global_state::runs_not_completing);
  CHECK(of({working, healthy()}) == global_state::runs_not_completing);
  CHECK(of({working, at_work}) == global_state::ok);
  CHECK(of({stopped_one, closed_one}) == global_state::ok);
}

TEST_CASE("states have words") {
  CHECK(to_string(rule_state::stale) == "stale");
  CHECK(to_string(rule_state::none) == "none");
  CHECK(to_string(global_state::runs_not_completing) == "runs_not_completing");
}
