#include "core/payload.hpp"
#include "tests/core/json_generators.hpp"

#include <catch2/catch.hpp>

#include <rapidcheck.h>

namespace sluice::core {
namespace {

std::vector<value> read_all(std::vector<std::string> pointers, std::string_view text) {
  auto reader = payload_reader::compile(std::move(pointers));
  REQUIRE(reader);
  std::vector<value> values;
  const auto read = reader->read(text, values);
  INFO((read ? std::string{} : read.error()));
  REQUIRE(read);
  REQUIRE(values.size() == reader->pointers().size());
  return values;
}

value read_one(std::string pointer, std::string_view text) {
  return read_all({std::move(pointer)}, text).front();
}

std::string json_of(const value& v) {
  std::string out;
  append_json(out, v);
  return out;
}

TEST_CASE("a pointer finds its value, whatever its kind") {
  constexpr std::string_view text = R"( {"a": {"b": [10, {"c": "deep"}], "": "unnamed"}, "a/b": 1, "m~n": 2,
    "t": true, "f": false, "n": null, "0": "zero", "e": [], "o": { }, "s": "x\u00e9\n\ud83d\ude00y"} )";
  struct row {
    std::string_view pointer;
    value_kind kind;
    std::string_view text;
  };
  const auto [pointer, kind, expected] =
      GENERATE(values<row>({{"/a/b/0", value_kind::number, "10"},
                            {"/a/b/1/c", value_kind::string, "deep"},
                            {"/a/b/1", value_kind::object, R"({"c":"deep"})"},
                            {"/a/b", value_kind::array, R"([10,{"c":"deep"}])"},
                            {"/a/b/2", value_kind::absent, ""},
                            {"/a/b/00", value_kind::absent, ""},
                            {"/a/b/-", value_kind::absent, ""},
                            {"/a/b/c", value_kind::absent, ""},
                            {"/a/", value_kind::string, "unnamed"},
                            {"/a~1b", value_kind::number, "1"},
                            {"/m~0n", value_kind::number, "2"},
                            {"/t", value_kind::boolean, "true"},
                            {"/f", value_kind::boolean, "false"},
                            {"/n", value_kind::null, "null"},
                            {"/n/x", value_kind::absent, ""},
                            {"/s/x", value_kind::absent, ""},
                            {"/0", value_kind::string, "zero"},
                            {"/e", value_kind::array, "[]"},
                            {"/e/0", value_kind::absent, ""},
                            {"/o", value_kind::object, "{}"},
                            {"/s", value_kind::string, "xé\n😀y"},
                            {"/missing", value_kind::absent, ""},
                            {"/missing/deeper", value_kind::absent, ""}}));
  INFO(pointer);
  const auto found = read_one(std::string{pointer}, text);
  CHECK(found.kind == kind);
  CHECK(found.text == expected);
}

TEST_CASE("the empty pointer is the whole document, made compact") {
  CHECK(read_one("", R"( { "a" : [ 1 , 2.50 ] , "b\t" : "\/" } )").text == R"({"a":[1,2.50],"b\t":"/"})");
  CHECK(read_one("", "-0").text == "-0");
  CHECK(read_one("", "\"\"").kind == value_kind::string);
}

TEST_CASE("values are filled in the pointers' order, nested and repeated ones too") {
  const auto values =
      read_all({"/a/1", "/a", "/b", "/a/1/x", "/a"}, R"({"b": 3, "a": [0, {"x": [true], "y": "\""}, 2]})");
  CHECK(values[0].text == R"({"x":[true],"y":"\""})");
  CHECK(values[1].text == R"([0,{"x":[true],"y":"\""},2])");
  CHECK(values[2].text == "3");
  CHECK(values[3].text == "[true]");
  CHECK(values[4].text == values[1].text);
}

TEST_CASE("numbers keep their digits") {
  const std::string number = GENERATE(values<std::string>(
      {"0", "-0", "-0.0", "1.0", "1.50", "1e400", "-1E-400", "1E+2", "0e0", "0.1e1",
       "12345678901234567890123456789012345678", "1234567890123456789012345678901234567890",
       "-9223372036854775809", "18446744073709551616", "9007199254740993",
       "0.1000000000000000055511151231257827021181583404541015625", "123456789012345.678901234567890123"}));
  INFO(number);
  CHECK(read_one("", number).text == number);
  CHECK(read_one("/id", R"({"id":)" + number + "}").text == number);
  CHECK(read_one("/id", R"({"id":)" + number + R"(,"note":"enough text behind it for a fast path"})").text
        == number);
  CHECK(read_one("/list", R"({"list": [ )" + number + ", " + number + "]}").text
        == "[" + number + "," + number + "]");
}

