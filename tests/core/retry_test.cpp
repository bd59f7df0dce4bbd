#include "core/retry.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {
const retry_schedule schedule{{1min, 5min, 30min, 2h}};
const timestamp now = from_us(1'700'000'000'000'000);
} // namespace

TEST_CASE("each failure in a row waits as its place in the schedule says") {
  CHECK(schedule.next_attempt(1, now, 0) == now + 1min);
  CHECK(schedule.next_attempt(2, now, 0) == now + 5min);
  CHECK(schedule.next_attempt(3, now, 0) == now + 30min);
  CHECK(schedule.next_attempt(4, now, 0) == now + 2h);
}

TEST_CASE("one failure more than there are waits has no next attempt") {
  CHECK_FALSE(schedule.next_attempt(5, now, 0));
  CHECK_FALSE(schedule.next_attempt(std::numeric_limits<std::int32_t>::max(), now, 0));
  CHECK_FALSE(retry_schedule{}.next_attempt(1, now, 0));
}

TEST_CASE("jitter adds up to a tenth of the wait and never subtracts") {
  CHECK(schedule.next_attempt(1, now, 1) == now + 66s);
  CHECK(schedule.next_attempt(1, now, 0.5) == now + 63s);
  CHECK(schedule.next_attempt(1, now, -3) == now + 60s);
  CHECK(schedule.next_attempt(1, now, 7) == now + 66s);
  CHECK(schedule.next_attempt(1, now, std::numeric_limits<double>::quiet_NaN()) == now + 60s);
}
