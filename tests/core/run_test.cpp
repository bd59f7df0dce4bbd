#include "core/run.hpp"

#include <catch2/catch.hpp>

using namespace sluice;

TEST_CASE("every run ending is read back from its word") {
  for (const auto ending :
       {core::run_ending::completed, core::run_ending::route_closed, core::run_ending::breaker_open,
        core::run_ending::throttled, core::run_ending::stopped, core::run_ending::faulted,
        core::run_ending::abandoned})
    CHECK(core::parse_run_ending(core::to_string(ending)) == ending);
  CHECK(core::to_string(core::run_ending::abandoned) == "abandoned");
  CHECK_FALSE(core::parse_run_ending("running").has_value());
  CHECK_FALSE(core::parse_run_ending("").has_value());
}

TEST_CASE("run counts add up member by member") {
  core::run_counts one{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  one += core::run_counts{10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110};
  CHECK(one == core::run_counts{11, 22, 33, 44, 55, 66, 77, 88, 99, 110, 121});
}
