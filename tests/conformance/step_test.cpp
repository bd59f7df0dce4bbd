#include "tests/conformance/conformance_world.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice;
using namespace std::chrono_literals;
using tests::conformance_world;

TEST_CASE("The retry schedule: failures count since the last success, and a new version wipes none of them") {
  conformance_world w;
  w.add_rule();
  w.target().next(harness::answer(503), 2);
  w.put_record("c-1");
  w.settle();
  CHECK(w.row("c-1")->attempts == 1);

  w.put_record("c-1", "-new");
  w.advance(67s);
  CHECK(w.row("c-1")->attempts == 2);
  CHECK(*w.row("c-1")->next_attempt_at >= w.now() + 5min - 67s);

  w.advance(6min);
  REQUIRE(w.status("c-1") == "delivered");
  CHECK(w.row("c-1")->attempts == 0);
  w.target().next(harness::answer(503));
  w.put_record("c-1", "-newer");
  w.settle();
  CHECK(w.row("c-1")->attempts == 1);
}

TEST_CASE("How a step ends: a route that closes ends the chain at its next step, and the cursor stands") {
  conformance_world w(tests::small_batches());
  w.add_rule_over(100);
  w.target().take(1s);
  w.advance(2s);
  const bool rule = GENERATE(true, false);
  if (rule)
    w.change_rule("customers", {.active = false});
  else
    w.set_connection_status("shop", core::connection_status::inactive);
  w.settle();
  auto calls = w.target().calls().size();

  w.advance(1h);
  CHECK(w.target().calls().size() == calls);
  CHECK(w.runs().front().ending == core::run_ending::route_closed);
  CHECK(w.runs().front().counts.created == static_cast<std::int64_t>(calls));
  CHECK(w.intents().empty());
  CHECK(w.cursor().backfill_until);

  w.target().take(0s);
  if (rule)
    w.change_rule("customers", {});
  else
    w.set_connection_status("shop", core::connection_status::active);
  w.advance(1min);
  CHECK(w.target().objects().size() == 100);
  CHECK(w.target().calls().size() == 100);
}

TEST_CASE("How a step ends: each way is in its run") {
  harness::world_options options;
  options.settings.circuit.failures = 2;
  conformance_world w(options);
  w.add_rule();
  w.settle();
  const auto ended_as = [&w](core::run_ending how) {
    REQUIRE_FALSE(w.runs().empty());
    CHECK(w.runs().front().ending == how);
  };

  w.put_record("c-1");
  w.settle();
  ended_as(core::run_ending::completed);

  w.target().next(harness::rate_limit("600"));
  w.put_record("c-2");
  w.settle();
  ended_as(core::run_ending::throttled);
  w.advance(601s);
  ended_as(core::run_ending::completed);

  w.target().take(1s);
  w.put_record("c-3");
  w.settle();
  auto stopped = w.stop();
  w.advance(1s);
  ended_as(core::run_ending::stopped);
  w.resume(stopped);
  w.advance(1min);

  w.target().next(harness::answer(503), 2);
  w.put_records(40, "more-");
  w.advance(2s);
  ended_as(core::run_ending::breaker_open);
}

TEST_CASE("How a step ends: a fault leaves the record as it was and is the run's, with its reason") {
  conformance_world w;
  w.add_rule();
  w.settle();
  w.target().next(harness::answer(401));
  w.put_record("c-1");
  w.settle();

  CHECK(w.runs().front().ending == core::run_ending::faulted);
  CHECK_FALSE(w.runs().front().reason.empty());
  CHECK(w.status("c-1") == "none");
  CHECK(w.connection("crm").status == core::connection_status::error);
  w.advance(1h);
  CHECK(w.target().calls().size() == 1);
}

namespace {

/// c-1 to c-5 delivered, then one each that a step passes over: exhausted, waiting, withdrawn, trashed.
struct skipping_world : conformance_world {
  static harness::world_options options() {
    harness::world_options options;
    options.settings.delivery.retry_schedule = {24h};
    return options;
  }

  skipping_world() : conformance_world(options()) {
    add_rule();
    put_records(5);
    settle();
    target().next(harness::answer(503));
    put_record("c-2", "-new");
    settle();
    delete_record("c-3");
    settle();
    execute("UPDATE outbound_deliveries SET deleted_at = 1 WHERE source_id = 'c-4'");
    execute("UPDATE outbound_deliveries SET status = 'exhausted' WHERE source_id = 'c-5'");
    advance(1h);
  }
};

} // namespace

