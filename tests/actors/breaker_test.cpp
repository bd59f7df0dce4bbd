#include "actors/breaker.hpp"
#include "harness/mocks.hpp"
#include "messages/fault.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;
using core::circuit_signal;

namespace {

constexpr core::connection_id crm{2};
constexpr core::connection_id shop{3};

struct breaker_world : tests::catch_world {
  breaker_world()
      : catch_world({.node = false}), recorder(mock<m::recorder>("recorder")),
        breaker(spawn("breaker", actors::breaker,
                      actors::breaker_resources{recorder.actor(), &clock(), &settings()})) {}

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

  m::withdrawal_clearance clear(const core::volume_count& count) {
    auto asked = ask<m::withdrawal_clearance>(breaker, m::judge_withdrawals{{1}, count});
    settle();
    return asked.value();
  }

  harness::mock_recorder recorder;
  m::breaker breaker;
};

core::volume_count counted(std::int64_t pending, std::int64_t known) {
  core::volume_count count;
  count.pending = pending;
  count.known = known;
  return count;
}

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

TEST_CASE("withdrawals within the limit may go, and nothing is written") {
  breaker_world w;

  auto answer = w.clear(counted(25, 100));

  CHECK_FALSE(answer.hold_live);
  CHECK(answer.allowed == 25);
}

TEST_CASE("more withdrawals than the limit are held once the hold is durable, with what was found") {
  breaker_world w;
  w.recorder.on<m::record_hold>([](const m::record_hold&) { return core::stop_in_force{}; });

  auto answer = w.clear(counted(501, 5000));

  CHECK(answer.hold_live);
  CHECK(answer.allowed == 0);
  REQUIRE(w.recorder.got<m::record_hold>().size() == 1);
  CHECK(w.recorder.got<m::record_hold>().front().finding == core::hold_finding{501, 5000, 500});
}

TEST_CASE("a hold that cannot be written lets nothing go") {
  breaker_world w;
  w.recorder.on<m::record_hold>(
      [](const m::record_hold&) { return caf::make_error(m::fault::database_unavailable, "gone"); });

  auto asked = w.ask<m::withdrawal_clearance>(w.breaker, m::judge_withdrawals{{1}, counted(501, 5000)});
  w.settle();

  CHECK(asked.failed());
}

TEST_CASE("a hold with nothing left to hold heals") {
  breaker_world w;
  w.recorder.on<m::record_hold_healed>([](const m::record_hold_healed&) { return m::stop_changed{true}; });
  auto count = counted(0, 5000);
  count.hold.emplace().id = 7;

  auto answer = w.clear(count);

  CHECK_FALSE(answer.hold_live);
  REQUIRE(w.recorder.got<m::record_hold_healed>().size() == 1);
  CHECK(w.recorder.got<m::record_hold_healed>().front().hold == 7);
}

TEST_CASE("a release whose rows are all gone is used up") {
  breaker_world w;
  w.recorder.on<m::record_release_consumed>(
      [](const m::record_release_consumed&) { return m::stop_changed{true}; });
  auto count = counted(0, 5000);
  count.withdrawn = count.withdrawn_since_release = 501;
  auto& release = count.release.emplace();
  release.id = 7;
  release.allowed_withdrawals = 501;

  CHECK_FALSE(w.clear(count).hold_live);

  REQUIRE(w.recorder.got<m::record_release_consumed>().size() == 1);
  CHECK(w.recorder.got<m::record_release_consumed>().front().release == 7);
}
