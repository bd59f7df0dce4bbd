#include "api/live_picture.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

namespace sluice::api {
namespace {

using core::rule_state;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

core::rule_facts rule(std::int64_t id) {
  core::rule_facts facts;
  facts.rule.value = id;
  facts.name = "rule-" + std::to_string(id);
  facts.public_id = "id-" + std::to_string(id);
  facts.active = facts.route_open = true;
  return facts;
}

live_picture picture(std::vector<core::rule_facts> rules) {
  live_picture made;
  made.health.rules = std::move(rules);
  made.states.assign(made.health.rules.size(), rule_state::ok);
  made.at = core::from_us(7);
  return made;
}

/// Sees the rules of odd ids alone.
seen_names odd_ones() {
  return {{[](core::rule_id id) { return "rule-" + std::to_string(id.value); },
           [](core::connection_id id) { return "connection-" + std::to_string(id.value); }},
          [](core::rule_id id) { return id.value % 2 == 1; },
          [](core::connection_id id) { return id.value % 2 == 1; },
          [](const std::string& tenant) { return tenant == "odd"; }};
}

TEST_CASE("a picture that shows the same is no change, whatever its rules delivered") {
  const auto before = picture({rule(1)});
  auto after = before;
  auto& facts = after.health.rules[0];
  facts.known_records = 100;
  facts.change_counter = 5;
  facts.completed_at = core::from_us(9);
  facts.running.emplace();
  const auto changes = changes_between(before, after);
  CHECK(changes.rules.empty());
  CHECK(changes.gone.empty());
  CHECK_FALSE(changes.stops);
}

TEST_CASE("a rule whose state changed, one that came and one that went are told to those who see them") {
  const auto before = picture({rule(1), rule(3), rule(4), rule(5)});
  auto after = picture({rule(1), rule(2), rule(3), rule(7)});
  after.states[2] = rule_state::stopped;
  const auto changes = changes_between(before, after);
  CHECK(changes.rules == std::vector<std::size_t>{1, 2, 3});
  CHECK(changes.gone == std::vector<std::size_t>{2, 3});
  const auto told = change_events(after, changes, odd_ones());
  CHECK(contains(told, "event: rule\nid: 7\ndata: {\"name\":\"rule-3\""));
  CHECK(contains(told, "\"state\":\"stopped\""));
  CHECK(contains(told, "rule-7"));
  CHECK_FALSE(contains(told, "rule-2"));
  CHECK(gone_events(before, changes, odd_ones())
        == "event: rule_gone\nid: 7\ndata: {\"name\":\"rule-5\",\"id\":\"id-5\"}\n\n");
}

TEST_CASE("another ending of the latest run is a change, the next one like it is not") {
  auto before = picture({rule(1)});
  auto& ended = before.health.rules[0].ended.emplace();
  ended.id.value = 1;
  ended.ending = core::run_ending::faulted;
  auto after = before;
  after.health.rules[0].ended->id.value = 2;
  CHECK(changes_between(before, after).rules.empty());
  after.health.rules[0].ended->reason = "the target is away";
  CHECK(changes_between(before, after).rules.size() == 1);
}

TEST_CASE("stops are told whole, without those of others") {
  const auto before = picture({});
  auto after = before;
  core::delivery_stop stop;
  stop.target = {core::stop_scope::rule, {}, core::rule_id{2}};
  stop.public_id = "unseen";
  after.stops = {stop};
  stop.target.rule.value = 3;
  stop.public_id = "seen";
  stop.id = 1;
  after.stops.push_back(stop);
  const auto changes = changes_between(before, after);
  CHECK(changes.stops);
  const auto told = change_events(after, changes, odd_ones());
  CHECK(contains(told, "event: stops\n"));
  CHECK(contains(told, "\"id\":\"seen\""));
  CHECK_FALSE(contains(told, "unseen"));
  CHECK_FALSE(contains(snapshot_event(after, odd_ones(), {}), "unseen"));
}

TEST_CASE("the stop of a subscription is told to those who see its tenant") {
  const auto before = picture({});
  auto after = before;
  core::delivery_stop stop;
  stop.target = {core::stop_scope::subscription, {}, {}, core::subscription_id{2}};
  stop.id = 1;
  stop.subscription = {"id-1", "hook", "odd"};
  after.stops = {stop};
  stop.id = 2;
  stop.subscription = {"id-2", "unseen", "even"};
  after.stops.push_back(stop);
  stop.id = 3;
  stop.public_id = "unseen";
  stop.subscription.reset();
  after.stops.push_back(stop);
  const auto told = change_events(after, changes_between(before, after), odd_ones());
  CHECK(contains(told, "\"subscription\":\"id-1\",\"subscription_name\":\"hook\""));
  CHECK_FALSE(contains(told, "unseen"));
}

TEST_CASE("a backfill that moved on is told") {
  auto before = picture({rule(1), rule(2)});
  before.backfills[core::rule_id{1}] = {.passed = 1, .total = 10};
  auto after = before;
  CHECK(changes_between(before, after).backfills.empty());
  after.backfills[core::rule_id{1}].passed = 2;
  after.backfills[core::rule_id{2}] = {.passed = 1, .total = 10};
  const auto told = change_events(after, changes_between(before, after), odd_ones());
  CHECK(contains(told, "event: backfill\n"));
  CHECK(contains(told, "\"rule\":\"rule-1\""));
  CHECK_FALSE(contains(told, "rule-2"));
}

TEST_CASE("the counts are of the rules that are seen") {
  const auto told = state_event(picture({rule(1), rule(2), rule(3)}), odd_ones(), {});
  CHECK(contains(told, "\"counts\":{\"ok\":2}"));
}

} // namespace
} // namespace sluice::api
