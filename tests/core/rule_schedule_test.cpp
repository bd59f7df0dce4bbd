#include "core/rule_schedule.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {

constexpr rule_id customers{1};
constexpr rule_id orders{2};
const timestamp start = from_us(1'000'000'000);

route open_route(rule_id rule) {
  route made;
  made.rule = rule;
  made.target = connection_id{7};
  made.open = true;
  return made;
}

/// A schedule whose rules were swept and are idle, at `start`.
rule_schedule idle_schedule(const std::vector<rule_id>& rules, rule_schedule_settings settings = {}) {
  rule_schedule schedule{settings};
  std::vector<route> routes;
  for (auto rule : rules)
    routes.push_back(open_route(rule));
  schedule.set_routes(routes, start);
  for (auto rule : schedule.take_ready(start))
    schedule.chain_ended({rule, run_ending::completed, 0, {}, {}}, start);
  return schedule;
}

rule_schedule::ended ended(run_ending how, std::optional<timestamp> next_due = {},
                           std::optional<timestamp> retry_at = {}) {
  return {customers, how, 0, next_due, retry_at};
}

} // namespace

TEST_CASE("a rule that is not named any more is not listed, whether its chain runs or has ended since") {
  auto schedule = idle_schedule({customers, orders});
  CHECK(schedule.listed(customers));
  CHECK_FALSE(schedule.changed(customers, 1));
  REQUIRE(schedule.take_ready(start) == std::vector{customers});
  CHECK(schedule.set_routes({open_route(orders)}, start).empty()); // its chain runs
  CHECK_FALSE(schedule.listed(customers));
  schedule.chain_ended(ended(run_ending::route_closed), start);
  CHECK_FALSE(schedule.listed(customers));
  CHECK(schedule.listed(orders));
  CHECK(schedule.set_routes({open_route(orders)}, start) == std::vector{customers});
}

TEST_CASE("a new open rule is swept at once, a closed one is left alone") {
  rule_schedule schedule;
  auto closed = open_route(orders);
  closed.open = false;
  schedule.set_routes({open_route(customers), closed}, start);
  CHECK(schedule.take_ready(start) == std::vector{customers});
  CHECK(schedule.running(customers));
  CHECK_FALSE(schedule.running(orders));
}

TEST_CASE("first sweeps that are spread fall within the interval, and a backfill does not wait for them") {
  rule_schedule schedule{{.sweep_interval = 10min, .first = first_sweep::spread}};
  std::vector<route> routes;
  for (std::int64_t id = 1; id <= 100; ++id)
    routes.push_back(open_route({id}));
  routes.back().backfilling = true;
  schedule.set_routes(routes, start);
  CHECK(schedule.take_ready(start) == std::vector{rule_id{100}});
  const auto halfway = schedule.take_ready(start + 5min);
  CHECK(halfway.size() > 20);
  CHECK(halfway.size() < 80);
  CHECK(halfway.size() + schedule.take_ready(start + 10min).size() == 99);
}

TEST_CASE("an idle rule is swept once an interval") {
  auto schedule = idle_schedule({customers}, {.sweep_interval = 10min});
  CHECK(schedule.idle(start));
  CHECK(schedule.next_time() == start + 10min);
  CHECK(schedule.take_ready(start + 9min).empty());
  CHECK(schedule.take_ready(start + 10min) == std::vector{customers});
}

TEST_CASE("a change starts an idle rule and is told to a running one, which runs again") {
  auto schedule = idle_schedule({customers});
  CHECK_FALSE(schedule.changed(customers, 1));
  CHECK(schedule.take_ready(start) == std::vector{customers});
  CHECK(schedule.changed(customers, 2));
  schedule.chain_ended({customers, run_ending::completed, 1, {}, {}}, start);
  CHECK(schedule.take_ready(start) == std::vector{customers});
  schedule.chain_ended({customers, run_ending::completed, 2, {}, {}}, start);
  CHECK(schedule.take_ready(start).empty());
  CHECK(schedule.idle(start));
}

