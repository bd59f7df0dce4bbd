#include "storage/node_state.hpp"
#include "tests/conformance/conformance_world.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace sluice;
using namespace std::chrono_literals;
using tests::conformance_world;
namespace m = messages;

namespace {

std::int64_t open_runs(conformance_world& w) {
  return w.number("SELECT count(*) FROM delivery_runs WHERE ending IS NULL");
}

} // namespace

TEST_CASE("Dispatch and schedule: what is too old is removed once an hour, all of it, a batch at a time") {
  conformance_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();
  w.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) "
            "INSERT INTO delivery_runs (public_id, rule_id, started_at) SELECT 'old-' || i, 1, i FROM n");
  // Ids say which run is older.
  w.execute("UPDATE delivery_runs SET id = id + 10000 WHERE public_id NOT LIKE 'old-%'");
  REQUIRE(w.runs().size() == 2501);

  w.advance(59min);
  CHECK(w.runs().size() == 2501);
  w.advance(2min);

  REQUIRE(w.runs().size() == 1);
  CHECK(w.runs().front().counts.created == 1);
}

TEST_CASE(
    "Dispatch and schedule: a tick starts a chain for each rule that has something to do, and no other") {
  conformance_world w({.hints = false});
  w.add_rule("customers");
  w.add_rule("orders", {.domain = "orders"});
  w.advance(10s);
  std::vector<std::string> reads;
  w.note_reads(reads);

  w.put_record("c-1");
  w.advance(w.settings().delivery.dispatch_interval);

  CHECK(w.status("c-1") == "delivered");
  CHECK(std::ranges::count(reads, "drain") == 1);
  CHECK(w.runs("orders").empty());
}

TEST_CASE("The chain of jobs: drain first, then delta, and the backfill behind them, one after the other") {
  conformance_world w(tests::small_batches());
  w.add_rule_over(25);
  std::vector<std::string> reads;
  w.note_reads(reads);

  w.settle();

  REQUIRE(reads.size() >= 5);
  CHECK(reads[0] == "drain");
  CHECK(reads[1] == "delta");
  CHECK(std::ranges::count(reads, "backfill") == 3);
  CHECK(std::ranges::find(reads, "backfill") > std::ranges::find(reads, "delta"));
  CHECK(w.runs().size() == 1);
  CHECK(w.count_rows(core::delivery_status::delivered) == 25);
}

TEST_CASE("The chain of jobs: what is due is drained chunk after chunk before the scan goes on") {
  auto options = tests::small_batches();
  options.settings.circuit.failures = 1000;
  conformance_world w(options);
  w.add_rule();
  w.settle();
  w.target().on("POST", harness::answer(422));
  w.put_records(25);
  w.settle();
  REQUIRE(w.count_rows(core::delivery_status::failed) == 25);
  CHECK(w.target().calls().size() == 25); // none twice in one chain
  w.target().behave();
  auto stopped = w.stop();
  w.advance(10min);
  w.put_record("fresh");
  std::vector<std::string> reads;
  w.note_reads(reads);

  w.resume(stopped);

  auto first_delta = std::ranges::find(reads, "delta");
  CHECK(std::count(reads.begin(), first_delta, "drain") >= 4); // three with rows, and the empty one
  CHECK(w.count_rows(core::delivery_status::delivered) == 26);
  CHECK(w.target().calls().size() == 25 + 26);
}

TEST_CASE(
    "One job per rule: neither ticks nor changes nor a person start a second chain beside one that runs") {
  conformance_world w;
  w.add_rule();
  w.put_record("c-1");
  w.target().take(25s);
  w.settle();
  REQUIRE(open_runs(w) == 1);

  for (int i = 0; i < 4; ++i) {
    w.put_record("c-1", std::to_string(i));
    w.hint();
    w.inject(m::start_chain{}).from(w.dispatcher()).to(w.rule());
    w.advance(5s);
    CHECK(open_runs(w) == 1);
    CHECK(w.target().calls().size() == 1);
  }
  w.advance(1h);
  CHECK(w.runs().size() == 1);
  CHECK(w.target().objects_of("c-1").size() == 1);
  CHECK_THAT(w.target().object_of("c-1")->body, Catch::Matchers::Contains("c-13@"));
}

TEST_CASE("The heartbeat: a chain that writes is alive for hours, one whose node died goes stale and is "
          "abandoned") {
  conformance_world w;
  w.add_rule_over(3000);
  w.target().take(10s);
  for (int i = 0; i < 6; ++i) {
    w.advance(5min);
    REQUIRE(w.runs().size() == 1);
    CHECK_FALSE(w.runs().front().ending);
    CHECK(w.state() == core::rule_state::ok);
  }

  w.crash();
  w.advance(w.settings().delivery.stale_after + 1min);
  CHECK(w.state() == core::rule_state::stale);
  CHECK(open_runs(w) == 1); // nobody was there to mark it

  w.start();
  w.target().take(0s);
  w.advance(5min);
  CHECK(w.runs().back().ending == core::run_ending::abandoned);
  CHECK(w.runs().front().ending == core::run_ending::completed);
  CHECK(w.target().objects().size() == 3000);
  CHECK(w.state() == core::rule_state::ok);
}
