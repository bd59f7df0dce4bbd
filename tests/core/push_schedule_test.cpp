#include "core/push_schedule.hpp"

#include <catch2/catch.hpp>

#include <rapidcheck.h>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {
const push_schedule schedule;
const timestamp now = from_us(1'767'225'600'000'000);
} // namespace

TEST_CASE(
    "a push is tried again after 1, 5 and 30 minutes, 2 and 6 hours, and the sixth failure is the last") {
  CHECK(schedule.next_attempt(1, {}, now, 0) == now + 1min);
  CHECK(schedule.next_attempt(2, {}, now, 0) == now + 5min);
  CHECK(schedule.next_attempt(3, {}, now, 0) == now + 30min);
  CHECK(schedule.next_attempt(4, {}, now, 0) == now + 2h);
  CHECK(schedule.next_attempt(5, {}, now, 0) == now + 6h);
  CHECK_FALSE(schedule.next_attempt(6, {}, now, 0));
  CHECK_FALSE(schedule.next_attempt(6, 1h, now, 0)); // asking for a wait earns no further attempt
}

TEST_CASE("the wait a subscriber asks for counts where it is the longer one, up to two hours past the own") {
  CHECK(schedule.next_attempt(1, 0s, now, 0) == now + 1min);
  CHECK(schedule.next_attempt(1, 59s, now, 0) == now + 1min);
  CHECK(schedule.next_attempt(1, 10min, now, 0) == now + 10min);
  CHECK(schedule.next_attempt(1, 2h + 1min, now, 0) == now + 2h + 1min);
  CHECK(schedule.next_attempt(1, 3h, now, 0) == now + 2h + 1min);
  CHECK(schedule.next_attempt(5, 30h, now, 0) == now + 8h);
  CHECK(schedule.next_attempt(1, duration::max(), now, 0) == now + 2h + 1min);
  CHECK(schedule.next_attempt(1, duration::min(), now, 0) == now + 1min);
}

TEST_CASE("a push never comes before its own wait, nor later than a tenth and what may be asked for") {
  CHECK(rc::check([](std::int64_t asked_us) {
    const auto failures = *rc::gen::inRange(1, 6);
    const double jitter = *rc::gen::inRange(0, 1001) / 1000.0;
    const duration own = schedule.own.waits[static_cast<std::size_t>(failures) - 1];
    const auto due = schedule.next_attempt(failures, duration{asked_us}, now, jitter);
    RC_ASSERT(due.has_value());
    RC_ASSERT(*due >= now + own);
    RC_ASSERT(*due <= now + own + own / 10 + schedule.asked_beyond_max);
  }));
}
