#include "core/mapping.hpp"
#include "tests/core/json_generators.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <rapidcheck.h>

namespace sluice::core {
namespace {

constexpr std::string_view customer =
    R"({"id": 12345678901234567890123, "email": "  Ada@Example.COM ", "first": "Ada",
  "last": "Lovelace", "balance": 2.675, "vip": true, "born": "1815-12-10", "at": "2026-01-31T01:30:00+02:00",
  "digits": "007", "none": null, "empty": "", "spaces": "  ", "tags": ["a", {"b": 1.0}], "address": {"city": "London"}})";

mirror_record record_with(std::string_view payload) {
  mirror_record record;
  record.source_id = "c-\"1\"";
  record.payload = payload;
  return record;
}

mapping compiled(std::string_view json) {
  auto made = mapping::compile(json);
  INFO((made ? std::string{} : made.error().front()));
  REQUIRE(made);
  return *std::move(made);
}

std::string projected(std::string_view json, std::string_view payload = customer) {
  auto map = compiled(json);
  std::string out = "left over";
  const auto done = map.project(record_with(payload), out);
  INFO((done ? std::string{} : done.error().field + ": " + done.error().what));
  REQUIRE(done);
  return out;
}

projection_error refused(std::string_view json, std::string_view payload = customer) {
  auto map = compiled(json);
  std::string out;
  const auto done = map.project(record_with(payload), out);
  REQUIRE_FALSE(done);
  return done.error();
}

TEST_CASE("a field takes its value from a pointer, a constant or a template") {
  struct row {
    std::string_view source;
    std::string_view expected;
  };
  const auto [source, expected] = GENERATE(values<row>({
      {R"("/first")", R"("Ada")"},
      {R"("/id")", "12345678901234567890123"},
      {R"("/none")", "null"},
      {R"("/empty")", R"("")"},
      {R"("/tags")", R"(["a",{"b":1.0}])"},
      {R"("/tags/1/b")", "1.0"},
      {R"({"from": "/address/city"})", R"("London")"},
      {R"({"value": 1.50})", "1.50"},
      {R"({"value": 1e400})", "1e400"},
      {R"({"value": -0})", "-0"},
      {R"({"value": 1234567890123456789012345678901234567890})", "1234567890123456789012345678901234567890"},
      {R"({"value": {"a": [1.0, null, "\u00e9"]}})", R"({"a":[1.0,null,"é"]})"},
      {R"({"value": null})", "null"},
      {R"({"template": "{/first} {/last}"})", R"("Ada Lovelace")"},
      {R"({"template": "{{{/id}}} of {/vip}{/none}{/missing}"})", R"("{12345678901234567890123} of true")"},
      {R"({"template": "id {source_id}"})", R"("id c-\"1\"")"},
      {R"({"template": "just text"})", R"("just text")"},
      {R"({"template": ""})", R"("")"},
  }));
  INFO(source);
  CHECK(projected(R"({"x": )" + std::string{source} + "}") == R"({"x":)" + std::string{expected} + "}");
}

TEST_CASE("transforms change a value in their order") {
  struct row {
    std::string_view pointer;
    std::string_view transform;
    std::string_view expected;
  };
  const auto [pointer, transform, expected] = GENERATE(values<row>({
      {"/email", R"("trim")", R"("Ada@Example.COM")"},
      {"/email", R"(["trim", "lower"])", R"("ada@example.com")"},
      {"/last", R"("upper")", R"("LOVELACE")"},
      {"/id", R"("lower")", "12345678901234567890123"},
      {"/born", R"({"date": "%d/%m/%Y"})", R"("10/12/1815")"},
      {"/at", R"({"date": "%F %T"})", R"("2026-01-30 23:30:00")"},
      {"/balance", R"({"number": 2})", "2.68"},
      {"/balance", R"([{"number": 1}, "text"])", R"("2.7")"},
      {"/digits", R"("as_number")", "7"},
      {"/digits", R"(["as_number", {"number": 2}])", "7.00"},
      {"/id", R"("text")", R"("12345678901234567890123")"},
      {"/vip", R"("text")", R"("true")"},
      {"/first", R"("text")", R"("Ada")"},
      {"/none", R"(["trim", "text", "as_number", {"date": "%Y"}, {"number": 2}])", "null"},
      {"/empty", R"(["trim", "as_number", {"date": "%Y"}, {"number": 2}])", R"("")"},
      {"/spaces", R"(["trim", "as_number"])", R"("")"},
      {"/first", "[]", R"("Ada")"},
  }));
  INFO(pointer << " " << transform);
  CHECK(projected(R"({"x": {"from": ")" + std::string{pointer} + R"(", "transform": )"
                  + std::string{transform} + "}}")
        == R"({"x":)" + std::string{expected} + "}");
}

