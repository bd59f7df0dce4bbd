#include "core/decimal.hpp"
#include "tests/core/json_generators.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <rapidcheck.h>

namespace sluice::core {
namespace {

TEST_CASE("numbers compare by value whatever their digits") {
  struct row {
    std::string_view a;
    std::string_view b;
    int order;
  };
  const auto [a, b, order] = GENERATE(values<row>({
      {"1", "1.0", 0},
      {"1", "10e-1", 0},
      {"0.001", "1E-3", 0},
      {"-0", "0", 0},
      {"0e999999999", "0.000", 0},
      {"100", "1e+2", 0},
      {"1", "2", -1},
      {"-1", "1", -1},
      {"-2", "-1", -1},
      {"-1", "0", -1},
      {"0", "0.0000000001", -1},
      {"9", "10", -1},
      {"0.9", "0.10", 1},
      {"1e400", "9e399", 1},
      {"-1e400", "1e-400", -1},
      {"1234567890123456789012345678901234567890", "1234567890123456789012345678901234567891", -1},
      {"0.1", "0.1000000000000000055511151231257827021181583404541015625", -1},
      {"9007199254740993", "9007199254740992", 1},
      {"1e99999999999999999999", "1e99999999999999999999", 0},
  }));
  INFO(a << " against " << b);
  CHECK((compare_numbers(a, b) <=> 0) == (order <=> 0));
  CHECK((compare_numbers(b, a) <=> 0) == (0 <=> order));
}

TEST_CASE("integers compare as integers do") {
  CHECK(rc::check([](std::int64_t a, std::int64_t b, std::uint8_t shift) {
    a >>= shift % 64;
    RC_ASSERT(compare_numbers(std::to_string(a), std::to_string(b)) == (a <=> b));
    RC_ASSERT(compare_numbers(std::to_string(a) + ".00", std::to_string(a)) == std::strong_ordering::equal);
  }));
}

TEST_CASE("a number is what JSON says") {
  CHECK(rc::check([] { RC_ASSERT(is_json_number(*any_number())); }));
  for (const std::string_view text :
       {"", "-", "01", "1.", ".1", "+1", "1e", "1e+", " 1", "1 ", "1a", "--1", "1.2.3", "Infinity"}) {
    INFO(text);
    CHECK_FALSE(is_json_number(text));
  }
}

TEST_CASE("numbers as people write them become JSON numbers") {
  CHECK(to_json_number("007") == "7");
  CHECK(to_json_number("000") == "0");
  CHECK(to_json_number("+1.50") == "1.50");
  CHECK(to_json_number("-00.5") == "-0.5");
  CHECK(to_json_number("12345678901234567890123") == "12345678901234567890123");
  CHECK(to_json_number("1e5") == "1e5");
  for (const std::string_view text :
       {"", "+", "abc", "1,5", "1 000", "1.", ".5", "0x10", "1e", "--1", "+-1"}) {
    INFO(text);
    CHECK_FALSE(to_json_number(text));
  }
}

TEST_CASE("fixed decimals are rounded half away from zero on the digits") {
  struct row {
    std::string_view number;
    unsigned decimals;
    std::string_view expected;
  };
  const auto [number, decimals, expected] = GENERATE(values<row>({
      {"1", 2, "1.00"},
      {"1.005", 2, "1.01"},
      {"2.675", 2, "2.68"},
      {"-1.005", 2, "-1.01"},
      {"1.0049999999999999999999999", 2, "1.00"},
      {"0.5", 0, "1"},
      {"0.49", 0, "0"},
      {"-0.5", 0, "-1"},
      {"-0.4", 0, "0"},
      {"-0", 2, "0.00"},
      {"9.999", 2, "10.00"},
      {"99.5", 0, "100"},
      {"0.05", 1, "0.1"},
      {"0.04", 1, "0.0"},
      {"0.004", 1, "0.0"},
      {"0.0005", 3, "0.001"},
      {"1e3", 1, "1000.0"},
      {"12.34e-1", 2, "1.23"},
      {"1e-400", 2, "0.00"},
      {"12345678901234567890.125", 2, "12345678901234567890.13"},
  }));
  INFO(number);
  CHECK(to_fixed(number, decimals) == expected);
}

TEST_CASE("a number that would fill a page is not written with fixed decimals") {
  CHECK_FALSE(to_fixed("1e1000", 2));
  CHECK_FALSE(to_fixed("1e999999999", 0));
  CHECK(to_fixed("1e900", 2)->size() == 904);
}

TEST_CASE("cents keep their value with two decimals") {
  CHECK(rc::check([](std::int32_t cents) {
    const auto whole = std::to_string(std::abs(std::int64_t{cents}) / 100);
    const auto rest = std::to_string(std::abs(std::int64_t{cents}) % 100);
    const auto expected = (cents < 0 ? "-" : "") + whole + (rest.size() == 1 ? ".0" : ".") + rest;
    RC_ASSERT(to_fixed(std::to_string(cents) + "e-2", 2) == expected);
    RC_ASSERT(to_fixed(expected, 2) == expected);
  }));
}

} // namespace
} // namespace sluice::core