TEST_CASE("What a step skips: nothing is written of it, and the cursor passes it all the same") {
  skipping_world w;
  auto rows = w.text("SELECT source_id || row_version FROM outbound_deliveries WHERE source_id <> 'c-1'");
  auto calls = w.target().calls().size();

  REQUIRE(w.start_backfill(10, true).answered());
  w.advance(1min);

  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.target().calls().size() == calls + 1); // c-1, sent again
  CHECK(w.text("SELECT source_id || row_version FROM outbound_deliveries WHERE source_id <> 'c-1'") == rows);
}

TEST_CASE("What a step skips: whole batches of what may not be offered do not stop the rule") {
  auto options = tests::small_batches();
  options.settings.delivery.retry_schedule = {};
  options.settings.circuit.failures = 1000;
  conformance_world w(options);
  w.add_rule("customers", {.deletes = core::delete_policy::ignore});
  w.target().on("POST", harness::answer(422));
  w.put_records(50);
  w.settle();
  REQUIRE(w.count_rows(core::delivery_status::exhausted) == 50);
  w.target().behave();
  w.put_records(50, "gone-");
  w.delete_records(50, "gone-");
  for (int i = 1; i <= 50; ++i)
    w.put_record("c-" + std::to_string(i), "-new");

  w.put_record("fresh");
  w.settle();

  CHECK(w.status("fresh") == "delivered");
  CHECK(w.target().count("POST") == 51);
}

TEST_CASE("What a step skips: a retry whose record is gone is parked, and offered again when it is back") {
  conformance_world w;
  w.add_rule();
  w.target().next(harness::answer(503));
  w.put_record("c-1");
  w.settle();
  w.delete_record("c-1");
  w.advance(67s);
  CHECK(w.status("c-1") == "failed");
  CHECK_FALSE(w.row("c-1")->next_attempt_at);

  w.put_record("c-1");
  w.settle();
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.target().calls().size() == 2);
}

TEST_CASE("What skipped counts in the report: what a step read and dropped, once, in the run it was") {
  skipping_world w;
  REQUIRE(w.start_backfill(10, true).answered());
  w.advance(1min);
  CHECK(w.runs().front().counts.updated == 1);
  CHECK(w.runs().front().counts.skipped == 4);

  w.put_record("c-1", "-newest"); // a delta leaves the four out already
  w.settle();
  CHECK(w.runs().front().counts.updated == 1);
  CHECK(w.runs().front().counts.skipped == 0);
}

TEST_CASE("Throttling: every call spends one request of its connection, whatever rule makes it, and what is "
          "suppressed none") {
  conformance_world w;
  w.add_target("crm", {.requests_per_minute = 5});
  w.add_rule("customers", {.updates = core::update_mode::create_only});
  w.add_rule("orders", {.domain = "orders"});
  w.put_records(3);
  w.settle();
  for (int i = 1; i <= 3; ++i)
    w.put_record("c-" + std::to_string(i), "-new");
  w.settle();
  REQUIRE(w.count_rows(core::delivery_status::suppressed) == 3);

  w.put_records(4, "o-", {.domain = "orders"});
  w.settle();
  CHECK(w.target().calls().size() == 5);
  w.advance(61s);
  CHECK(w.target().objects().size() == 7);
  CHECK(w.target().most_calls_within(60s) <= 5);
}

TEST_CASE(
    "Throttling: a 429 blocks its connection for every rule, books nothing and shows in all their states") {
  conformance_world w;
  w.add_rule("customers");
  w.add_rule("orders", {.domain = "orders"});
  w.add_rule("newsletter", {.target = "mailer"});
  w.settle();
  w.target().next(harness::rate_limit("900"));
  w.put_record("c-1");
  w.settle();

  CHECK(w.status("c-1") == "none");
  CHECK(w.state("customers") == core::rule_state::throttled);
  CHECK(w.state("orders") == core::rule_state::throttled);
  CHECK(w.state("newsletter") == core::rule_state::ok);
  w.put_record("o-1", {}, {.domain = "orders"});
  w.advance(14min);
  CHECK(w.target().calls().size() == 1);

  w.advance(2min);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.status("o-1", "orders") == "delivered");
  CHECK(w.state("customers") == core::rule_state::ok);
}
