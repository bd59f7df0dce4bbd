#include "harness/mocks.hpp"
#include "messages/fault.hpp"
#include "messages/request.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;

namespace {

/// An actor that asks the recorder for a rule when its alarm rings.
struct asking_world : tests::catch_world {
  asking_world() : catch_world({.node = false}), recorder(mock<m::recorder>("recorder")) {
    asker = spawn("asker", [this](m::alarm_listener::pointer self) -> m::alarm_listener::behavior_type {
      return {[this, self](m::alarm_rang) { ask(self); }};
    });
  }

  void ask(m::alarm_listener::pointer self) {
    m::request(
        self, m::recorder{recorder}, 30s, m::load_rule{core::rule_id{1}},
        [this](const m::rule_loaded&) { ++answered; }, [this](const caf::error& error) { told = error; });
  }

  void look() {
    inject(m::alarm_rang{}).from(asker).to(asker);
    settle();
  }

  int answered = 0;
  caf::error told;
  harness::mock_recorder recorder;
  m::alarm_listener asker;
};

} // namespace

TEST_CASE("the timeout of an answered request goes with the answer") {
  asking_world w;
  w.recorder.on<m::load_rule>([](const m::load_rule&) { return m::rule_loaded{}; });

  w.look();

  CHECK(w.answered == 1);
  CHECK_FALSE(w.its_stage().next_timeout());
}

TEST_CASE("the timeout of a refused request goes with the refusal") {
  asking_world w;
  w.recorder.on<m::load_rule>(
      [](const m::load_rule&) { return caf::make_error(m::fault::not_found, "no such rule"); });

  w.look();

  CHECK(m::fault_of(w.told) == m::fault::not_found);
  CHECK_FALSE(w.its_stage().next_timeout());
}

TEST_CASE("a request nobody answers fails when its patience is over") {
  asking_world w;
  w.recorder.on<m::load_rule>(
      [](const m::load_rule&) { return caf::result<m::rule_loaded>{caf::delegated<m::rule_loaded>{}}; });

  w.look();
  w.advance(29s);
  CHECK_FALSE(w.told);
  w.advance(2s);

  CHECK(w.told == caf::sec::request_timeout);
  CHECK(w.answered == 0);
}