TEST_CASE("what falls due starts its rule then and not before") {
  auto schedule = idle_schedule({customers});
  schedule.set_due(customers, start + 1min);
  CHECK(schedule.next_time() == start + 1min);
  CHECK(schedule.take_ready(start + 59s).empty());
  CHECK(schedule.take_ready(start + 60s) == std::vector{customers});
  schedule.chain_ended(ended(run_ending::completed, start + 2h), start + 60s);
  CHECK(schedule.take_ready(start + 61s).empty());
}

TEST_CASE("a rule that has to wait does so whatever else asks for it") {
  const auto how = GENERATE(run_ending::throttled, run_ending::breaker_open);
  auto schedule = idle_schedule({customers});
  schedule.set_due(customers, start);
  REQUIRE(schedule.take_ready(start) == std::vector{customers});
  schedule.chain_ended(ended(how, start, start + 5min), start);
  CHECK_FALSE(schedule.changed(customers, 9));
  CHECK(schedule.take_ready(start + 4min).empty());
  CHECK(schedule.take_ready(start + 5min) == std::vector{customers});
}

TEST_CASE("a rule whose chain faulted is left alone for the pause, then tried again") {
  auto schedule = idle_schedule({customers}, {.fault_pause = 5s});
  schedule.set_due(customers, start);
  REQUIRE(schedule.take_ready(start) == std::vector{customers});
  schedule.chain_ended(ended(run_ending::faulted), start);
  CHECK(schedule.take_ready(start + 4s).empty());
  CHECK(schedule.take_ready(start + 5s) == std::vector{customers});
}

TEST_CASE("no more chains run at once than allowed") {
  rule_schedule schedule{{.chains_max = 1}};
  schedule.set_routes({open_route(customers), open_route(orders)}, start);
  CHECK(schedule.take_ready(start).size() == 1);
  CHECK(schedule.take_ready(start).empty());
  CHECK(schedule.running_count() == 1);
  schedule.chain_ended({customers, run_ending::completed, 0, {}, {}}, start);
  CHECK(schedule.take_ready(start) == std::vector{orders});
}

TEST_CASE("a route that closed starts nothing until it opens again, then at once") {
  auto schedule = idle_schedule({customers});
  schedule.set_due(customers, start);
  REQUIRE(schedule.take_ready(start) == std::vector{customers});
  auto closed = open_route(customers);
  closed.open = false;
  schedule.set_routes({closed}, start);
  CHECK(schedule.running_closed() == std::vector{customers});
  schedule.chain_ended(ended(run_ending::route_closed), start);
  CHECK(schedule.running_closed().empty());
  CHECK(schedule.take_ready(start + 1h).empty());
  schedule.set_routes({open_route(customers)}, start + 1h);
  CHECK(schedule.take_ready(start + 1h) == std::vector{customers});
}

TEST_CASE("a chain that found its route closed is tried again where the route is open by now") {
  auto schedule = idle_schedule({customers}, {.fault_pause = 5s});
  schedule.set_due(customers, start);
  REQUIRE(schedule.take_ready(start) == std::vector{customers});
  schedule.set_routes({}, start);
  schedule.set_routes({open_route(customers)}, start);
  schedule.chain_ended(ended(run_ending::route_closed), start);
  CHECK(schedule.take_ready(start + 5s) == std::vector{customers});
}

TEST_CASE("a rule that is gone from the configuration is named, but not while its chain runs") {
  auto schedule = idle_schedule({customers, orders});
  schedule.set_due(orders, start);
  CHECK(schedule.take_ready(start) == std::vector{orders});
  CHECK(schedule.set_routes({}, start) == std::vector{customers});
  schedule.chain_ended({orders, run_ending::completed, 0, {}, {}}, start);
  CHECK(schedule.set_routes({}, start) == std::vector{orders});
}

namespace {

stop_target stop_of(rule_id rule) {
  return {stop_scope::rule, {}, rule};
}

} // namespace

