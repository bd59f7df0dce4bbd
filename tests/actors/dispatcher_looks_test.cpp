#include "actors/dispatcher.hpp"
#include "harness/mocks.hpp"
#include "messages/fault.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;

namespace {

/// A dispatcher without a rule, and the database's answers to it.
struct looks_world : tests::catch_world {
  looks_world()
      : catch_world({.node = false}), recorder(mock<m::recorder>("recorder")),
        reader(mock<m::reader>("reader")), alarm(mock<m::alarm>("alarm")) {
    recorder.accept<m::abandon_runs>().accept<m::write_heartbeat>();
    recorder.on<m::prune_runs>([](const m::prune_runs&) { return m::rows_removed{}; });
    recorder.on<m::purge_expired>([](const m::purge_expired&) { return m::rows_removed{}; });
    reader.on<m::list_live_stops>([](const m::list_live_stops&) { return m::stops_listed{}; });
    alarm.accept<m::set_timer>().accept<m::set_alarm>();
    answer_looks();
    answer_lists();
    auto links = std::make_shared<actors::node_links>();
    links->recorder = recorder;
    links->alarm = alarm;
    links->time = &clock();
    links->settings = &settings();
    dispatcher = spawn("dispatcher", actors::dispatcher,
                       actors::dispatcher_resources{.node = links, .readers = {reader}, .unfit = {}});
  }

  void answer_looks() {
    reader.on<m::look_for_changes>([this](const m::look_for_changes&) { return seen; });
  }
  void answer_lists() {
    reader.on<m::list_routes>([](const m::list_routes&) { return m::routes_listed{}; });
  }
  template <class Question>
  void fail() {
    reader.on<Question>(
        [](const Question&) { return caf::make_error(m::fault::database_unavailable, "no"); });
  }

  template <class Question>
  [[nodiscard]] std::size_t asked_for() const {
    return reader.got<Question>().size();
  }

  void tick() {
    inject(m::dispatch_tick{}).from(dispatcher).to(dispatcher);
    settle();
  }

  m::changes_seen seen{.markers = false, .configuration_version = 1};
  harness::mock_recorder recorder;
  harness::mock_reader reader;
  harness::mock_alarm alarm;
  m::dispatcher dispatcher;
};

} // namespace

TEST_CASE("rules that cannot be listed are listed again at the next tick, not before") {
  looks_world w;
  w.fail<m::list_routes>();
  w.settle();
  CHECK(w.asked_for<m::list_routes>() == 1);

  w.tick();
  CHECK(w.asked_for<m::list_routes>() == 2);

  w.answer_lists();
  w.tick();
  w.tick();
  CHECK(w.asked_for<m::list_routes>() == 3);
}

TEST_CASE("who awaits idleness makes no database that fails be asked without a pause") {
  looks_world w;
  w.reader.on<m::list_routes>([&w](const m::list_routes&) {
    w.fail<m::look_for_changes>();
    return m::routes_listed{};
  });
  auto idle = w.ask<void>(w.dispatcher, m::await_idle{});
  w.settle();
  CHECK_FALSE(idle.answered());
  CHECK(w.asked_for<m::look_for_changes>() == 2);

  w.answer_looks();
  w.tick();
  CHECK(idle.answered());
}

TEST_CASE("a hint after a failed look is followed at once") {
  looks_world w;
  w.fail<m::look_for_changes>();
  w.settle();
  REQUIRE(w.asked_for<m::list_routes>() == 0);

  w.answer_looks();
  w.inject(m::changes_hinted{}).from(w.dispatcher).to(w.dispatcher);
  w.settle();

  CHECK(w.asked_for<m::list_routes>() == 1);
}
