#include "core/replay_job.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using enum delivery_state;

namespace {

constexpr timestamp noon{1'700'000'000s};

replay_choice of_states(const delivery_state_set& states) {
  return {noon - 1h, noon, states};
}

} // namespace

TEST_CASE("every state an operator may restart is replayed, and nothing else") {
  for (const auto state : {delivered, retrying, failed, dead})
    CHECK_FALSE(why_not(of_states({state}), {}));
  CHECK_THAT(*why_not(of_states({failed, pending}), {}), Contains("it is waiting to be sent already"));
}

TEST_CASE("what the filter left out is not replayed, and the refusal says why") {
  CHECK_THAT(*why_not_replayed(skipped_filter),
             Contains("changing a filter does not bring back a delivery that was recorded as filtered out"));
  CHECK(why_not(of_states({dead, skipped_filter}), {}) == why_not_replayed(skipped_filter));
}

TEST_CASE("what failed and what is dead is replayed where nobody names a state") {
  CHECK(default_replay_states() == std::vector{failed, dead});
  CHECK_FALSE(why_not(of_states(default_replay_states()), {}));
  CHECK_THAT(*why_not(of_states({}), {}), Contains("no state"));
}

TEST_CASE("a window has a length, and at most the one that is allowed") {
  const replay_limits limits{.deliveries_max = 10, .window_max = 24h};
  CHECK_FALSE(why_no_window(noon - 24h, noon, limits));
  CHECK(why_no_window(noon - 24h - 1us, noon, limits));
  CHECK_THAT(*why_no_window(noon - 48h, noon, limits), Contains("2d") && Contains("at most 1d"));
  CHECK_THAT(*why_no_window(noon, noon, limits), Contains("must lie before"));
  CHECK_THAT(*why_no_window(noon + 1us, noon, limits), Contains("must lie before"));
}

TEST_CASE("a replay takes so many deliveries and not one more") {
  const replay_limits limits{.deliveries_max = 10, .window_max = 24h};
  CHECK_FALSE(why_too_many(0, limits));
  CHECK_FALSE(why_too_many(10, limits));
  CHECK_THAT(*why_too_many(11, limits), Contains("11 such deliveries") && Contains("at most 10"));
}

TEST_CASE("states are read back as they were written") {
  CHECK(to_text({failed, dead}) == "failed,dead");
  CHECK(parse_delivery_states("failed,dead") == std::vector{failed, dead});
  CHECK(parse_delivery_states("retrying") == std::vector{retrying});
  CHECK_FALSE(parse_delivery_states(""));
  CHECK_FALSE(parse_delivery_states("failed,"));
  CHECK_FALSE(parse_delivery_states("failed,strange"));
}
