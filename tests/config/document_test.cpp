#include "config/document.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace sluice::config {
namespace {

std::string toml_as_json(const std::string& text) {
  const auto parsed = parse_toml(text);
  return parsed ? to_json(*parsed) : std::to_string(parsed.error().line) + ": " + parsed.error().what;
}

std::string json_again(const std::string& text) {
  const auto parsed = parse_json(text);
  return parsed ? to_json(*parsed) : std::to_string(parsed.error().line) + ": " + parsed.error().what;
}

TEST_CASE("TOML's numbers keep their digits") {
  CHECK(toml_as_json(
            "a = 1.10\nb = 0.30000000000000000000000000000004\nc = 1_000.5\nd = +2.50\ne = -7e+09\nf = 0x10")
        == R"({"a":1.10,"b":0.30000000000000000000000000000004,"c":1000.5,"d":2.50,"e":-7e+09,"f":16})");
  CHECK(toml_as_json("\"é\" = [\"ü\", 1.50, {x = 2.00}]") == R"({"é":["ü",1.50,{"x":2.00}]})");
}

TEST_CASE("TOML's members keep the order of the file, and dates are texts") {
  CHECK(toml_as_json("z = 1\na = 2\nwhen = 2026-01-31T08:09:10Z\nday = 2026-01-31 # a comment")
        == R"({"z":1,"a":2,"when":"2026-01-31T08:09:10Z","day":"2026-01-31"})");
}

TEST_CASE("what TOML has and JSON has not is refused with its line") {
  CHECK(toml_as_json("a = 1\nb = nan") == "2: inf and nan are not allowed; allowed are finite numbers");
  CHECK(toml_as_json("a = 1\nb = -inf").starts_with("2: inf and nan"));
  CHECK(
      toml_as_json("\na = 1234567890123456789012345678901234567890").find("a longer one is written as a text")
      != std::string::npos);
}

TEST_CASE("JSON's numbers keep their digits") {
  const std::string text =
      R"({"id":1234567890123456789012345678901234567890,"one":1.0,"e":1E5,"list":[null,true,-3]})";
  CHECK(json_again(text) == text);
}

TEST_CASE("JSON faults have their line") {
  CHECK(json_again("{\n\"a\": 1,\n\"a\": 2}") == "3: \"a\" stands here twice; each name is allowed once");
  CHECK(json_again("{\n\n\"a\" 1}").starts_with("3: this is not JSON"));
  CHECK(json_again("").starts_with("1: this is not JSON"));
  CHECK(json_again("{\"a\": \"\xff\"}").starts_with("1: this is not JSON"));
}

TEST_CASE("nesting has a limit") {
  CHECK(json_again(std::string(1'000'000, '[')).find("nested more than 64 deep") != std::string::npos);
  CHECK(json_again(std::string(64, '[') + std::string(64, ']')).starts_with("[["));
}

} // namespace
} // namespace sluice::config
