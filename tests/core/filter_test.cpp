#include "core/filter.hpp"
#include "tests/core/json_generators.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <rapidcheck.h>

namespace sluice::core {
namespace {

constexpr std::string_view payload =
    R"({"country": "DE", "age": 41, "vip": true, "none": null, "score": 1.0, "empty": "",
  "id": 1234567890123456789012345678901234567891, "tags": ["new", "gold"], "address": {"zip": "10115"}})";

bool passes(const std::string& json, std::string_view text = payload) {
  auto made = filter::compile(json);
  INFO((made ? std::string{} : made.error().front()));
  REQUIRE(made);
  const auto passed = made->passes(text);
  REQUIRE(passed);
  return *passed;
}

TEST_CASE("a test on a field") {
  struct row {
    std::string_view test;
    bool expected;
  };
  const auto [test, expected] = GENERATE(values<row>({
      {R"("field": "/country", "equals": "DE")", true},
      {R"("field": "/country", "equals": "de")", false},
      {R"("field": "/age", "equals": 41)", true},
      {R"("field": "/age", "equals": 4.1e1)", true},
      {R"("field": "/age", "equals": "41")", false},
      {R"("field": "/score", "equals": 1)", true},
      {R"("field": "/id", "equals": 1234567890123456789012345678901234567891)", true},
      {R"("field": "/id", "equals": 1234567890123456789012345678901234567890)", false},
      {R"("field": "/vip", "equals": true)", true},
      {R"("field": "/vip", "equals": false)", false},
      {R"("field": "/vip", "equals": "true")", false},
      {R"("field": "/none", "equals": null)", true},
      {R"("field": "/missing", "equals": null)", false},
      {R"("field": "/empty", "equals": "")", true},
      {R"("field": "/missing", "equals": "")", false},
      {R"("field": "/tags", "equals": "[\"new\",\"gold\"]")", false},
      {R"("field": "/tags/1", "equals": "gold")", true},
      {R"("field": "/address/zip", "prefix": "10")", true},
      {R"("field": "/address/zip", "prefix": "11")", false},
      {R"("field": "/age", "prefix": "4")", false},
      {R"("field": "/missing", "prefix": "")", false},
      {R"("field": "/country", "in": ["FR", "DE", 3])", true},
      {R"("field": "/country", "in": ["FR"])", false},
      {R"("field": "/none", "in": [1, null])", true},
      {R"("field": "/score", "in": [2, 1.00])", true},
      {R"("field": "/country", "exists": true)", true},
      {R"("field": "/country", "exists": false)", false},
      {R"("field": "/none", "exists": true)", true},
      {R"("field": "/missing", "exists": true)", false},
      {R"("field": "/missing", "exists": false)", true},
      {R"("field": "/age", "less": 41)", false},
      {R"("field": "/age", "less": 41.0000000001)", true},
      {R"("field": "/age", "at_most": 41.0)", true},
      {R"("field": "/age", "more": 41)", false},
      {R"("field": "/age", "more": -41)", true},
      {R"("field": "/age", "at_least": 410e-1)", true},
      {R"("field": "/id", "more": 1234567890123456789012345678901234567890)", true},
      {R"("field": "/age", "less": "5")", false},
      {R"("field": "/age", "at_least": "5")", false},
      {R"("field": "/country", "less": 5)", false},
      {R"("field": "/country", "less": "DF")", true},
      {R"("field": "/country", "more": "D")", true},
      {R"("field": "/missing", "less": 5)", false},
      {R"("field": "", "exists": true)", true},
  }));
  INFO(test);
  CHECK(passes("{" + std::string{test} + "}") == expected);
  CHECK(passes(R"({"not": {)" + std::string{test} + "}}") != expected);
}

TEST_CASE("predicates combine") {
  const std::string yes = R"({"field": "/vip", "equals": true})";
  const std::string no = R"({"field": "/vip", "equals": false})";
  CHECK(passes(R"({"all": [)" + yes + "," + yes + "]}"));
  CHECK_FALSE(passes(R"({"all": [)" + yes + "," + no + "]}"));
  CHECK(passes(R"({"any": [)" + no + "," + yes + "]}"));
  CHECK_FALSE(passes(R"({"any": [)" + no + "," + no + "]}"));
  CHECK(passes(R"({"all": [{"any": [)" + no + "," + yes + R"(]}, {"not": {"all": [)" + yes + "," + no
               + "]}}]}"));
}

TEST_CASE("every fault of a filter is told at once, at its place") {
  const auto made = filter::compile(R"({"all": [
    1, {}, {"some": []}, {"any": []}, {"any": {}}, {"not": 3}, {"field": "/a"}, {"field": "a", "equals": 1},
    {"field": 1, "equals": 1}, {"field": "/a", "equals": [1]}, {"field": "/a", "in": "x"}, {"field": "/a", "in": []},
    {"field": "/a", "in": [[1]]}, {"field": "/a", "exists": 1}, {"field": "/a", "prefix": 1}, {"field": "/a", "less": true},
    {"field": "/a", "equals": 1, "less": 2}, {"field": "/a", "equals": 1, "equals": 2}, {"field": "/a", "like": "x", "less": 1},
    {"any": [{"field": "/a", "equals": 1}], "all": []}, {"field": "/fine", "equals": 1}]})");
  REQUIRE_FALSE(made);
  for (int place = 0; place < 20; ++place) {
    const std::string start = "at /all/" + std::to_string(place) + (place == 5 ? "/not: " : ": ");
    INFO(start);
    CHECK(std::ranges::any_of(made.error(),
                              [&](const std::string& fault) { return fault.starts_with(start); }));
  }
  for (const auto& fault : made.error()) {
    CHECK_FALSE(fault.starts_with("at /all/20"));
  }
}

TEST_CASE("a filter that is no JSON object is one fault") {
  for (const std::string_view json : {"", "[]", "{", "true"}) {
    INFO(json);
    const auto made = filter::compile(json);
    REQUIRE_FALSE(made);
    CHECK(made.error().size() == 1);
  }
}

TEST_CASE("a payload that cannot be read does not pass by accident") {
  auto made = filter::compile(R"({"not": {"field": "/a", "exists": true}})");
  REQUIRE(made);
  const auto passed = made->passes("{");
  REQUIRE_FALSE(passed);
  CHECK(passed.error() == "the JSON ends too early, at byte 1");
}

TEST_CASE("a number passes its own bounds whatever its digits, and no strict one") {
  CHECK(rc::check([] {
    const auto number = *any_number();
    const auto test = [&](std::string_view name) {
      return passes(R"({"field": "/n", ")" + std::string{name} + "\": " + number + "}",
                    R"({"n": )" + number + "}");
    };
    RC_ASSERT(test("equals"));
    RC_ASSERT(test("at_most"));
    RC_ASSERT(test("at_least"));
    RC_ASSERT(!test("less"));
    RC_ASSERT(!test("more"));
  }));
}

} // namespace
} // namespace sluice::core
