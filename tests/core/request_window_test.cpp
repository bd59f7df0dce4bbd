#include "core/request_window.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <rapidcheck.h>
#include <string>
#include <vector>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {

const timestamp start = from_us(1'700'000'000'000'000);

struct call {
  timestamp granted{};
  std::optional<timestamp> ended; ///< nothing: still out
};

/// The most calls whose [granted, ended] meets one span of 60 s, both ends of it included.
[[nodiscard]] std::int64_t busiest_minute(const std::vector<call>& calls) {
  std::int64_t most = 0;
  const auto ended = [](const call& it) { return it.ended.value_or(timestamp::max()); };
  // A span meets the most calls when it begins as one of them ends, or, with none over, anywhere late.
  for (const call& first : calls) {
    const timestamp from = std::min(ended(first), calls.back().granted);
    most = std::max<std::int64_t>(most, std::ranges::count_if(calls, [&](const call& it) {
                                    return ended(it) >= from && it.granted <= from + request_window::window;
                                  }));
  }
  return most;
}

/// A throttle as it is used: text is kept durable at every grant, and a crash goes back to it.
struct world {
  explicit world(std::int64_t limit) : window(limit), saved(window.to_text()) {}

  void take(std::int64_t wanted) {
    const auto given = window.take(wanted, now);
    saved = window.to_text();
    RC_ASSERT(given.now >= 0 && given.now <= wanted);
    RC_ASSERT(given.rest_at.has_value() == (given.now < wanted));
    if (given.rest_at)
      RC_ASSERT(*given.rest_at > now);
    for (std::int64_t made = 0; made < given.now; ++made)
      calls.push_back({.granted = now, .ended = std::nullopt});
  }

  void end(std::int64_t wanted) {
    std::int64_t ended = 0;
    for (call& it : calls)
      if (!it.ended && ended < wanted) {
        it.ended = now;
        ++ended;
      }
    window.end(ended, now);
  }

  void give_back(std::int64_t wanted) {
    std::int64_t back = 0;
    while (back < wanted && !calls.empty() && !calls.back().ended) {
      calls.pop_back();
      ++back;
    }
    window.give_back(back);
  }

  void restart(bool crashed) {
    auto back = request_window::from_text(crashed ? saved : window.to_text(), window.limit(), now);
    RC_ASSERT(back.has_value());
    window = *back;
    for (call& it : calls)
      if (!it.ended)
        it.ended = now;
  }

  request_window window;
  std::string saved;
  timestamp now = start;
  std::vector<call> calls;
};

void act(world& world, int what) {
  switch (what) {
  case 0:
  case 1:
  case 2:
    world.take(*rc::gen::inRange<std::int64_t>(0, 8));
    break;
  case 3:
  case 4:
    world.end(*rc::gen::inRange<std::int64_t>(0, 8));
    break;
  case 5:
    world.give_back(*rc::gen::inRange<std::int64_t>(0, 3));
    break;
  case 6:
    world.restart(*rc::gen::arbitrary<bool>());
    break;
  default:
    world.now += duration{*rc::gen::inRange<std::int64_t>(0, 40'000'000)};
  }
}

} // namespace

TEST_CASE("no 60 seconds ever see more calls than the limit, whatever happens between") {
  CHECK(rc::check("the budget holds", [] {
    const auto limit = *rc::gen::inRange<std::int64_t>(1, 12);
    world world{limit};
    for (const int what : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 10)))
      act(world, what);
    if (!world.calls.empty())
      RC_ASSERT(busiest_minute(world.calls) <= limit);
  }));
}

TEST_CASE("asking at the time that was named brings at least one more") {
  CHECK(rc::check("the named time is right", [] {
    world world{*rc::gen::inRange<std::int64_t>(1, 12)};
    for (const int what : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 10)))
      act(world, what);
    world.end(100);
    const auto first = world.window.take(100, world.now);
    world.window.end(first.now, world.now);
    RC_ASSERT(first.rest_at.has_value());
    RC_ASSERT(world.window.take(1, *first.rest_at).now == 1);
  }));
}

TEST_CASE("a slot frees 60 seconds after its call ended, not after it was granted") {
  request_window window{1};
  CHECK(window.take(1, start).now == 1);
  CHECK(window.outstanding() == 1);
  CHECK(window.take(1, start + 10min).now == 0);
  window.end(1, start + 10min);
  CHECK(window.outstanding() == 0);
  const auto refused = window.take(1, start + 10min + 60s);
  CHECK(refused.now == 0);
  REQUIRE(refused.rest_at);
  CHECK(*refused.rest_at <= start + 10min + 60s + 100ms);
  CHECK(window.take(1, *refused.rest_at).now == 1);
}

