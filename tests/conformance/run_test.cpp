#include "tests/conformance/conformance_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using tests::conformance_world;
namespace m = messages;

namespace {

/// One run in progress: c-1's call is out for ten seconds.
struct running_world : conformance_world {
  running_world() {
    add_rule();
    settle();
    target().take(10s);
    put_record("c-1");
    settle();
    REQUIRE(runs().size() == 1);
    REQUIRE_FALSE(runs().front().ending);
  }
};

} // namespace

TEST_CASE("Runs: one a chain, running from its first write until something ends it, with what it did") {
  running_world w;
  auto began = w.runs().front().started_at;
  w.put_record("c-2");
  w.advance(1min);

  REQUIRE(w.runs().size() == 1);
  const auto run = w.runs().front();
  CHECK(run.ending == core::run_ending::completed);
  CHECK(run.started_at == began);
  CHECK(run.ended_at == began + 20s);
  CHECK(run.counts.created == 2);
}

TEST_CASE("Runs: the first ending stays, be it the chain's or another's") {
  running_world w;
  const auto run = w.runs().front().id;
  const auto abandon = m::abandon_runs{w.rule_id()};

  SECTION("abandoned before the chain is over") {
    w.inject(abandon).from(w.dispatcher()).to(w.recorder());
    w.settle();
    auto ended_at = w.runs().front().ended_at;
    w.advance(1min);
    CHECK(w.runs().front().ending == core::run_ending::abandoned);
    CHECK(w.runs().front().ended_at == ended_at);
    CHECK(w.status("c-1") == "delivered");
  }
  SECTION("abandoned when the chain has closed it") {
    w.advance(1min);
    w.inject(abandon).from(w.dispatcher()).to(w.recorder());
    w.settle();
    CHECK(w.runs().front().ending == core::run_ending::completed);
  }
  SECTION("closed twice") {
    const auto faulted = m::close_run{w.rule_id(), run, core::run_ending::faulted, "first"};
    w.inject(faulted).from(w.rule()).to(w.recorder());
    w.advance(1min);
    CHECK(w.runs().front().ending == core::run_ending::faulted);
    CHECK(w.runs().front().reason == "first");
  }
  CHECK(w.runs().size() == 1);
}

TEST_CASE("Runs: a crash leaves one open, which the next life abandons with what it had done") {
  conformance_world w;
  w.add_rule();
  w.settle();
  w.target().next(harness::serve().after(10s));
  w.put_records(4);
  w.settle();
  w.crash();
  CHECK_FALSE(w.runs().front().ending);
  CHECK(w.runs().front().counts.created == 3);

  w.start();
  w.advance(1min);

  REQUIRE(w.runs().size() == 2);
  CHECK(w.runs().back().ending == core::run_ending::abandoned);
  CHECK(w.runs().back().counts.created == 3);
  CHECK(w.runs().front().ending == core::run_ending::completed);
  CHECK(w.target().objects().size() == 4);
}

TEST_CASE("Runs: a rule's actor that dies leaves one open, abandoned before its next life begins") {
  running_world w;
  w.kill(w.rule());
  w.settle();
  CHECK_FALSE(w.runs().front().ending); // its call is still out

  w.advance(2min);

  REQUIRE(w.runs().size() == 2);
  CHECK(w.runs().back().ending == core::run_ending::abandoned);
  CHECK(*w.runs().back().ended_at <= w.runs().front().started_at);
}

TEST_CASE("Runs: opening one leaves a release in force alone") {
  harness::world_options options;
  options.settings.volume.floor = 2;
  conformance_world w(options);
  w.add_rule();
  w.put_records(10);
  w.settle();
  w.advance(2h);
  w.delete_records(5);
  w.settle();
  REQUIRE(w.live_stops().size() == 1);
  w.target().next(harness::rate_limit("600"));
  REQUIRE(w.act<core::delivery_stop>(m::release_hold{w.rule_id(), w.live_stops().front().public_id, 5, "ada"})
              .answered());
  REQUIRE(w.runs().front().ending == core::run_ending::throttled);
  CHECK_FALSE(w.stop_history().front().allowance_consumed_at);

  w.advance(20min);

  CHECK(w.count_rows(core::delivery_status::withdrawn) == 5);
  CHECK(w.stop_history().front().allowance_consumed_at);
}

TEST_CASE("Runs: retention removes them however they ended") {
  harness::world_options options;
  options.settings.delivery.run_retention = 2h;
  conformance_world w(options);
  w.add_rule();
  w.put_record("c-1");
  w.settle();
  w.execute("INSERT INTO delivery_runs (public_id, rule_id, started_at) SELECT 'never-ended', rule_id, "
            "started_at FROM delivery_runs");
  REQUIRE(w.runs().size() == 2);

  w.advance(1h);
  CHECK(w.runs().size() == 2);
  w.advance(3h);
  CHECK(w.runs().empty());
  CHECK(w.state() == core::rule_state::ok); // what the state needs of it is kept
}
