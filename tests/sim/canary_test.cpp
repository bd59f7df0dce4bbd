#include "sim/simulation.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <initializer_list>

/// A suite nobody can fail proves nothing: each canary must be caught, and by a property it breaks.
using namespace sluice;
using sim::canary;

namespace {

constexpr std::uint64_t seeds_max = 60;
constexpr int hours = 3;

void must_be_caught(canary which, std::initializer_list<int> by) {
  for (std::uint64_t seed = 1; seed <= seeds_max; ++seed) {
    auto made = sim::simulation{{seed, hours, which, {}}}.run();
    if (!made.found)
      continue;
    INFO(sim::verdict(made));
    CHECK(std::ranges::find(by, made.found->property) != by.end());
    return;
  }
  FAIL("no seed of " << seeds_max << " caught " << to_string(which));
}

} // namespace

TEST_CASE("canary caught: a create leaves without its intent") {
  must_be_caught(canary::skips_the_intent, {2, 14});
}

TEST_CASE("canary caught: the cursor passes records that are only being read") {
  must_be_caught(canary::advances_early, {4, 6}); // it writes the cursor itself, past the fence
}

TEST_CASE("canary caught: a node whose lease is lost writes on") {
  must_be_caught(canary::ignores_the_fence, {6});
}

TEST_CASE("canary caught: an outcome is not recorded") {
  must_be_caught(canary::drops_a_row, {1, 2, 3, 4, 5, 10, 14});
}

TEST_CASE("canary caught: a 429 blocks nothing") {
  must_be_caught(canary::forgets_a_block, {9});
}

TEST_CASE("canary caught: a restart begins with a fresh budget") {
  must_be_caught(canary::forgets_the_window, {9});
}

TEST_CASE("canary caught: an unknown create is taken for a failed one") {
  must_be_caught(canary::sends_again, {2, 10, 14});
}

TEST_CASE("canary caught: the next attempt's time is not kept") {
  must_be_caught(canary::retries_at_once, {10});
}

TEST_CASE("canary caught: every failure is the first") {
  must_be_caught(canary::resets_the_attempts, {10});
}

TEST_CASE("canary caught: a record nobody deleted is withdrawn") {
  must_be_caught(canary::withdraws_the_living, {7});
}

TEST_CASE("every canary has a name that reads back") {
  for (std::size_t i = 0; i < sim::canary_count; ++i) {
    auto which = static_cast<canary>(i);
    CHECK(sim::parse_canary(to_string(which)) == which);
  }
  CHECK_FALSE(sim::parse_canary("sings"));
}

TEST_CASE("canary caught: the volume breaker holds nothing back") {
  must_be_caught(canary::ignores_the_hold, {7});
}

TEST_CASE("canary caught: a stop is acknowledged and stops nothing") {
  must_be_caught(canary::forgets_the_stop, {8});
}

TEST_CASE("canary caught: a restart knows of no stop") {
  must_be_caught(canary::resumes_at_start, {8});
}

TEST_CASE("canary caught: a dependent record does not wait for its parent") {
  must_be_caught(canary::ignores_the_anchor, {6});
}

TEST_CASE("canary caught: a dependent record waits, and the ledger does not say for whom") {
  must_be_caught(canary::forgets_the_parent, {1});
}

TEST_CASE("canary caught: fan-out leaves a subscription out") {
  must_be_caught(canary::loses_an_event, {12});
}

TEST_CASE("canary caught: a push's time is not the one it was signed for") {
  must_be_caught(canary::stamps_anew, {11});
}

TEST_CASE("canary caught: the next push's time is not kept") {
  must_be_caught(canary::pushes_at_once, {10});
}

TEST_CASE("canary caught: fan-out writes no ordering keys") {
  must_be_caught(canary::forgets_the_order, {12});
}

TEST_CASE("canary caught: an ambiguous message is sent again") {
  must_be_caught(canary::tells_again, {14});
}

TEST_CASE("canary caught: an ambiguous message falls back") {
  must_be_caught(canary::falls_back_in_doubt, {14});
}

TEST_CASE("canary caught: what a provider tells twice is two events") {
  must_be_caught(canary::counts_duplicates, {13});
}

TEST_CASE("canary caught: a callback is acknowledged and not kept") {
  must_be_caught(canary::loses_a_callback, {13});
}