TEST_CASE("any number keeps its digits wherever it stands") {
  CHECK(rc::check([] {
    const auto number = *any_number();
    const auto values = read_all({"/a", "/b/1"}, R"({"b":[0,)" + number + R"(],"a":)" + number + "}");
    RC_ASSERT(values[0].kind == value_kind::number);
    RC_ASSERT(values[0].text == number);
    RC_ASSERT(values[1].text == number);
  }));
}

TEST_CASE("any text survives being written and read") {
  CHECK(rc::check([] {
    const auto text = *any_text();
    std::string json;
    append_json_string(json, text);
    const auto read = read_one("", json);
    RC_ASSERT(read.kind == value_kind::string);
    RC_ASSERT(read.text == text);
    RC_ASSERT(json_of(read) == json);
  }));
}

TEST_CASE("any compact JSON value comes back as it was, as a whole and as a part") {
  CHECK(rc::check([] {
    const auto json = some_json(3);
    RC_ASSERT(check_payload(json));
    RC_ASSERT(json_of(read_one("", json)) == json);
    const auto parts = read_all({"/x", "/x/0", "/y/1"}, R"({"y":[1,)" + json + R"(],"x":)" + json + "}");
    RC_ASSERT(json_of(parts[0]) == json);
    RC_ASSERT(json_of(parts[2]) == json);
  }));
}

TEST_CASE("a key that stands twice counts with its last value, down to its parts") {
  CHECK(read_one("/a", R"({"a":1,"a":2})").text == "2");
  CHECK(read_one("/a/b", R"({"a":{"b":1},"a":{"c":2}})").kind == value_kind::absent);
  CHECK(read_one("/a/b", R"({"a":{"b":1},"a":null})").kind == value_kind::absent);
  CHECK(read_one("/a/0", R"({"a":[1,2],"a":[]})").kind == value_kind::absent);
  CHECK(read_one("/a/b", R"({"a":{"b":1},"\u0061":{"b":3}})").text == "3");
}

TEST_CASE("a key is found however it is escaped") {
  CHECK(read_one("/naïve", R"({"na\u00efve":1})").text == "1");
  CHECK(read_one("/a\"b", R"({"a\"b":1})").text == "1");
}

TEST_CASE("a reader forgets the payload before") {
  auto reader = payload_reader::compile({"/a", "/b/c"});
  REQUIRE(reader);
  std::vector<value> values;
  REQUIRE(reader->read(R"({"a":"x","b":{"c":[1]}})", values));
  REQUIRE_FALSE(reader->read(R"({"a":"y","b":{"c":[1)", values));
  REQUIRE(reader->read(R"({"b":{}})", values));
  CHECK(values[0].kind == value_kind::absent);
  CHECK(values[0].text.empty());
  CHECK(values[1].kind == value_kind::absent);
}

TEST_CASE("a text that is not one JSON value is refused with the place") {
  const std::string text = GENERATE(values<std::string>({"",
                                                         " ",
                                                         "{",
                                                         "[1,",
                                                         "{\"a\":}",
                                                         "{\"a\":1,}",
                                                         "[1,]",
                                                         "{'a':1}",
                                                         "{a:1}",
                                                         "01",
                                                         "-",
                                                         "1.",
                                                         ".5",
                                                         "+1",
                                                         "1e",
                                                         "0x1",
                                                         "NaN",
                                                         "Infinity",
                                                         "tru",
                                                         "nul",
                                                         "True",
                                                         "\"",
                                                         "\"\\x\"",
                                                         "\"\\u12\"",
                                                         "\"\n\"",
                                                         "\"\t\"",
                                                         "1 2",
                                                         "{} {}",
                                                         "[]]",
                                                         "// no\n1",
                                                         "/**/1",
                                                         "\xEF\xBB\xBF{}",
                                                         "\"\\ud800\"",
                                                         "\"\\udc00\"",
                                                         "\"\\ud800\\u0041\"",
                                                         "1e99999999999"}));
  INFO(text);
  const auto checked = check_payload(text);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().find("at byte ") != std::string::npos);
}

