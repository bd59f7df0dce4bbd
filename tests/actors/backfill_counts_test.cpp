#include "actors/backfill_counts.hpp"
#include "harness/virtual_clock.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;

namespace {

const core::timestamp bound = core::from_us(1'700'000'000'000'000);

/// Counts what the test says; each count takes `count_takes`.
struct counts_world {
  actors::backfill_counts::counts ask(core::timestamp until = bound, std::int64_t rules = 1) {
    std::vector<std::pair<core::rule_id, core::timestamp>> asked;
    for (std::int64_t rule = 1; rule <= rules; ++rule)
      asked.emplace_back(core::rule_id{rule}, until);
    const auto count = [&](core::rule_id) -> storage::result<std::optional<core::backfill_progress>> {
      ++counted;
      clock.move_to(clock.steady() + count_takes);
      return found;
    };
    auto told = counts.answer(asked, clock, count);
    REQUIRE(told);
    return *told;
  }

  void pass(core::duration time) { clock.move_to(clock.steady() + time); }

  harness::virtual_clock clock{bound};
  actors::backfill_counts counts;
  std::optional<core::backfill_progress> found{{.until = bound, .generation = 1, .passed = 5, .total = 9}};
  core::duration count_takes{};
  int counted = 0;
};

} // namespace

TEST_CASE("a backfill is counted once a minute") {
  counts_world w;
  REQUIRE(w.ask().size() == 1);
  w.found->passed = 6;
  w.pass(59s);
  CHECK(w.ask().front().second.passed == 5);
  CHECK(w.counted == 1);
  w.pass(1s);
  CHECK(w.ask().front().second.passed == 6);
  CHECK(w.counted == 2);
}

TEST_CASE("a backfill that was aborted and started again is counted afresh") {
  counts_world w;
  (void)w.ask();
  w.found = {{.until = bound + 1s, .generation = 2, .passed = 0, .total = 9}};
  CHECK(w.ask(bound + 1s).front().second.passed == 0);
}

TEST_CASE("a backfill that has ended is not told") {
  counts_world w;
  w.found.reset();
  CHECK(w.ask().empty());
}

TEST_CASE("an answer counts for a moment, and the next one goes on where it left off") {
  counts_world w;
  w.count_takes = 20ms;
  CHECK(w.ask(bound, 5).size() == 2);
  CHECK(w.ask(bound, 5).size() == 4);
  CHECK(w.ask(bound, 5).size() == 5);
  CHECK(w.counted == 5);
}

TEST_CASE("what there is no time to count again is told as it was") {
  counts_world w;
  w.count_takes = 20ms;
  while (w.ask(bound, 4).size() < 4) {
  }
  w.pass(61s);
  CHECK(w.ask(bound, 4).size() == 4);
  CHECK(w.counted == 6);
}
