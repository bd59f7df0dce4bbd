#include "actors/alarm.hpp"
#include "harness/mocks.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <functional>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;

namespace {

struct alarm_world : tests::catch_world {
  alarm_world()
      : catch_world({.node = false}), alarm(spawn("alarm", actors::alarm, std::cref(clock()))),
        listener(mock<m::alarm_listener>("listener")) {
    listener.accept<m::alarm_rang>();
  }

  void set(core::duration in, std::uint64_t token) {
    inject(m::set_alarm{now() + in, {token}, listener.actor()}).from(listener).to(alarm);
  }

  [[nodiscard]] std::vector<std::uint64_t> rung() const {
    std::vector<std::uint64_t> tokens;
    for (auto rang : listener.got<m::alarm_rang>())
      tokens.push_back(rang.token.value);
    return tokens;
  }

  m::alarm alarm;
  harness::mock_alarm_listener listener;
};

using tokens = std::vector<std::uint64_t>;

} // namespace

TEST_CASE("an alarm rings at its time and not before") {
  alarm_world w;
  w.set(90s, 7);

  w.advance(90s - 1us);
  CHECK(w.rung().empty());

  w.advance(1us);
  CHECK(w.rung() == tokens{7});
  w.advance(10min);
  CHECK(w.rung() == tokens{7});
}

TEST_CASE("alarms ring in the order of their times, equal ones in the order they were set") {
  alarm_world w;
  w.set(30s, 1);
  w.set(10s, 2);
  w.set(30s, 3);
  w.set(20s, 4);

  w.advance(1min);

  CHECK(w.rung() == tokens{2, 4, 1, 3});
}

TEST_CASE("an alarm whose time is past rings at once") {
  alarm_world w;
  w.set(-5s, 1);

  w.expect<m::set_alarm>().from(w.listener).to(w.alarm);
  w.expect<m::alarm_rang>().from(w.alarm).to(w.listener);
}

TEST_CASE("a wall clock that jumps forth rings what fell due within a second") {
  alarm_world w;
  w.set(1h, 1);
  w.advance(10s);

  w.jump_wall_clock(2h);
  w.advance(1s);

  CHECK(w.rung() == tokens{1});
}

TEST_CASE("a wall clock that jumps back makes an alarm wait for its time") {
  alarm_world w;
  w.set(1min, 1);
  w.advance(10s);

  w.jump_wall_clock(-1h);
  w.advance(1h);
  CHECK(w.rung().empty());

  w.advance(50s);
  CHECK(w.rung() == tokens{1});
}

TEST_CASE("a timer rings once its time has passed, whatever the wall clock is set to") {
  auto by = GENERATE(as<core::duration>{}, -1h, 0h, 1h);
  CAPTURE(by.count());
  alarm_world w;
  w.inject(m::set_timer{1min, {1}, w.listener.actor()}).from(w.listener).to(w.alarm);
  w.advance(10s);

  w.jump_wall_clock(by);
  w.advance(50s - 1us);
  CHECK(w.rung().empty());

  w.advance(1us);
  CHECK(w.rung() == tokens{1});
}

TEST_CASE("an alarm that nobody set holds no delayed message") {
  alarm_world w;
  w.set(2s, 1);
  w.advance(2s);

  w.advance(1h);

  CHECK(w.pending_messages().empty());
  CHECK(w.last_messages().lines().back().text == "alarm_rang(1)");
}