TEST_CASE("a number as text keeps being text with fixed decimals") {
  CHECK(projected(R"({"x": {"from": "/n", "transform": {"number": 1}}})", R"({"n": "2.25"})")
        == R"({"x":"2.3"})");
}

TEST_CASE("a template is changed by transforms too") {
  CHECK(projected(R"({"x": {"template": "{/first}.{/last}", "transform": "lower"}})")
        == R"({"x":"ada.lovelace"})");
}

TEST_CASE("a default stands in for what is absent, null or empty") {
  const std::string pointer = GENERATE("/missing", "/none", "/empty", "/spaces");
  INFO(pointer);
  CHECK(projected(R"({"x": {"from": ")" + pointer + R"(", "transform": ["trim", "upper"], "default": 1.0}})")
        == R"({"x":1.0})");
}

TEST_CASE("a default leaves a value alone, false and zero too") {
  CHECK(projected(R"({"x": {"from": "/a", "default": 1}, "y": {"from": "/b", "default": 1}})",
                  R"({"a": false, "b": 0})")
        == R"({"x":false,"y":0})");
}

TEST_CASE("an absent value leaves its field out, and an object of which nothing is left") {
  CHECK(projected(R"({"a": "/missing", "b": "/first", "c": "/missing", "d": "/last"})")
        == R"({"b":"Ada","d":"Lovelace"})");
  CHECK(projected(R"({"/p/q/r": "/missing", "/p/s": "/missing", "x": "/vip"})") == R"({"x":true})");
  CHECK(projected(R"({"a": "/missing"})") == "{}");
  CHECK(projected("{}") == "{}");
  CHECK(projected(R"({"a": "/x"})", "[1]") == "{}");
}

TEST_CASE("a template that finds none of its values is absent") {
  CHECK(
      projected(
          R"({"a": {"template": "{/missing} {/none}{/empty}"}, "b": {"template": "-{/missing}", "default": "?"}})")
      == R"({"b":"?"})");
  CHECK(refused(R"({"a": {"template": "{/missing} {/none}", "required": true}})").field == "a");
}

TEST_CASE("a required field without a value refuses the record and names the field") {
  const std::string pointer = GENERATE("/missing", "/none", "/empty", "/spaces");
  INFO(pointer);
  const auto error = refused(R"({"fine": "/first", "/contact/mail": {"from": ")" + pointer
                             + R"(", "required": true, "transform": "trim"}})");
  CHECK(error.field == "/contact/mail");
  CHECK(error.what == "the field is required, and the record has no value for it");
}

TEST_CASE("a required field is content with its default") {
  CHECK(projected(R"({"x": {"from": "/missing", "required": true, "default": "d"}})") == R"({"x":"d"})");
  CHECK(refused(R"({"x": {"from": "/missing", "required": true, "default": null}})").field == "x");
}

TEST_CASE("a value its transform cannot change refuses the record without telling the value") {
  struct row {
    std::string_view source;
    std::string_view what;
  };
  const auto [source, what] = GENERATE(values<row>({
      {R"({"from": "/first", "transform": "as_number"})", "the text is not a number"},
      {R"({"from": "/first", "transform": {"number": 2}})", "the text is not a number"},
      {R"({"from": "/vip", "transform": {"number": 2}})",
       "number needs a number, and the value is a boolean"},
      {R"({"from": "/vip", "transform": "as_number"})", "as_number needs a text, and the value is a boolean"},
      {R"({"from": "/first", "transform": {"date": "%Y"}})",
       "the text is not a date (RFC 3339 or YYYY-MM-DD[ HH:MM:SS])"},
      {R"({"from": "/id", "transform": {"date": "%Y"}})", "date needs a text, and the value is a number"},
      {R"({"from": "/tags", "transform": "trim"})", "the transform needs a text, and the value is an array"},
      {R"({"from": "/address", "transform": "text"})",
       "the transform needs a text, and the value is an object"},
      {R"({"template": "{/tags}"})", "an array cannot stand in a template"},
  }));
  const auto error = refused(R"({"x": )" + std::string{source} + "}");
  CHECK(error.field == "x");
  CHECK(error.what == what);
}

TEST_CASE("an unreadable payload refuses the record") {
  const auto error = refused(R"({"x": "/a"})", R"({"a": )");
  CHECK(error.field.empty());
  CHECK(error.what == "the payload cannot be read: the JSON ends too early, at byte 6");
}

