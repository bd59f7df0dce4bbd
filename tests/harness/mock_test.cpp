#include "harness/mocks.hpp"
#include "harness/world.hpp"
#include "messages/fault.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using harness::world;
namespace m = messages;

TEST_CASE("a mock fails the test on a message it was not told of") {
  world w({.node = false});
  auto throttle = w.mock<m::throttle>("throttle");
  w.inject(m::budget_returned{{1}, 3}).from(throttle).to(throttle);

  CHECK_THROWS_WITH(w.settle(), Contains("throttle did not expect budget_returned(1, 3)"));
}

TEST_CASE("a mock answers as it was told and keeps what it got") {
  world w({.node = false});
  auto throttle = w.mock<m::throttle>("throttle");
  throttle.on<m::request_budget>(
      [](const m::request_budget& ask) { return m::budget_granted{ask.wanted / 2, {}}; });

  auto asked = w.ask<m::budget_granted>(throttle, m::request_budget{{1}, 8, 0});
  w.settle();

  CHECK(asked.value().granted == 4);
  REQUIRE(throttle.got<m::request_budget>().size() == 1);
  CHECK(throttle.got<m::request_budget>().front().wanted == 8);
  CHECK(throttle.got<m::calls_ended>().empty());
}

TEST_CASE("a mock can refuse with a fault") {
  world w({.node = false});
  auto reader = w.mock<m::reader>("reader");
  reader.on<m::load_window>(
      [](const m::load_window&) { return caf::make_error(m::fault::database_unavailable, "it is gone"); });

  auto asked = w.ask<m::window_loaded>(reader, m::load_window{{2}});
  w.settle();

  CHECK(asked.failed());
  CHECK_FALSE(asked.answered());
}

TEST_CASE("a mock accepts messages that want no answer") {
  world w({.node = false});
  auto recorder = w.mock<m::recorder>("recorder").accept<m::record_window>();

  auto asked = w.ask<void>(recorder, m::record_window{{2}, "a window"});
  w.settle();

  CHECK(asked.answered());
  CHECK(recorder.got<m::record_window>().front().text == "a window");
}

TEST_CASE("a killed mock answers nobody") {
  world w({.node = false});
  auto reader = w.mock<m::reader>("reader");
  auto asked = w.ask<m::window_loaded>(reader, m::load_window{{2}});

  w.kill(reader);
  w.settle();

  CHECK(asked.failed());
}
