#include "core/contact_suppression.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {

const timestamp now = from_us(1'767'225'600'000'000);

contact_suppression told(suppression_reason reason, timestamp at = now) {
  contact_suppression made;
  made.reason = reason;
  made.detail = "550";
  made.at = at;
  made.by = "mail";
  return made;
}

contact_suppression retired(std::optional<timestamp> at, timestamp told_at = now + 9h) {
  auto made = told(suppression_reason::retired_token, told_at);
  made.retired_at = at;
  return made;
}

} // namespace

TEST_CASE("what counts more takes the place of what counts less, and never the other way about") {
  constexpr std::array ascending{suppression_reason::retired_token, suppression_reason::hard_bounce,
                                 suppression_reason::person, suppression_reason::unsubscribed,
                                 suppression_reason::complaint};
  for (std::size_t stands = 0; stands < ascending.size(); ++stands)
    for (std::size_t next = 0; next < ascending.size(); ++next) {
      CAPTURE(stands, next);
      const auto after = suppression_after(told(ascending[stands]), told(ascending[next]), std::nullopt);
      CHECK(after.has_value() == (next > stands));
      if (after)
        CHECK(after->reason == ascending[next]);
    }
}

TEST_CASE("a token registered after the moment it was dead lives, one registered then or before does not") {
  CHECK_FALSE(suppression_after(std::nullopt, retired(now), now + 1us));
  CHECK(suppression_after(std::nullopt, retired(now), now));
  CHECK(suppression_after(std::nullopt, retired(now), now - 1us));
  CHECK(is_outlived(retired(now), now + 1us));
  CHECK_FALSE(is_outlived(retired(now), now));
}

TEST_CASE("a token was dead when that was told, where its provider names no moment or one to come") {
  for (const auto& moment : {std::optional<timestamp>{}, std::optional(now + 1h)}) {
    const auto after = suppression_after(std::nullopt, retired(moment, now), now - 1h);
    REQUIRE(after);
    CHECK(after->retired_at == now);
    CHECK_FALSE(suppression_after(std::nullopt, retired(moment, now), now + 1us));
    CHECK(is_outlived(*after, now + 1us));
  }
}

TEST_CASE("of two moments a token was dead at the later one stands") {
  CHECK(suppression_after(retired(now), retired(now + 1h), std::nullopt)->retired_at == now + 1h);
  CHECK_FALSE(suppression_after(retired(now), retired(now), std::nullopt));
  CHECK_FALSE(suppression_after(retired(now), retired(now - 1h), std::nullopt));
}

TEST_CASE("only a retired token is outlived, and only it says when it was dead") {
  auto bounce = told(suppression_reason::hard_bounce);
  bounce.retired_at = now;
  CHECK_FALSE(is_outlived(bounce, now + 1000h));
  const auto after = suppression_after(retired(now), bounce, now + 1000h);
  REQUIRE(after);
  CHECK_FALSE(after->retired_at);
}
