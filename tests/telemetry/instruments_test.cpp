#include "telemetry/instruments.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <thread>
#include <vector>

using namespace sluice::telemetry;
using namespace std::chrono_literals;

TEST_CASE("a counter loses nothing that several threads add") {
  counter counted;
  {
    std::vector<std::jthread> threads;
    for (auto i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (auto each = 0; each < 10'000; ++each)
          counted.add();
      });
  }
  CHECK(counted.value() == 40'000);
}

TEST_CASE("a gauge that was forgotten has no value until it is set again") {
  gauge level;
  CHECK(level.value() == 0.0);
  level.forget();
  CHECK_FALSE(level.value());
  level.set(3);
  level.add(-1);
  CHECK(level.value() == 2.0);
}

TEST_CASE("what one holder added to a shared gauge goes with it") {
  gauge level;
  gauge_share stays{level};
  stays.take();
  {
    gauge_share goes{level};
    goes.take();
    goes.take();
    goes.give_back();
    goes.take();
    CHECK(goes.held() == 2);
    CHECK(level.value() == 3.0);
  }
  CHECK(level.value() == 1.0);
}

TEST_CASE("a histogram counts a value under the first bound that it does not exceed") {
  static constexpr std::array bounds{0.1, 1.0, 10.0};
  histogram seen{bounds};
  for (const auto value : {0.0, 0.1, 0.2, 1.0, 9.0, 10.5, 99.0})
    seen.observe(value);
  const auto reading = seen.value();
  CHECK(reading.counts == std::vector<std::int64_t>{2, 2, 1, 2});
  CHECK(reading.sum == Approx(119.8));
}

TEST_CASE("durations are told in seconds") {
  CHECK(seconds(1500ms) == Approx(1.5));
}
