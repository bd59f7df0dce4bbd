#include "core/sending_turn.hpp"

#include <catch2/catch.hpp>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

const timestamp now{1h};

TEST_CASE(
    "what a turn holds doubles while the other end is well, stays over turns, and is one when it fails") {
  auto turn = sending_turn{}.next(false, 0s);
  for (int answers = 0; answers < 5; ++answers)
    turn.succeed(20);
  CHECK(turn.window == 20);
  turn = turn.next(false, 1s);
  CHECK(turn.window == 20);
  CHECK_FALSE(turn.failing);
  turn.fail();
  CHECK(turn.failing);
  CHECK(turn.window == 1);
}

TEST_CASE("one that was in trouble holds one, and its turn ends with the first success") {
  sending_turn wide;
  wide.window = 8;
  auto turn = wide.next(true, 0s);
  CHECK(turn.window == 1);
  CHECK(turn.failing);
  turn.succeed(20);
  CHECK_FALSE(turn.failing);
  CHECK(turn.ending);
  CHECK(turn.window == 1);
}

TEST_CASE("a turn makes room once it has had its time, and goes on ending") {
  auto turn = sending_turn{}.next(false, 10s);
  turn.give_way_after(1s, 10999ms);
  CHECK_FALSE(turn.ending);
  turn.give_way_after(1s, 11s);
  CHECK(turn.ending);
  turn.give_way_after(1s, 10s);
  CHECK(turn.ending);
}

TEST_CASE("a call that comes back unmade ends the turn, and holds it back unless it was ending") {
  auto turn = sending_turn{}.next(false, 0s);
  turn.hold_back();
  CHECK((turn.ending && turn.held_back));
  auto ending = sending_turn{}.next(false, 0s);
  ending.ending = true;
  ending.hold_back();
  CHECK_FALSE(ending.held_back);
}

TEST_CASE("at its end a turn is due at once where more may be, and else when something falls due") {
  auto turn = sending_turn{}.next(false, 0s);
  turn.more = false;
  CHECK_FALSE(turn.due_at_end(now));
  turn.next_due = now + 1min;
  CHECK(turn.due_at_end(now) == now + 1min);
  turn.tell_more();
  CHECK(turn.told == 1);
  CHECK(turn.due_at_end(now) == now);
  turn.more = false;
  turn.given_back = true;
  CHECK(turn.due_at_end(now) == now);
}

} // namespace
} // namespace sluice::core