TEST_CASE("a grant is split into what is free and when to ask again") {
  request_window window{5};
  const auto given = window.take(8, start);
  CHECK(given.now == 5);
  REQUIRE(given.rest_at);
  CHECK(*given.rest_at > start + 60s);
}

TEST_CASE("a slot that was not used is free at once") {
  request_window window{2};
  CHECK(window.take(2, start).now == 2);
  window.give_back(1);
  CHECK(window.take(2, start).now == 1);
}

TEST_CASE("no limit grants everything and remembers nothing") {
  request_window window;
  CHECK(window.take(100'000, start).now == 100'000);
  window.end(100'000, start);
  CHECK(window.to_text() == "w1 0 -");
}

TEST_CASE("a block grants nothing until it ends and is never shortened") {
  request_window window{10};
  window.block(start + 5min, start);
  window.block(start + 1min, start);
  CHECK(window.blocked_until(start) == start + 5min);
  const auto given = window.take(3, start + 2min);
  CHECK(given.now == 0);
  CHECK(given.rest_at == start + 5min);
  CHECK_FALSE(window.blocked_until(start + 5min));
  CHECK(window.take(3, start + 5min).now == 3);
}

TEST_CASE("a block holds an unlimited window too") {
  request_window window;
  window.block(start + 1s, start);
  CHECK(window.take(1, start).now == 0);
}

TEST_CASE("a lower limit counts what is out and what is cooling") {
  request_window window{4};
  CHECK(window.take(4, start).now == 4);
  window.end(2, start);
  window.end(2, start + 30s);
  window.set_limit(2);
  const auto given = window.take(1, start + 61s);
  CHECK(given.now == 0);
  REQUIRE(given.rest_at);
  CHECK(*given.rest_at > start + 90s);
  CHECK(window.take(1, *given.rest_at).now == 1);
}

TEST_CASE("a wall clock set back does not lock the budget up") {
  request_window window{1};
  CHECK(window.take(1, start).now == 1);
  window.end(1, start);
  const timestamp earlier = start - 24h;
  CHECK(window.take(1, earlier).now == 0);
  CHECK(window.take(1, earlier + 61s).now == 1);
}

TEST_CASE("a wall clock set back does not lengthen a block") {
  request_window window{1};
  window.block(start + 30s, start);
  const timestamp earlier = start - 24h;
  CHECK(window.take(1, earlier).rest_at == earlier + 30s);
  CHECK(window.take(1, earlier + 29s).now == 0);
  CHECK(window.take(1, earlier + 30s).now == 1);
}

TEST_CASE("near ends share an entry, so that the text stays short at any rate") {
  request_window window{100'000};
  CHECK(window.take(60'000, start).now == 60'000);
  for (int call = 0; call < 60'000; ++call)
    window.end(1, start + call * 1ms);
  CHECK(window.to_text().size() < 12'000);
}

TEST_CASE("a block and cooling slots survive their text, and what was out is cooling from then on") {
  request_window window{3};
  CHECK(window.take(3, start).now == 3);
  window.end(1, start + 1s);
  window.block(start + 10s, start);
  auto back = request_window::from_text(window.to_text(), 3, start + 20s);
  REQUIRE(back);
  CHECK(back->outstanding() == 0);
  CHECK_FALSE(back->blocked_until(start + 20s));
  CHECK(back->take(3, start + 62s).now == 1);
  CHECK(back->take(3, start + 81s).now == 2);

  back = request_window::from_text(window.to_text(), 3, start + 5s);
  REQUIRE(back);
  CHECK(back->blocked_until(start + 5s) == start + 10s);
}

TEST_CASE("unreadable text gives no window") {
  for (const char* text :
       {"", "w1", "w2 0 -", "w1 0", "w1 -1 -", "w1 x -", "w1 0 - ", "w1 0 - 1", "w1 0 - 1@", "w1 0 - @5",
        "w1 0 - 0@5", "w1 0 - 1@5x", "w1  0 -", "w1 0 - 1@99999999999999999999", "w1 0 9223372036854775807",
        "w1 2000000000 -", "w1 0 - 1@5  1@6", "{}"}) {
    INFO(text);
    CHECK_FALSE(request_window::from_text(text, 5, start));
  }
  CHECK(request_window::from_text("w1 0 -", 5, start));
}

TEST_CASE("a window's text tells of its block without being read whole") {
  request_window window(3);
  CHECK_FALSE(request_window::block_of(window.to_text()));
  window.block(start + 10s, start);
  static_cast<void>(window.take(3, start + 5s));
  CHECK(request_window::block_of(window.to_text()) == std::optional{start + 10s});
  for (const char* text : {"", "w1", "w2 0 5", "w1 0 x", "{}"})
    CHECK_FALSE(request_window::block_of(text));
}