TEST_CASE("a rule within a stop is not started, whatever it is due for, until the stop is lifted") {
  auto schedule = idle_schedule({customers, orders});
  CHECK(schedule.set_stop(stop_of(customers)).empty());

  CHECK_FALSE(schedule.changed(customers, 1));
  CHECK_FALSE(schedule.changed(orders, 1));
  CHECK(schedule.take_ready(start) == std::vector{orders});
  CHECK(schedule.take_ready(start + 1h).empty());
  CHECK(schedule.stopped(customers));

  schedule.lift_stop(stop_of(customers), start + 1h);
  CHECK(schedule.take_ready(start + 1h) == std::vector{customers});
}

TEST_CASE("a rule that was ready when its stop was set waits, and is started once when it is lifted") {
  auto schedule = idle_schedule({customers});
  CHECK_FALSE(schedule.changed(customers, 1));
  static_cast<void>(schedule.set_stop({}));
  CHECK(schedule.take_ready(start).empty());
  CHECK(schedule.idle(start));

  schedule.lift_stop({}, start + 1s);

  CHECK(schedule.take_ready(start + 1s) == std::vector{customers});
  CHECK(schedule.take_ready(start + 1s).empty());
}

TEST_CASE("a stop names the chains that run within it") {
  auto schedule = idle_schedule({customers, orders});
  CHECK_FALSE(schedule.changed(customers, 1));
  REQUIRE(schedule.take_ready(start) == std::vector{customers});

  CHECK(schedule.set_stop({stop_scope::connection, connection_id{8}, {}}).empty());
  CHECK(schedule.set_stop({stop_scope::connection, connection_id{7}, {}}) == std::vector{customers});
}

TEST_CASE("of two stops over one rule each holds for itself") {
  auto schedule = idle_schedule({customers});
  static_cast<void>(schedule.set_stop({}));
  static_cast<void>(schedule.set_stop(stop_of(customers)));

  schedule.lift_stop({}, start);
  CHECK(schedule.take_ready(start).empty());
  schedule.lift_stop(stop_of(customers), start);
  CHECK(schedule.take_ready(start) == std::vector{customers});
}

TEST_CASE("a chain that ends stopped after its stop was lifted is started again at once") {
  auto schedule = idle_schedule({customers});
  CHECK_FALSE(schedule.changed(customers, 1));
  REQUIRE(schedule.take_ready(start) == std::vector{customers});
  REQUIRE(schedule.set_stop({}) == std::vector{customers});
  schedule.lift_stop({}, start);

  schedule.chain_ended(ended(run_ending::stopped), start);

  CHECK(schedule.take_ready(start) == std::vector{customers});
}

TEST_CASE("a rule that is hurried starts at once, but not before a fault's pause is over") {
  auto schedule = idle_schedule({customers});
  schedule.hurry(customers, start);
  REQUIRE(schedule.take_ready(start) == std::vector{customers});
  schedule.chain_ended(ended(run_ending::throttled, {}, start + 1min), start);

  schedule.hurry(customers, start);

  CHECK(schedule.take_ready(start).empty());
  CHECK(schedule.take_ready(start + 1min) == std::vector{customers});
}

TEST_CASE("a clock that is set back puts off neither a sweep nor a pause, but what is due at a time") {
  rule_schedule_settings settings;
  auto schedule = idle_schedule({customers, orders}, settings);
  schedule.hurry(customers, start);
  REQUIRE(schedule.take_ready(start) == std::vector{customers});
  schedule.chain_ended(ended(run_ending::faulted), start);
  schedule.set_due(orders, start + 1h);

  schedule.clock_set_back(3h);
  const auto earlier = start - 3h;

  CHECK(schedule.take_ready(earlier).empty());
  CHECK(schedule.take_ready(earlier + settings.fault_pause) == std::vector{customers});
  CHECK(schedule.take_ready(earlier + settings.sweep_interval) == std::vector{orders});
  schedule.chain_ended({orders, run_ending::completed, 0, start + 1h, {}}, start + 50min);
  CHECK(schedule.take_ready(start + 1h - 1us).empty());
  CHECK(schedule.take_ready(start + 1h) == std::vector{orders});
}
