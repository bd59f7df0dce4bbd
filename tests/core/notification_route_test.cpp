#include "core/name_fault.hpp"
#include "core/notification_route.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;

namespace {

notification_route over(const std::vector<std::string>& profiles) {
  notification_route made;
  made.name = "alerts";
  for (const auto& name : profiles)
    made.steps.push_back({name, {}, {}});
  return made;
}

} // namespace

TEST_CASE("a route has one profile at least, eight at most, and none twice") {
  CHECK(route_faults(over({"a"})).empty());
  CHECK(route_faults(over({"a", "b", "c", "d", "e", "f", "g", "h"})).empty());
  REQUIRE(route_faults(over({})).size() == 1);
  CHECK_THAT(route_faults(over({}))[0], Catch::StartsWith("profiles: ") && Catch::Contains("1 to 8"));
  CHECK(route_faults(over({"a", "b", "c", "d", "e", "f", "g", "h", "i"})).size() == 1);
  const auto twice = route_faults(over({"a", "b", "a"}));
  REQUIRE(twice.size() == 1);
  CHECK_THAT(twice[0], Catch::Contains("\"a\" is named twice"));
}

TEST_CASE("every fault of a route is told at once") {
  auto bad = over({"a", "a"});
  bad.name = "";
  CHECK(route_faults(bad).size() == 2);
}

TEST_CASE("a name is text without control characters, and its fault does not quote it") {
  CHECK_FALSE(name_fault("Grüße 🙂", 128));
  CHECK_FALSE(name_fault(std::string(8, 'x'), 8));
  for (const auto& bad : {std::string{}, std::string(9, 'x'), std::string("a\nb"), std::string("a\0b", 3),
                          std::string("a\x7f"), std::string("a\xff")}) {
    const auto fault = name_fault(bad, 8);
    REQUIRE(fault);
    CHECK(*fault == "a name is a text of 1 to 8 bytes of UTF-8 without control characters");
  }
}