TEST_CASE("bytes that are not UTF-8 are refused") {
  const std::string bytes = GENERATE(
      values<std::string>({"\xFF", "\xC3", "\xC3(", "\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xF0\x80\x80\x80", "\xE2\x82", "\xF0\x9F\x98"}));
  for (const auto& text : {"\"" + bytes + "\"", "{\"" + bytes + "\":1}", "\"\\n" + bytes + "\"",
                           "\"0123456789abcdef" + bytes + "\""}) {
    INFO(text);
    CHECK_FALSE(check_payload(text));
  }
  CHECK(check_payload("\"\xC3\"").error() == "there is no valid UTF-8 at byte 1");
}

TEST_CASE("NUL is refused, raw and escaped, in names and texts, wanted or not") {
  using namespace std::string_literals;
  const std::string text =
      GENERATE(values<std::string>({"\"a\0b\""s, "\0"s, "{}\0"s, R"("\u0000")", R"("a\u0000b")",
                                    R"({"\u0000":1})", R"({"a":{"b\u0000":1}})", R"({"b":["\n\u0000"]})"}));
  INFO(text);
  CHECK_FALSE(check_payload(text));
  auto reader = payload_reader::compile({"/a"});
  std::vector<value> values;
  CHECK_FALSE(reader->read(text, values));
}

TEST_CASE("an escaped backslash before u0000 is no NUL") {
  CHECK(read_one("", R"("\\u0000")").text == R"(\u0000)");
}

TEST_CASE("a payload may be as deep as its limit and no deeper") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(check_payload(nested(64)));
  CHECK(check_payload(nested(65)).error() == "the JSON is nested deeper than 64 levels at byte 64");
  CHECK(check_payload(nested(3), {.depth_max = 3}));
  CHECK_FALSE(check_payload(nested(4), {.depth_max = 3}));
  CHECK_FALSE(check_payload(R"({"a":{"b":{"c":{}}}})", {.depth_max = 3}));
}

TEST_CASE("a payload a million deep is refused without using up the stack") {
  const std::string brackets(1'000'000, '[');
  CHECK_FALSE(check_payload(brackets));
  std::string objects;
  while (objects.size() < 1'000'000) {
    objects += R"({"a":)";
  }
  CHECK_FALSE(check_payload(objects));
  const payload_limits boundless{.depth_max = 10'000'000, .bytes_max = 10'000'000};
  CHECK(check_payload(brackets, boundless).error().find("deeper") != std::string::npos);
  auto reader = payload_reader::compile({"/0/0", ""}, boundless);
  std::vector<value> values;
  CHECK_FALSE(reader->read(brackets, values));
}

TEST_CASE("a payload may be as long as its limit and no longer") {
  const payload_limits limits{.bytes_max = 10};
  CHECK(check_payload("\"12345678\"", limits));
  CHECK_FALSE(check_payload("\"123456789\"", limits));
}

TEST_CASE("a long text with escapes arrives whole") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    text += "line " + std::to_string(i) + " é\n";
  }
  std::string json = R"({"skipped":)";
  append_json_string(json, text);
  json += R"(,"wanted":)";
  append_json_string(json, text);
  json += "}";
  CHECK(read_one("/wanted", json).text == text);
}

TEST_CASE("many pointers are found in one pass") {
  std::string json = "{";
  std::vector<std::string> pointers;
  for (int i = 0; i < 500; ++i) {
    json += (i == 0 ? "\"f" : ",\"f") + std::to_string(i) + "\":[0," + std::to_string(i) + "]";
    pointers.push_back("/f" + std::to_string(499 - i) + "/1");
  }
  const auto values = read_all(pointers, json + "}");
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(values[i].text == std::to_string(499 - i));
  }
}

TEST_CASE("what is no JSON pointer is refused by name") {
  for (const std::string pointer : {"a", "a/b", "/~", "/a~2", "#/a"}) {
    const auto reader = payload_reader::compile({"/fine", pointer});
    REQUIRE_FALSE(reader);
    CHECK(reader.error().find("\"" + pointer + "\"") != std::string::npos);
  }
}

TEST_CASE("an absent value is written as null") {
  CHECK(json_of({}) == "null");
}

} // namespace
} // namespace sluice::core
