#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <numeric>
#include <string>

using namespace sluice;
using namespace std::chrono_literals;
using core::action;
using core::circuit_state;
using core::operation;
using core::outcome_kind;
using tests::catch_world;

TEST_CASE("what is delivered is counted by what was asked and what came of it") {
  catch_world w;
  w.add_rule();
  w.put_records(3);
  w.settle();
  w.put_record("c-1", "-new");
  w.target().on("POST", harness::answer(422));
  w.put_record("c-4");
  w.settle();

  auto& counted = w.metrics();
  CHECK(counted.deliveries(operation::create, outcome_kind::accepted).value() == 3);
  CHECK(counted.deliveries(operation::create, outcome_kind::rejected).value() == 1);
  CHECK(counted.deliveries(operation::update, outcome_kind::accepted).value() == 1);
  CHECK(counted.decisions(action::create).value() == 4);
  CHECK(counted.decisions(action::update).value() == 1);
  CHECK(counted.chains_ended(core::run_ending::completed).value() > 0);
  CHECK(counted.chains_ended(core::run_ending::faulted).value() == 0);
  CHECK(counted.chains_running.value() == 0.0);
}

TEST_CASE("a record is in hand until its outcome is durable") {
  catch_world w;
  w.add_rule();
  w.target().next(harness::hang(), 2);
  w.put_records(5);
  w.settle();
  CHECK(w.metrics().records_in_hand.value() == 2.0);
  CHECK(w.metrics().chains_running.value() == 1.0);
  w.advance(2min);
  CHECK(w.metrics().records_in_hand.value() == 0.0);
}

TEST_CASE("a rule that dies leaves nothing in hand behind") {
  catch_world w;
  w.add_rule();
  w.target().next(harness::hang(), 5);
  w.put_records(5);
  w.settle();
  REQUIRE(w.metrics().records_in_hand.value() == 5.0);
  w.kill(w.rule());
  CHECK(w.metrics().records_in_hand.value() == 0.0);
}

TEST_CASE("a circuit is shown in the one state it is in") {
  catch_world w;
  w.add_rule();
  w.target().on("POST", harness::answer(503).after(100ms));
  w.put_records(30);
  w.advance(2s);
  auto& circuit = w.metrics().circuits.of(w.connection_id("crm"));
  CHECK(circuit(circuit_state::open).value() == 1.0);
  CHECK(circuit(circuit_state::closed).value() == 0.0);

  w.target().behave();
  w.advance(30min);
  CHECK(circuit(circuit_state::open).value() == 0.0);
  CHECK(circuit(circuit_state::half_open).value() == 0.0);
  CHECK(circuit(circuit_state::closed).value() == 1.0);
}

TEST_CASE("a 429 is counted as a block, and who has to wait as a wait") {
  catch_world w;
  w.add_rule();
  w.target().next(harness::answer(429));
  w.put_record("c-1");
  w.settle();
  const auto crm = w.connection_id("crm");
  CHECK(w.metrics().throttle_blocks.of(crm)().value() == 1);
  CHECK(w.metrics().throttle_waits.of(crm)().value() >= 1);
  CHECK(w.metrics().deliveries(operation::create, outcome_kind::rate_limited).value() == 1);
}

TEST_CASE("each grouped transaction is counted once, with its rows") {
  catch_world w;
  w.add_rule();
  w.put_records(50);
  w.settle();
  const auto rows = w.metrics().group_rows.value();
  const auto groups = std::accumulate(rows.counts.begin(), rows.counts.end(), std::int64_t{0});
  CHECK(groups > 0);
  CHECK(rows.sum >= 100); // fifty intents and fifty outcomes
  const auto took = w.metrics().commit_duration.value();
  CHECK(std::accumulate(took.counts.begin(), took.counts.end(), std::int64_t{0}) == groups);
  CHECK(w.metrics().commit_failures.value() == 0);
}

TEST_CASE("a target that answers many creates with exists works: its circuit stays closed") {
  catch_world w;
  w.add_rule();
  constexpr auto count = 40;
  for (auto i = 1; i <= count; ++i)
    w.target().hold("c-" + std::to_string(i));
  w.target().on("POST", harness::answer(409));
  w.put_records(count);
  w.advance(5s);
  CHECK(w.count_rows(core::delivery_status::delivered) == count);
  CHECK(w.metrics().deliveries(operation::create, outcome_kind::exists).value() == count);
  for (const auto& run : w.runs())
    CHECK(run.ending == core::run_ending::completed);
}
