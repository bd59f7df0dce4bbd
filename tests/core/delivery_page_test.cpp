#include "tests/core/page_world.hpp"

using namespace sluice::tests;

TEST_CASE("rules that do well are on no card, and the page says that all is well") {
  page_world here;
  here.add_rule("customers");
  const auto page = here.page();
  CHECK(page.stopped.count == 0);
  CHECK(page.held.count == 0);
  CHECK(page.unwell.count == 0);
  CHECK(page.badge == 0);
  CHECK(page.notice == page_notice::all_well);
}

TEST_CASE("a person's stop of a rule is a card of the first group, and names the hold the rule is under") {
  page_world here;
  auto& rule = here.add_rule("customers");
  here.hold(rule);
  here.stop(rule);
  const auto page = here.page();
  REQUIRE(names(page.stopped) == texts{"customers"});
  REQUIRE(page.stopped.cards.front().rules.front()->hold != nullptr);
  CHECK(page.stopped.cards.front().rules.front()->hold->cause == stop_cause::volume_breaker);
  CHECK(page.held.count == 0);
}

TEST_CASE("a connection's stop lists the rules it reaches by name, with their holds") {
  page_world here;
  here.facts.rules.reserve(3);
  here.add_rule("orders");
  here.add_rule("customers");
  here.add_rule("elsewhere", 2);
  here.hold(here.facts.rules[1]);
  here.stop_connection({2});
  const auto page = here.page();
  REQUIRE(names(page.stopped) == texts{"customers+orders"});
  CHECK(page.stopped.cards.front().connection->connection.name == "crm of acme");
  CHECK(page.stopped.cards.front().rules.front()->hold != nullptr);
  CHECK(page.held.count == 0);
}

TEST_CASE("a rule under its own stop and its connection's is on both cards") {
  page_world here;
  auto& rule = here.add_rule("customers");
  here.stop(rule, now - 1h);
  here.stop_connection({2});
  CHECK(names(here.page().stopped) == texts{"customers", "customers"});
}

TEST_CASE("a stop of a connection without rules is a card all the same") {
  page_world here;
  here.stop_connection({2});
  CHECK(names(here.page().stopped) == texts{""});
}

TEST_CASE("a hold whose rule is under no stop is a card of the second group, under a global stop too") {
  page_world here;
  here.hold(here.add_rule("customers"));
  CHECK(names(here.page().held) == texts{"customers"});
  here.stop_everything();
  const auto page = here.page();
  CHECK(names(page.held) == texts{"customers"});
  CHECK(page.also_stopped == 0);
}

TEST_CASE("failing, stale and throttled rules are the third group, the most severe first") {
  page_world here;
  throttle(here.add_rule("a"));
  go_stale(here.add_rule("b"));
  fail(here.add_rule("c"));
  fail(here.add_rule("b2"));
  here.add_rule("works").change_counter = 1; // so that some run completes
  const auto page = here.page();
  CHECK(names(page.unwell) == texts{"b2", "c", "b", "a"});
  CHECK(page.badge == 4);
  CHECK(page.notice == page_notice::none);
}

TEST_CASE("a rule that only the global stop stops is counted beside it and is on no card") {
  page_world here;
  here.facts.rules.reserve(3);
  auto& own = here.add_rule("own stop");
  fail(here.add_rule("failing"));
  here.add_rule("well");
  here.stop(own);
  here.stop_everything();
  const auto page = here.page();
  REQUIRE(page.global_stop != nullptr);
  CHECK(page.global == global_state::stopped);
  CHECK(page.also_stopped == 2);
  CHECK(names(page.stopped) == texts{"own stop"});
  CHECK(page.unwell.count == 0);
}

TEST_CASE("under a global stop the page never says that all is well") {
  page_world here;
  here.stop_everything();
  CHECK(here.page().notice == page_notice::none);
  CHECK(here.page("nobody").notice == page_notice::nothing_matches);
}

TEST_CASE("a dead scheduler is not called well either") {
  page_world here;
  here.facts.installation.heartbeat_at = now - 2min;
  CHECK(here.page().notice == page_notice::none);
}

TEST_CASE("cards stand by tenant name, stops and holds then oldest first") {
  page_world here;
  here.add_tenant("Zebra");
  here.add_tenant("aaron");
  here.facts.rules.reserve(5);
  here.stop(here.add_rule("young", 1), now - 1min);
  here.stop(here.add_rule("old", 1), now - 2min);
  here.stop(here.add_rule("of zebra", 3), now - 9min);
  here.stop(here.add_rule("of aaron", 4), now);
  here.stop(here.add_rule("of bolt", 2), now);
  CHECK(names(here.page().stopped) == texts{"of aaron", "old", "young", "of bolt", "of zebra"});
}

TEST_CASE("while the scheduler is down stale rules are one line, others stay cards") {
  page_world here;
  here.facts.installation.heartbeat_at = now - 20min;
  go_stale(here.add_rule("stale"));
  here.add_rule("stale too").completed_at = now - 30min;
  fail(here.add_rule("failing"));
  throttle(here.add_rule("throttled"));
  here.facts.rules.back().completed_at = now;
  const auto page = here.page();
  CHECK(page.global == global_state::scheduler_down);
  CHECK(names(page.unwell) == texts{"failing", "throttled"});
  CHECK(page.stale == 2);
  CHECK(page.unwell.count == 4);
}

TEST_CASE("while runs do not complete stale rules are one line") {
  page_world here;
  go_stale(here.add_rule("stale"));
  const auto page = here.page();
  CHECK(page.global == global_state::runs_not_completing);
  CHECK(page.unwell.cards.empty());
  CHECK(page.stale == 1);
}

TEST_CASE("an active rule's backfill is listed whatever its state; one of a rule that is off is not") {
  page_world here;
  here.add_rule("b").backfill_until = now;
  here.add_rule("a").backfill_until = now;
  here.facts.rules.back().route_open = false;
  auto& off = here.add_rule("off");
  off.backfill_until = now;
  off.active = false;
  const auto page = here.page();
  CHECK(names(page.backfills) == texts{"a", "b"});
  CHECK(page.notice == page_notice::none);
}

TEST_CASE("what belongs to connections that may not be seen does not show and does not count") {
  page_world here;
  here.facts.rules.reserve(3);
  fail(here.add_rule("customers"));
  fail(here.add_rule("secret", 2));
  here.stop(here.add_rule("secret too", 2));
  here.stop_connection({4});
  here.facts.connections.resize(2);
  const auto page = here.page();
  CHECK(names(page.unwell) == texts{"customers"});
  CHECK(page.stopped.count == 0);
  CHECK(page.badge == 1);
  CHECK(here.page("secret").notice == page_notice::nothing_matches);
}

TEST_CASE("a rule of a closed route is nobody's trouble unless its target is in error") {
  page_world here;
  auto& off = here.add_rule("off");
  fail(off);
  off.route_open = false;
  CHECK(here.page().badge == 0);
  CHECK(here.page().unwell.count == 0);
  here.facts.rules.front().target_status = connection_status::error;
  CHECK(names(here.page().unwell) == texts{"off"});
}

TEST_CASE("a group shows the first cards of its order and counts all of them") {
  page_world here;
  for (const auto* name : {"c", "a", "b"})
    fail(here.add_rule(name));
  const auto page = here.page("", 2);
  CHECK(names(page.unwell) == texts{"a", "b"});
  CHECK(page.unwell.count == 3);
}
