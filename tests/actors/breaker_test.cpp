#include "actors/breaker.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <functional>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;
using core::circuit_signal;

namespace {

constexpr core::connection_id crm{2};
constexpr core::connection_id shop{3};

struct breaker_world : tests::catch_world {
  breaker_world()
      : catch_world({.node = false}),
        breaker(spawn("breaker", actors::breaker, std::cref(clock()), settings().circuit)) {}

  m::clearance clearance(core::connection_id connection = crm) {
    auto asked = ask<m::clearance>(breaker, m::ask_clearance{{1}, connection});
    settle();
    return asked.value();
  }

  m::clearance judge(std::vector<m::judged_stretch> stretches) {
    auto asked = ask<m::clearance>(breaker, m::calls_judged{crm, std::move(stretches)});
    settle();
    return asked.value();
  }

  m::breaker breaker;
};

} // namespace

TEST_CASE("ten transient answers in a row open the circuit for a minute") {
  breaker_world w;

  CHECK(w.judge({{circuit_signal::transient, 9}}).kind == m::clearance_kind::clear);
  auto opened = w.judge({{circuit_signal::transient, 1}});

  CHECK(opened.kind == m::clearance_kind::refused);
  CHECK(opened.retry_at == w.now() + 60s);
  CHECK(w.clearance().kind == m::clearance_kind::refused);
}

TEST_CASE("a success between failures keeps the circuit closed") {
  breaker_world w;

  w.judge({{circuit_signal::transient, 9}, {circuit_signal::success, 1}, {circuit_signal::transient, 9}});

  CHECK(w.clearance().kind == m::clearance_kind::clear);
}

TEST_CASE("one connection's open circuit leaves the others alone") {
  breaker_world w;
  w.judge({{circuit_signal::transient, 10}});

  CHECK(w.clearance(shop).kind == m::clearance_kind::clear);
}

TEST_CASE("after the cooldown one asker gets a trial, and its success closes the circuit") {
  breaker_world w;
  w.judge({{circuit_signal::transient, 10}});
  w.advance(60s);

  CHECK(w.clearance().kind == m::clearance_kind::trial);
  CHECK(w.clearance().kind == m::clearance_kind::refused);
  CHECK(w.judge({{circuit_signal::success, 1}}).kind == m::clearance_kind::clear);
  CHECK(w.clearance().kind == m::clearance_kind::clear);
}

TEST_CASE("a trial that fails doubles the cooldown") {
  breaker_world w;
  w.judge({{circuit_signal::transient, 10}});
  w.advance(60s);
  REQUIRE(w.clearance().kind == m::clearance_kind::trial);

  auto opened = w.judge({{circuit_signal::transient, 1}});

  CHECK(opened.kind == m::clearance_kind::refused);
  CHECK(opened.retry_at == w.now() + 120s);
}

TEST_CASE("a trial that was never made is the next asker's") {
  breaker_world w;
  w.judge({{circuit_signal::transient, 10}});
  w.advance(60s);
  REQUIRE(w.clearance().kind == m::clearance_kind::trial);
  REQUIRE(w.clearance().kind == m::clearance_kind::refused);

  w.inject(m::trial_unused{crm}).from(w.breaker).to(w.breaker);
  w.settle();

  CHECK(w.clearance().kind == m::clearance_kind::trial);
}
