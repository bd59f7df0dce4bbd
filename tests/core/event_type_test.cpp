#include "core/event_type.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;

TEST_CASE("a pattern is for a type as it is, for everything beneath a word, or for everything") {
  CHECK(matches_event_type("customers.updated", "customers.updated"));
  CHECK_FALSE(matches_event_type("customers.updated", "customers.Updated"));
  CHECK_FALSE(matches_event_type("customers.updated", "customers.updated.again"));
  CHECK(matches_event_type("customers.*", "customers.updated"));
  CHECK(matches_event_type("customers.*", "customers.address.updated"));
  CHECK_FALSE(matches_event_type("customers.*", "customers"));
  CHECK_FALSE(matches_event_type("customers.*", "customers."));
  CHECK_FALSE(matches_event_type("customers.*", "customers_archive.updated"));
  CHECK_FALSE(matches_event_type("customers.*", "orders.updated"));
  CHECK(matches_event_type("*", "anything"));

  const std::vector<std::string> patterns{"orders.created", "customers.*"};
  CHECK(matches_event_type(patterns, "orders.created"));
  CHECK(matches_event_type(patterns, "customers.deleted"));
  CHECK_FALSE(matches_event_type(patterns, "orders.deleted"));
  CHECK_FALSE(matches_event_type(std::vector<std::string>{}, "orders.created"));
}

TEST_CASE("an event type is words between dots") {
  for (const char* type : {"push", "customers.updated", "customer_consents.created", "a.b.c.d", "x-1.Y"}) {
    CAPTURE(type);
    CHECK_FALSE(event_type_fault(type));
  }
  for (const std::string type : {"", ".", "a.", ".a", "a..b", "a b", "a.*", "*", "a/b", "\xc3\xa4.b", "a\n",
                                 std::string(129, 'a').c_str()}) {
    CAPTURE(type);
    CHECK(event_type_fault(type));
  }
  CHECK_FALSE(event_type_fault(std::string(128, 'a')));
  CHECK(
      *event_type_fault("a b")
      == "\"a b\" is no event type; allowed are words of letters, digits, \"_\" and \"-\" with dots between "
         "them, as in \"customers.updated\"");
}

TEST_CASE("every fault of a list of patterns is told with what is allowed") {
  CHECK(event_pattern_faults({"*"}).empty());
  CHECK(event_pattern_faults({"customers.*", "orders.created", "a.b.*"}).empty());
  CHECK(event_pattern_faults({}) == std::vector<std::string>{"no event type is named; \"*\" stands for all"});
  CHECK(event_pattern_faults(std::vector<std::string>(101, "a")).size() == 1);

  const auto faults =
      event_pattern_faults({"*.created", "customers*", "a.*.b", "**", ".*", "fine.*", "a b", "fine.*", ""});
  REQUIRE(faults.size() == 8);
  CHECK(faults[0]
        == "\"*.created\" has \"*\" where it cannot stand: allowed are \"*\" alone and \".*\" at the end");
  CHECK(faults[4].starts_with("\".*\" is no pattern"));
  CHECK(faults[6] == "\"fine.*\" is named twice");
}

TEST_CASE("a long or foreign text is quoted in part") {
  const auto fault = *event_type_fault("\xff" + std::string(1000, 'x'));
  CHECK(fault.size() < 200);
  CHECK(fault.starts_with("\"?xxx"));
}
