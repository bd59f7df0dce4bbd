#include "core/rule_survey.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {

const timestamp now = from_us(1'700'000'000'000'000);
const installation_facts beating{.stopped = false, .heartbeat_at = now - 1s};

rule_facts healthy(std::int64_t id) {
  rule_facts rule;
  rule.rule = {id};
  rule.active = rule.route_open = true;
  rule.updated_at = now - 24h;
  rule.completed_at = now - 1min;
  rule.ended.emplace();
  rule.ended->ending = run_ending::completed;
  return rule;
}

std::int64_t count_of(const rule_survey& found, rule_state state) {
  return found.in_state.at(static_cast<std::size_t>(state));
}

} // namespace

TEST_CASE("a survey counts each rule once, by its state") {
  std::vector<rule_facts> rules{healthy(1), healthy(2), healthy(3), healthy(4)};
  rules[1].stops.rule = 9;
  rules[2].ended->ending = run_ending::faulted;
  rules[3].stops.hold = 5;
  const auto found = survey_of(rules, beating, {}, {}, now);
  CHECK(count_of(found, rule_state::ok) == 1);
  CHECK(count_of(found, rule_state::stopped) == 1);
  CHECK(count_of(found, rule_state::failing) == 1);
  CHECK(count_of(found, rule_state::held) == 1);
  CHECK(count_of(found, rule_state::none) == 0);
  CHECK(found.heartbeat_at == beating.heartbeat_at);
  CHECK_FALSE(found.oldest_due);
}

TEST_CASE("the oldest attempt is one that nothing holds back") {
  std::vector<rule_facts> rules{healthy(1), healthy(2), healthy(3), healthy(4), healthy(5)};
  rules[1].stops.connection = 7;
  rules[2].route_open = false;
  rules[3].blocked_until = now + 1s;
  const std::vector<rule_due> due{{{1}, now - 10s}, {{2}, now - 1h},  {{3}, now - 2h},
                                  {{4}, now - 3h},  {{5}, now - 20s}, {{99}, now - 9h}};
  CHECK(survey_of(rules, beating, due, {}, now).oldest_due == now - 20s);
  rules[3].blocked_until = now;
  CHECK(survey_of(rules, beating, due, {}, now).oldest_due == now - 3h);
}
