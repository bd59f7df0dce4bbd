#include "app/doctor_mirror.hpp"

#include <catch2/catch.hpp>

namespace sluice::app {
namespace {

using gravity = finding::gravity;

TEST_CASE("a mirror without faults is told so, a domain that nobody reads beside it") {
  const auto found = judge_mirror({}, {{"shop", "custmers"}});
  REQUIRE(found.size() == 2);
  CHECK(found[0].what == gravity::noted);
  CHECK_THAT(found[0].says, Catch::Contains("custmers"));
  CHECK(found[1].what == gravity::well);
}

TEST_CASE("each kind of fault has words of its own and something to do") {
  std::vector<storage::mirror_faults> faults;
  for (const auto what : core::mirror_faults)
    faults.push_back({"shop", "customers", what, {1234, {"1", "2", "3"}}});
  const auto found = judge_mirror(faults, {});
  REQUIRE(found.size() == std::size(core::mirror_faults));
  for (const auto& one : found) {
    CHECK(one.what == gravity::wrong);
    CHECK_THAT(one.says,
               Catch::Contains("domain customers of source shop") && Catch::Contains("(1, 2, 3, …)"));
    CHECK_FALSE(one.to_do.empty());
    CHECK(std::ranges::count(found, one.says, &finding::says) == 1);
  }
}

TEST_CASE("records that were removed from the mirror are a fault, none are nothing") {
  CHECK(judge_removed("customers", {}).empty());
  const auto found = judge_removed("customers", {1, {"7"}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == gravity::wrong);
  CHECK_THAT(found[0].says, Catch::Contains("1 record (7)"));
}

} // namespace
} // namespace sluice::app
