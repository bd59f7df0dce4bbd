#include "core/time.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <limits>
#include <rapidcheck.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

TEST_CASE("a time is written in UTC with microseconds") {
  CHECK(to_rfc3339(from_us(0)) == "1970-01-01T00:00:00.000000Z");
  CHECK(to_rfc3339(from_us(1'769'846'950'123'456)) == "2026-01-31T08:09:10.123456Z");
  CHECK(to_rfc3339(from_us(-1)) == "1969-12-31T23:59:59.999999Z");
  CHECK(to_rfc3339(from_us(951'782'400'000'000)) == "2000-02-29T00:00:00.000000Z");
}

TEST_CASE("a time with any offset and up to six fraction digits is read") {
  struct row {
    std::string_view text;
    std::int64_t us;
  };
  const auto [text, us] = GENERATE(values<row>({{"1970-01-01T00:00:00Z", 0},
                                                {"1970-01-01t00:00:00z", 0},
                                                {"1970-01-01T02:00:00+02:00", 0},
                                                {"1969-12-31T18:30:00-05:30", 0},
                                                {"1970-01-01T00:00:00-00:00", 0},
                                                {"1970-01-01T00:00:00.5Z", 500'000},
                                                {"1970-01-01T00:00:00.000001Z", 1},
                                                {"2026-01-31T08:09:10.123456Z", 1'769'846'950'123'456},
                                                {"2016-12-31T23:59:60Z", 1'483'228'800'000'000},
                                                {"0000-01-01T00:00:00Z", -62'167'219'200'000'000}}));
  INFO(text);
  const auto read = parse_rfc3339(text);
  REQUIRE(read);
  CHECK(to_us(*read) == us);
}

TEST_CASE("what is no RFC 3339 time is refused with a sentence") {
  const std::string_view text = GENERATE(values<std::string_view>(
      {"", "2026", "2026-01-31", "2026-01-31T08:09:10", "2026-01-31 08:09:10Z", "2026-02-29T00:00:00Z",
       "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
       "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567Z",
       "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+0200", "2026-01-01T00:00:00+02:60",
       "2026-01-01T00:00:00Z ", "+026-01-01T00:00:00Z", "2026-1-1T0:0:0Z"}));
  INFO(text);
  const auto read = parse_rfc3339(text);
  REQUIRE_FALSE(read);
  CHECK(read.error().starts_with("a time is written like"));
}

TEST_CASE("every time between the years 0000 and 9999 survives being written and read") {
  CHECK(rc::check([] {
    const auto us = *rc::gen::inRange<std::int64_t>(-62'167'219'200'000'000, 253'402'300'800'000'000);
    RC_ASSERT(parse_rfc3339(to_rfc3339(from_us(us))).value() == from_us(us));
  }));
}

TEST_CASE("a duration is read with its unit, and as a sum") {
  struct row {
    std::string_view text;
    duration expected;
  };
  const auto [text, expected] = GENERATE(values<row>({{"250ms", 250ms},
                                                      {"90s", 90s},
                                                      {"5m", 5min},
                                                      {"2h", 2h},
                                                      {"30d", 720h},
                                                      {"7us", 7us},
                                                      {"0s", 0s},
                                                      {"1h30m", 90min},
                                                      {"1d2h3m4s5ms6us", 26h + 3min + 4s + 5ms + 6us},
                                                      {"106751991d", 106751991 * 24h}}));
  INFO(text);
  const auto read = parse_duration(text);
  REQUIRE(read);
  CHECK(*read == expected);
}

TEST_CASE("what is no duration is refused with the allowed units") {
  const std::string_view text = GENERATE(values<std::string_view>(
      {"", "5", "s", "5 s", " 5s", "5s ", "-5s", "+5s", "1.5h", "5x", "5mm", "30m1h", "1m1m", "1h30",
       "106751992d", "99999999999999999999s", "9223372036854775807us1us"}));
  INFO(text);
  const auto read = parse_duration(text);
  REQUIRE_FALSE(read);
  CHECK(read.error().find("units: d, h, m, s, ms, us") != std::string::npos);
}

TEST_CASE("a duration is written the way people write it") {
  CHECK(to_text(90s) == "90s");
  CHECK(to_text(250ms) == "250ms");
  CHECK(to_text(90min) == "1h30m");
  CHECK(to_text(1min) == "1m");
  CHECK(to_text(2min) == "2m");
  CHECK(to_text(150s) == "2m30s");
  CHECK(to_text(720h) == "30d");
  CHECK(to_text(1500ms) == "1s500ms");
  CHECK(to_text(0s) == "0s");
  CHECK(to_text(-90s) == "-90s");
  CHECK(to_text(duration::min()) == "-106751991d4h54s775ms808us");
}

TEST_CASE("every duration survives being written and read") {
  CHECK(rc::check([] {
    const auto us = *rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max());
    const auto shift = *rc::gen::inRange(0, 63);
    RC_ASSERT(parse_duration(to_text(duration{us >> shift})).value() == duration{us >> shift});
  }));
}

} // namespace
} // namespace sluice::core
