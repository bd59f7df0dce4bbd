#include "core/state_sentence.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;

TEST_CASE("each state that needs attention has a sentence") {
  rule_facts rule;
  rule.ended.emplace();
  rule.ended->ending = run_ending::faulted;
  rule.ended->reason = "the answer has no id";
  CHECK(describe(rule, rule_state::failing) == "The latest run broke off: the answer has no id");
  rule.ended->ending = run_ending::breaker_open;
  rule.ended->reason.clear();
  CHECK(describe(rule, rule_state::failing)
        == "The target fails so often that it is left alone for a while.");
  CHECK(describe(rule, rule_state::stale) == "The dispatcher has not looked at it for too long.");
  rule.change_counter = 1;
  CHECK(describe(rule, rule_state::stale) == "Changes wait, and no run has ever completed.");
  CHECK(describe(rule, rule_state::throttled) == "The target takes no more requests for now.");
  rule.blocked_until = from_us(1);
  CHECK(describe(rule, rule_state::throttled) == "The target asked to be left alone for a while.");
  CHECK(describe(rule, rule_state::ok).empty());
}
