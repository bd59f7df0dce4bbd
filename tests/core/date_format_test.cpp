#include "core/date_format.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <ctime>
#include <rapidcheck.h>

namespace sluice::core {
namespace {

std::string formatted(std::string_view format, std::string_view time) {
  const auto compiled = date_format::compile(format);
  REQUIRE(compiled);
  const auto read = read_date(time);
  REQUIRE(read);
  std::string out;
  compiled->append(out, *read);
  return out;
}

TEST_CASE("dates are read in RFC 3339, as a day, and as a database writes them") {
  const auto expected = parse_rfc3339("2026-01-31T08:09:10.5Z");
  CHECK(read_date("2026-01-31T09:09:10.5+01:00") == *expected);
  CHECK(read_date("2026-01-31 08:09:10.500") == *expected);
  CHECK(read_date("2026-01-31") == *parse_rfc3339("2026-01-31T00:00:00Z"));
  CHECK(read_date("2026-01-31 08:09:10") == *parse_rfc3339("2026-01-31T08:09:10Z"));
  for (const std::string_view text : {"", "2026", "31.01.2026", "2026-1-31", "2026-02-30", "2026-01-31 08:09",
                                      "2026-01-31 08:09:10Z", "tomorrow"}) {
    INFO(text);
    CHECK_FALSE(read_date(text));
  }
}

TEST_CASE("every field of a date format is in UTC and English") {
  struct row {
    std::string_view format;
    std::string_view expected;
  };
  const auto [format, expected] = GENERATE(values<row>({{"%Y-%m-%d", "2026-03-07"},
                                                        {"%d.%m.%y", "07.03.26"},
                                                        {"%e %b %Y", " 7 Mar 2026"},
                                                        {"%A, %B %d; %a", "Saturday, March 07; Sat"},
                                                        {"%j", "066"},
                                                        {"%H:%M:%S.%f", "00:05:09.000120"},
                                                        {"%I %p", "12 AM"},
                                                        {"%FT%T%z %Z", "2026-03-07T00:05:09+0000 UTC"},
                                                        {"%s", "1772841909"},
                                                        {"100%%", "100%"},
                                                        {"no field", "no field"}}));
  INFO(format);
  CHECK(formatted(format, "2026-03-07T01:05:09.00012+01:00") == expected);
}

TEST_CASE("an unknown field of a date format is a fault") {
  for (const std::string_view format : {"%Q", "%", "%Y-%", "%-d", "%c"}) {
    INFO(format);
    CHECK_FALSE(date_format::compile(format));
  }
}

TEST_CASE("dates come out as strftime writes them") {
  constexpr auto format = "%Y %y %m %d %e %j %H %I %M %S %p %a %A %b %B %F %T %%";
  const auto compiled = date_format::compile(format);
  REQUIRE(compiled);
  CHECK(rc::check([&] {
    const std::time_t seconds = *rc::gen::inRange<std::time_t>(-30'000'000'000, 250'000'000'000);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 256> expected{};
    const auto size = std::strftime(expected.data(), expected.size(), format, &parts);
    std::string out;
    compiled->append(out, from_us(seconds * 1'000'000));
    RC_ASSERT(out == std::string(expected.data(), size));
  }));
}

} // namespace
} // namespace sluice::core
