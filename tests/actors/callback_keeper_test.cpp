#include "actors/callback_keeper.hpp"
#include "tests/actors/callback_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;
namespace m = messages;
using enum core::callback_outcome;

namespace {

/// The intake behind its keeper; `intake` is the keeper here.
struct kept_world : callback_world {
  kept_world() {
    intake = spawn("callback_keeper", actors::callback_keeper,
                   actors::callback_intake_resources{links, recorder, recorder, profiles, maker()}, false);
    settle();
  }

  [[nodiscard]] m::callback_intake child() const {
    auto* actor = harness::actor_behind(intake);
    return dynamic_cast<m::callback_intake::stateful_pointer<actors::callback_keeper_state>>(actor)
        ->state.intake_actor();
  }
};

} // namespace

TEST_CASE("callbacks reach the intake through its keeper, and are answered by it") {
  kept_world w;
  CHECK(is(w.post("ok e-1 delivered"), recorded));
  CHECK(is(w.post("forged"), refused));
  CHECK(w.written->reports.size() == 1);
}

TEST_CASE("an intake that dies is started again, and takes what is posted then") {
  kept_world w;
  w.kill(w.child());
  w.settle();
  CHECK_FALSE(static_cast<bool>(w.child()));
  CHECK(is(w.post("ok e-1 delivered"), unrecorded)); // 503: it is posted again
  w.advance(1s);
  CHECK(static_cast<bool>(w.child()));
  CHECK(is(w.post("ok e-1 delivered"), recorded));
  CHECK(w.written->reports.size() == 1);
}

TEST_CASE("what an intake recorded before it died is projected by its next life") {
  kept_world w;
  CHECK(is(w.post("ok e-1 delivered"), recorded));
  w.kill(w.child());
  w.settle();
  const auto before = w.written->projections;
  w.advance(1s);
  CHECK(w.written->projections > before);
}

TEST_CASE("a callback that is in hand when the intake dies has no answer, and is counted no more") {
  kept_world w;
  w.written->stalls = true;
  auto told = w.post("ok e-1 delivered");
  CHECK_FALSE(told.answered());
  CHECK(w.links->metrics->callbacks_in_hand.value() == 1);
  w.kill(w.child());
  w.settle();
  CHECK_FALSE(told.answered()); // its asker waits no longer than for any answer
  CHECK(w.links->metrics->callbacks_in_hand.value() == 0);
}

TEST_CASE("while the intake is being started again a rebuild is refused with why") {
  kept_world w;
  w.kill(w.child());
  w.settle();
  auto asked = w.ask<core::projections_rebuilt>(w.intake, m::rebuild_projections{{}, "ada"});
  w.settle();
  REQUIRE(asked.failed());
  CHECK(m::fault_of(asked.error()) == m::fault::refused);
  w.advance(1s);
  auto again = w.ask<core::projections_rebuilt>(w.intake, m::rebuild_projections{{}, "ada"});
  w.settle();
  CHECK(again.answered());
}
