#include "core/circuit.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {

const timestamp start = from_us(1'700'000'000'000'000);

[[nodiscard]] circuit opened_by(circuit_signal signal) {
  circuit it;
  it.report(signal, 10, start);
  return it;
}

[[nodiscard]] circuit half_open(circuit_signal opened = circuit_signal::transient) {
  circuit it = opened_by(opened);
  REQUIRE(it.ask(start + 60s).one);
  return it;
}

} // namespace

TEST_CASE("a closed circuit lets many calls start") {
  circuit it;
  const auto given = it.ask(start);
  CHECK(given.many);
  CHECK_FALSE(given.one);
  CHECK_FALSE(given.retry_at);
}

TEST_CASE("failures of one kind in a row open the circuit") {
  for (const auto signal : {circuit_signal::transient, circuit_signal::gone, circuit_signal::rejected}) {
    circuit it;
    for (int failure = 0; failure < 9; ++failure)
      it.report(signal, 1, start);
    CHECK(it.state() == circuit_state::closed);
    it.report(signal, 1, start);
    CHECK(it.state() == circuit_state::open);
    CHECK(it.open_until() == start + 60s);
    const auto given = it.ask(start + 1s);
    CHECK_FALSE(given.many);
    CHECK_FALSE(given.one);
    CHECK(given.retry_at == start + 60s);
  }
}

TEST_CASE("a success or a failure of another kind breaks the row") {
  circuit it;
  it.report(circuit_signal::transient, 9, start);
  it.report(circuit_signal::success, 1, start);
  it.report(circuit_signal::transient, 9, start);
  CHECK(it.state() == circuit_state::closed);
  it.report(circuit_signal::gone, 9, start);
  CHECK(it.state() == circuit_state::closed);
  it.report(circuit_signal::gone, 1, start);
  CHECK(it.state() == circuit_state::open);
}

TEST_CASE("groups of answers count each of theirs, however large") {
  circuit it;
  it.report(circuit_signal::transient, 9, start);
  it.report(circuit_signal::transient, 2'147'483'647, start);
  CHECK(it.state() == circuit_state::open);
}

TEST_CASE("after the cooldown one trial may start and no other until its answer is in") {
  circuit it = opened_by(circuit_signal::transient);
  CHECK_FALSE(it.ask(start + 60s - 1us).one);
  CHECK(it.ask(start + 60s).one);
  CHECK(it.state() == circuit_state::half_open);
  const auto second = it.ask(start + 61s);
  CHECK_FALSE(second.one);
  CHECK_FALSE(second.many);
  REQUIRE(second.retry_at);
  CHECK(*second.retry_at > start + 61s);
}

TEST_CASE("a trial that was never made goes to the next asker") {
  circuit it = half_open();
  it.give_back_trial();
  CHECK(it.ask(start + 61s).one);
}

TEST_CASE("a trial that succeeds closes the circuit and forgets its longer cooldowns") {
  circuit it = half_open();
  it.report(circuit_signal::transient, 1, start + 61s);
  REQUIRE(it.open_until() == start + 61s + 120s);
  REQUIRE(it.ask(start + 200s).one);
  it.report(circuit_signal::success, 1, start + 200s);
  CHECK(it.state() == circuit_state::closed);
  CHECK(it.ask(start + 200s).many);
  it.report(circuit_signal::transient, 10, start + 201s);
  CHECK(it.open_until() == start + 201s + 60s);
}

TEST_CASE("each failed trial doubles the cooldown up to the longest") {
  circuit it = opened_by(circuit_signal::transient);
  timestamp at = start;
  for (const auto wait : {120s, 240s, 480s, 900s, 900s}) {
    at = *it.open_until();
    REQUIRE(it.ask(at).one);
    it.report(circuit_signal::transient, 1, at);
    CHECK(it.open_until() == at + wait);
  }
}

TEST_CASE("a trial answered with another record's fault shows that the outage is over") {
  circuit it = half_open(circuit_signal::transient);
  it.report(circuit_signal::rejected, 1, start + 61s);
  CHECK(it.state() == circuit_state::closed);
  it.report(circuit_signal::rejected, 9, start + 62s);
  CHECK(it.state() == circuit_state::open);

  it = half_open(circuit_signal::rejected);
  it.report(circuit_signal::rejected, 1, start + 61s);
  CHECK(it.state() == circuit_state::open);

  it = half_open(circuit_signal::gone);
  it.report(circuit_signal::transient, 1, start + 61s);
  CHECK(it.state() == circuit_state::open);
}

TEST_CASE("answers of calls that were out when the circuit opened change nothing") {
  circuit it = opened_by(circuit_signal::transient);
  it.report(circuit_signal::success, 5, start + 1s);
  it.report(circuit_signal::transient, 50, start + 2s);
  CHECK(it.state() == circuit_state::open);
  CHECK(it.open_until() == start + 60s);
}

TEST_CASE("a wall clock set back does not lengthen the cooldown") {
  circuit it = opened_by(circuit_signal::transient);
  CHECK(it.ask(start - 24h).retry_at == start - 24h + 60s);
  CHECK(it.ask(start - 24h + 60s).one);
}

TEST_CASE("a longest cooldown below the first one does not shorten it") {
  circuit it{{.failures = 1, .cooldown = 60s, .cooldown_max = 10s}};
  it.report(circuit_signal::gone, 1, start);
  REQUIRE(it.ask(start + 60s).one);
  it.report(circuit_signal::gone, 1, start + 60s);
  CHECK(it.open_until() == start + 120s);
}

TEST_CASE("every state of a circuit has its word") {
  CHECK(to_string(circuit_state::closed) == "closed");
  CHECK(to_string(circuit_state::open) == "open");
  CHECK(to_string(circuit_state::half_open) == "half_open");
}