TEST_CASE("deep targets group into objects in the order of first mention") {
  CHECK(
      projected(
          R"({"/properties/email": "/first", "id": "/vip", "/properties/name": "/last", "/properties/deep/er": "/id",
    "/a~1b/~0": "/vip"})")
      == R"({"properties":{"email":"Ada","name":"Lovelace","deep":{"er":12345678901234567890123}},"id":true,)"
         R"("a/b":{"~":true}})");
  CHECK(projected(R"({"a \"name\"": "/vip"})") == R"({"a \"name\"":true})");
}

TEST_CASE("targets that collide are a fault") {
  for (const std::string_view json :
       {R"({"/a": "/x", "/a/b": "/x"})", R"({"/a/b": "/x", "/a": "/x"})", R"({"a": "/x", "/a": "/x"})",
        R"({"/a/b": "/x", "a": "/x"})", R"({"/a/b": "/x", "/a/b/c/d": "/x"})"}) {
    INFO(json);
    const auto made = mapping::compile(json);
    REQUIRE_FALSE(made);
    CHECK(made.error().size() == 1);
  }
}

TEST_CASE("every fault of a mapping is told at once, at its field") {
  const auto made = mapping::compile(R"({
    "a": "no pointer", "b": 1, "c": {}, "d": {"from": "/x", "value": 1}, "e": {"from": 1},
    "f": {"from": "/x", "transform": ["trim", "shout", {"date": "%Q"}, {"number": -1}, {"number": 1.5}]},
    "g": {"from": "/x", "required": "yes", "defualt": 1}, "h": {"template": "{/x"}, "i": {"template": "}"},
    "j": {"template": "{x}"}, "k": {"value": 1, "required": true}, "l": {"from": "/x", "from": "/y"},
    "m": {"value": {"n": 1, "n": 2}}, "/a/b": "/x", "a": "/x", "": "/x", "/~": "/x", "z": "/fine"})");
  REQUIRE_FALSE(made);
  const auto count = [&](std::string_view start) {
    return std::ranges::count_if(made.error(),
                                 [&](const std::string& fault) { return fault.starts_with(start); });
  };
  CHECK(count("a: ") == 2);
  for (const std::string_view once :
       {"b: ", "c: ", "d: ", "e: ", "h: ", "i: ", "j: ", "k: ", "l: ", "m: ", "/a/b: ", ": ", "/~: "}) {
    INFO(once);
    CHECK(count(once) == 1);
  }
  CHECK(count("f: ") == 4);
  CHECK(count("g: ") == 2);
  CHECK(count("z: ") == 0);
  CHECK(made.error().size() == 21);
}

TEST_CASE("a mapping that is no JSON object is one fault") {
  for (const std::string_view json : {"", "[]", "1", "{", R"({"a": "/x"} x)"}) {
    INFO(json);
    const auto made = mapping::compile(json);
    REQUIRE_FALSE(made);
    CHECK(made.error().size() == 1);
  }
}

TEST_CASE("a target as deep as a stack is refused") {
  std::string target;
  for (int i = 0; i < 100'000; ++i) {
    target += "/a";
  }
  CHECK_FALSE(mapping::compile(R"({")" + target + R"(": "/x"})"));
}

TEST_CASE("one mapping projects record after record, also after a refused one") {
  auto map = compiled(R"({"x": {"from": "/a", "transform": "trim", "required": true}, "y": "/b"})");
  std::string out;
  REQUIRE(map.project(record_with(R"({"a": "1", "b": 2})"), out));
  CHECK(out == R"({"x":"1","y":2})");
  REQUIRE_FALSE(map.project(record_with(R"({"b": 2})"), out));
  REQUIRE(map.project(record_with(R"({"a": " 3"})"), out));
  CHECK(out == R"({"x":"3"})");
}

TEST_CASE("any value passes through a mapping, a constant and a default as it was") {
  CHECK(rc::check([] {
    const auto json = some_json(2);
    auto map = compiled(R"({"/a/pointer": "/x", "constant": {"value": )" + json
                        + R"(}, "default": {"from": "/none", "default": )" + json + "}}");
    std::string out;
    RC_ASSERT(map.project(record_with(R"({"x":)" + json + "}"), out));
    RC_ASSERT(out
              == R"({"a":{"pointer":)" + json + R"(},"constant":)" + json + R"(,"default":)" + json + "}");
  }));
}

} // namespace
} // namespace sluice::core
