#include "core/explanation.hpp"
#include "messages/reader.hpp"
#include "storage/node_state.hpp"
#include "tests/conformance/conformance_world.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using core::global_state;
using core::rule_state;
using tests::conformance_world;
namespace m = messages;

TEST_CASE("Rule state: the most severe that holds, from stopped to ok, and nothing of it is stored") {
  conformance_world w;
  w.add_rule();
  w.put_records(300);
  w.settle();
  w.advance(2h);
  CHECK(w.state() == rule_state::ok);

  w.target().next(harness::rate_limit("3600"));
  w.put_record("c-300", "-new");
  w.settle();
  CHECK(w.state() == rule_state::throttled);
  w.advance(30min);
  CHECK(w.state() == rule_state::stale); // a change has waited too long
  w.set_connection_status("crm", core::connection_status::error);
  CHECK(w.state() == rule_state::failing);
  w.set_connection_status("crm", core::connection_status::active);
  w.delete_records(100);
  w.settle();
  w.advance(1h);
  CHECK(w.state() == rule_state::held);
  auto stopped = w.stop();
  CHECK(w.state() == rule_state::stopped);

  w.resume(stopped);
  w.put_records(100);
  w.advance(10min);
  CHECK(w.state() == rule_state::ok);
}

TEST_CASE("Rule state: a node that is dead makes its rules stale, with nobody there to say so") {
  conformance_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();
  w.crash();
  w.advance(w.settings().delivery.stale_after - 1s);
  CHECK(w.state() == rule_state::ok);
  w.advance(2s);
  CHECK(w.state() == rule_state::stale);
}

TEST_CASE("Rule state: a rule that cannot even begin is failing, tells why once, and is well again once it "
          "can") {
  conformance_world w;
  w.add_rule();
  w.settle();
  auto settings = w.connection("crm").settings;
  w.execute("UPDATE connections SET settings = '{}' WHERE name = 'crm'");
  w.put_record("c-1");
  w.advance(1h);

  CHECK(w.state() == rule_state::failing);
  REQUIRE(w.runs().size() == 1);
  CHECK(w.runs().front().ending == core::run_ending::faulted);
  CHECK_THAT(w.runs().front().reason, Contains("crm"));

  w.delete_record("c-1"); // nothing is left to deliver
  w.execute("UPDATE connections SET settings = '" + settings + "' WHERE name = 'crm'");
  w.advance(1min);
  CHECK(w.target().calls().empty());
  CHECK(w.state() == rule_state::ok);
}

TEST_CASE("Rule state: none for a rule that never ran and has no open route, stopped for one that ran") {
  conformance_world w;
  w.add_rule("customers", {.active = false});
  w.add_rule("orders", {.domain = "orders"});
  w.put_record("o-1", {}, {.domain = "orders"});
  w.settle();
  w.change_rule("orders", {.domain = "orders", .active = false});
  w.settle();
  CHECK(w.state("customers") == rule_state::none);
  CHECK(w.state("orders") == rule_state::ok);

  w.stop();
  CHECK(w.state("customers") == rule_state::none);
  CHECK(w.state("orders") == rule_state::stopped);
}

TEST_CASE("Rule status in the admin panel: what the configuration adds is told beside the state") {
  conformance_world w;
  w.add_rule();
  w.settle();
  CHECK(w.facts().route_open);

  w.set_connection_status("crm", core::connection_status::inactive);
  CHECK_FALSE(w.facts().route_open);
  CHECK(w.facts().active);
  CHECK(w.facts().target_status == core::connection_status::inactive);
  w.change_rule("customers", {.active = false});
  CHECK_FALSE(w.facts().active);

  core::explanation_facts about;
  about.rule.active = false;
  about.target.name = "crm";
  about.target.status = core::connection_status::inactive;
  CHECK(core::closed_sentences(about).size() >= 2);
}

TEST_CASE("The Delivery page: what it is made of is read today, stops, holds with their finding, backfills") {
  conformance_world w(tests::small_batches());
  w.add_rule("customers");
  w.put_records(300);
  w.settle();
  w.advance(2h);
  w.delete_records(100);
  w.advance(1s);
  auto stopped = w.stop(w.connection_scope());
  REQUIRE(w.start_backfill().answered());

  auto stops = w.ask<m::stops_listed>(w.reader(), m::list_live_stops{});
  auto backfill = w.ask<m::backfill_read>(w.reader(), m::read_backfill{w.rule_id()});
  w.settle();

  REQUIRE(stops.value().stops.size() == 2); // oldest first
  CHECK(stops.value().stops[0].finding == core::hold_finding{100, 300, 30});
  CHECK(stops.value().stops[1].public_id == stopped.public_id);
  REQUIRE(backfill.value().progress);
  CHECK(backfill.value().progress->total == 300);
  CHECK(backfill.value().progress->passed == 0);
  CHECK(backfill.value().confirmation->confirmed_by == "ada");
  CHECK(w.state() == rule_state::stopped);
  CHECK(w.facts().stops.hold != 0); // the stop's card names it
}

TEST_CASE(
    "The dispatcher heartbeat: written every tick where it outlives the process, and read as the global "
    "state") {
  conformance_world w;
  w.add_rule();
  w.settle();
  w.advance(1min);
  CHECK(w.global_state() == global_state::ok);
  auto stopped = w.stop();
  CHECK(w.global_state() == global_state::stopped);
  w.resume(stopped);

  w.crash();
  w.advance(w.settings().delivery.heartbeat_stale_after - 5s);
  CHECK(w.must(storage::read_heartbeat(w.db(), "dispatcher")));
  CHECK(w.global_state() == global_state::ok);
  w.advance(10s);
  CHECK(w.global_state() == global_state::scheduler_down);
  w.start();
  w.settle();
  CHECK(w.global_state() == global_state::ok);
}

TEST_CASE("The dispatcher heartbeat: it beats while no run completes, and the global state says that") {
  conformance_world w;
  w.add_rule();
  w.settle();
  w.target().on("POST", harness::rate_limit("3600"));
  w.put_record("c-1");
  w.advance(w.settings().delivery.stale_after + 1min);
  CHECK(w.global_state() == global_state::runs_not_completing);

  w.target().behave();
  w.advance(2h);
  CHECK(w.global_state() == global_state::ok);
}

TEST_CASE("Guard settings: a window that a slow step would exceed is refused, and each limit is in force") {
  config::settings settings;
  settings.delivery.stale_after = settings.delivery.dispatch_interval + settings.delivery.step_timeout;
  auto faults = settings.validate();
  REQUIRE(faults.size() == 1);
  CHECK_THAT(faults.front(), Contains("stale_after"));

  harness::world_options options;
  options.settings.volume = {.floor = 3, .share = 0, .window = 10min};
  conformance_world w(options);
  w.add_rule();
  w.put_records(20);
  w.settle();
  w.advance(1h);
  w.delete_records(3);
  w.settle();
  w.delete_record("c-4");
  w.settle();
  CHECK(w.count_rows(core::delivery_status::withdrawn) == 3);
  CHECK(w.state() == rule_state::held);
}
