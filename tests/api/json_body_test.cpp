#include "api/json_body.hpp"

#include <catch2/catch.hpp>

namespace sluice::api {
namespace {

request with_body(std::string body) {
  request made;
  made.body = std::move(body);
  return made;
}

TEST_CASE("members are read by name and type") {
  body_reader body{
      with_body(R"({"reason":"because","count":25,"yes":true,"at":"2026-01-31T12:00:00Z","none":null})")};
  CHECK(body.text("reason", 1, 500) == "because");
  CHECK(body.number("count", 0, 100) == 25);
  CHECK(body.flag("yes"));
  CHECK(core::to_rfc3339(body.time("at")) == "2026-01-31T12:00:00.000000Z");
  CHECK_FALSE(body.optional_text("none", 10));
  CHECK_FALSE(body.optional_number("absent", 0, 1));
  CHECK_FALSE(body.finish());
}

TEST_CASE("a fault names the member, what is wrong and what is allowed") {
  const auto fault_of = [](const std::string& text) {
    body_reader body{with_body(text)};
    (void)body.number("count", 1, 100);
    (void)body.optional_text("note", 3);
    auto fault = body.finish();
    return fault ? std::to_string(fault->status) + " " + fault->detail : std::string{};
  };
  CHECK(fault_of("") == "422 count is missing");
  CHECK(fault_of(R"({"count":null})") == "422 count is missing");
  CHECK(fault_of(R"({"count":"1"})") == "422 count must be a whole number, 1 to 100");
  CHECK(fault_of(R"({"count":0})") == "422 count must be a whole number, 1 to 100");
  CHECK(fault_of(R"({"count":1.0})") == "422 count must be a whole number, 1 to 100");
  CHECK(fault_of(R"({"count":18446744073709551615})") == "422 count must be a whole number, 1 to 100");
  CHECK(fault_of(R"({"count":1,"note":"long"})") == "422 note must be a text of 0 to 3 bytes without NUL");
  CHECK(fault_of(R"({"count":1,"note":"\u0000"})") == "422 note must be a text of 0 to 3 bytes without NUL");
  CHECK(fault_of(R"({"count":1,"other":1})") == "422 other is not a member of this request");
  CHECK(fault_of("{") == "400 the body is not JSON: the JSON ends too early, at byte 1");
  CHECK(fault_of("[1]") == "400 the body is array; allowed is an object");
  CHECK(fault_of(R"({"count":1})").empty());
}

TEST_CASE("a list of pairs takes objects of two texts and nothing else") {
  body_reader good{with_body(R"({"links":[{"a":"1","b":"x"},{"b":"","a":"2"}]})")};
  const auto pairs = good.text_pairs("links", "a", "b", 2);
  CHECK_FALSE(good.finish());
  CHECK(pairs == std::vector<std::pair<std::string, std::string>>{{"1", "x"}, {"2", ""}});
  const auto fault_of = [](const std::string& text) {
    body_reader body{with_body(text)};
    CHECK(body.text_pairs("links", "a", "b", 2).empty());
    auto fault = body.finish();
    return fault ? fault->detail : std::string{};
  };
  const std::string item = " must be an object of the texts a and b, without NUL, and of nothing else";
  CHECK(fault_of("{}") == "links is missing");
  CHECK(fault_of(R"({"links":[]})") == "links must be a list of 1 to 2 objects");
  CHECK(fault_of(R"({"links":{"a":"1","b":"x"}})") == "links must be a list of 1 to 2 objects");
  CHECK(fault_of(R"({"links":[1,2,3]})") == "links must be a list of 1 to 2 objects");
  CHECK(fault_of(R"({"links":[{"a":"1","b":"x"},{"a":"1"}]})") == "links[1]" + item);
  CHECK(fault_of(R"({"links":[{"a":"1","b":2}]})") == "links[0]" + item);
  CHECK(fault_of(R"({"links":[{"a":"1","b":"x","c":"y"}]})") == "links[0]" + item);
  CHECK(fault_of(R"({"links":[{"a":"1","b":"\u0000"}]})") == "links[0]" + item);
}

TEST_CASE("a body that nests too deep is refused before it is parsed") {
  body_reader body{with_body(R"({"a":")" + std::string(100, '[') + R"("})")};
  (void)body.optional_text("a", 200);
  CHECK_FALSE(body.finish());
  const std::string brackets(500'000, '[');
  body_reader deep{with_body(brackets)};
  const auto fault = deep.finish();
  REQUIRE(fault);
  CHECK(fault->status == 400);
}

TEST_CASE("a body that is not JSON is refused with the place, and a number nobody can hold by its name") {
  const auto fault_of = [](const std::string& text) { return body_reader{with_body(text)}.finish()->detail; };
  CHECK(fault_of(R"({"a":)") == "the body is not JSON: the JSON ends too early, at byte 5");
  CHECK(fault_of("\xef\xbb\xbf{\"a\":,}").starts_with("the body is not JSON: "));
  CHECK(fault_of("{\"a\":\"\xff\"}") == "the body is not JSON: there is no valid UTF-8 at byte 6");
  CHECK(fault_of(R"({"a":1e400})") == "the body holds a number beyond 1.7976931348623157e308");
}

TEST_CASE("a query's number is within its bounds or refused") {
  request asked;
  asked.query = {{"limit", "20"}, {"bad", "2x"}};
  CHECK(query_number(asked, "limit", 100, 1, 1000) == 20);
  CHECK(query_number(asked, "absent", 100, 1, 1000) == 100);
  CHECK(query_number(asked, "bad", 1, 1, 10).error().status == 422);
  CHECK(query_number(asked, "limit", 1, 1, 10).error().detail == "limit must be a whole number, 1 to 10");
}

TEST_CASE("an object is read with its numbers' digits, and null is told from nothing") {
  const std::string filter = R"({"equals" : 1234567890123456789012345678901234567890})";
  body_reader body{with_body("{\"filter\":" + filter + R"(,"none":null})")};
  CHECK(body.optional_object_text("filter") == R"({"equals":1234567890123456789012345678901234567890})");
  CHECK(body.optional_object_text("none") == "");
  CHECK_FALSE(body.optional_object_text("absent"));
  CHECK_FALSE(body.finish());
  body_reader wrong{with_body(R"({"filter":[1]})")};
  CHECK_FALSE(wrong.optional_object_text("filter"));
  CHECK(wrong.finish()->detail == "filter must be an object, of UTF-8 without NUL");
}

TEST_CASE("a list of objects is one, and no longer than allowed") {
  const auto fault_of = [](const std::string& text) {
    body_reader body{with_body(text)};
    (void)body.optional_objects("headers", 2);
    return body.finish().has_value();
  };
  body_reader body{with_body(R"({"headers":[{"name":"a"},{}]})")};
  REQUIRE(body.optional_objects("headers", 2)->size() == 2);
  CHECK_FALSE(fault_of("{}"));
  CHECK(fault_of(R"({"headers":{}})"));
  CHECK(fault_of(R"({"headers":["a"]})"));
  CHECK(fault_of(R"({"headers":[{},{},{}]})"));
}

} // namespace
} // namespace sluice::api
