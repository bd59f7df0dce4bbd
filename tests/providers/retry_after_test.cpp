#include "providers/retry_after.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace sluice;

TEST_CASE("Retry-After is read as seconds or as any of the three HTTP dates") {
  // 1994-11-06 08:49:37 UTC
  const auto now = core::from_us(784'111'777'000'000);
  struct row {
    std::string text;
    std::optional<std::chrono::seconds> wait;
  };
  using std::chrono::seconds;
  const std::vector<row> rows{
      {"0", seconds{0}},
      {"120", seconds{120}},
      {" 7\t", seconds{7}},
      {"1.2", seconds{2}},
      {"3.0", seconds{3}},
      {"99999999999999999999", std::chrono::days{366}},
      {"999999999", std::chrono::days{366}},
      {"Sun, 06 Nov 1994 08:50:37 GMT", seconds{60}},
      {"Sunday, 06-Nov-94 08:49:47 GMT", seconds{10}},
      {"Sun Nov  6 08:49:38 1994", seconds{1}},
      {"Sun, 06 Nov 1994 08:49:37 GMT", seconds{0}},
      {"Sat, 05 Nov 1994 08:49:37 GMT", seconds{0}},
      {"Mon, 06 Nov 2094 08:49:37 GMT", std::chrono::days{366}},
      {"Monday, 06-Nov-45 08:49:37 GMT", seconds{0}}, // 1945: 2045 lies more than 50 years ahead
      {"", std::nullopt},
      {"-5", std::nullopt},
      {"5s", std::nullopt},
      {"1e30", std::nullopt},
      {"+5", std::nullopt},
      {"0x10", std::nullopt},
      {"NaN", std::nullopt},
      {"120, 5", std::nullopt}, // two headers in one
      {"120\r\n5", std::nullopt},
      {std::string{"5\0", 2}, std::nullopt},
      {"Fri, 31 Dec 9999 23:59:59 GMT", std::chrono::days{366}},
      {"Sat, 01 Jan 0000 00:00:00 GMT", seconds{0}},
      {"1.2.3", std::nullopt},
      {"soon", std::nullopt},
      {"Sun, 06 Nov 1994 08:49:37 CET", std::nullopt},
      {"Sun, 31 Feb 1994 08:49:37 GMT", std::nullopt},
      {"Sun, 06 Nov 1994 24:00:00 GMT", std::nullopt},
      {"Sun, 06 Nov 1994 8:49:37 GMT", std::nullopt},
      {"Sun, 06 Foo 1994 08:49:37 GMT", std::nullopt},
      {"Sun, xx Nov 1994 08:49:37 GMT", std::nullopt},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const auto wait = providers::parse_retry_after(row.text, now);
    REQUIRE(wait.has_value() == row.wait.has_value());
    if (wait) {
      CHECK(*wait == *row.wait);
    }
  }
}
