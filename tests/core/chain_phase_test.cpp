#include "core/chain_phase.hpp"

#include <catch2/catch.hpp>

using sluice::core::chain_phase;
using place = chain_phase::place;

namespace {

chain_phase at_delta() {
  chain_phase phase;
  phase.settled();
  phase.drained();
  return phase;
}

} // namespace

TEST_CASE("a chain settles, then drains, then passes over the changes") {
  chain_phase phase;
  CHECK(phase.at() == place::settle);
  phase.settled();
  CHECK(phase.at() == place::drain);
  phase.drained();
  CHECK(phase.at() == place::delta);
}

TEST_CASE("after a pass come the wake, the backfill and the end, in this order") {
  struct row {
    bool woken;
    bool backfill_open;
    place next;
  };
  const auto expected = GENERATE(row{false, false, place::through}, row{false, true, place::backfill},
                                 row{true, false, place::delta}, row{true, true, place::delta});
  auto phase = at_delta();
  phase.passed(expected.woken, expected.backfill_open);
  CHECK(phase.at() == expected.next);
}

TEST_CASE("a backfill goes on batch by batch, lets a wake in between, and ends at its bound") {
  auto phase = at_delta();
  phase.passed(false, true);
  phase.backfilled(false, false);
  CHECK(phase.at() == place::backfill);
  phase.backfilled(true, false);
  CHECK(phase.at() == place::delta);
  phase.passed(false, true);
  phase.backfilled(false, true);
  CHECK(phase.at() == place::through);
}

TEST_CASE("whatever the chain was at, starting over is a delta pass") {
  chain_phase phase = at_delta();
  phase.passed(false, false);
  phase.start_over();
  CHECK(phase.at() == place::delta);
}
