#include "tests/actors/push_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using core::subscription_status;
using tests::push_world;
namespace m = messages;

namespace {

core::stop_target stop_of(core::subscription_id subscription) {
  return {core::stop_scope::subscription, {}, {}, subscription};
}

/// Five events of which two are out for ten seconds, and three wait. Some that were answered at once went
/// before, so that several are claimed.
struct busy_world : push_world {
  busy_world() : push_world(two_at_once()) {
    all = subscribe();
    hook().next(harness::answer(204), quick);
    hook().on("POST", harness::answer(204).after(10s));
    for (int i = 0; i < quick; ++i)
      publish();
    for (int i = 0; i < 5; ++i)
      events.push_back(publish(std::to_string(i)));
    settle();
    if (new_calls() != 2)
      fail("two pushes should be out");
  }

  static config::subscription_settings two_at_once() {
    config::subscription_settings settings;
    settings.max_in_flight = 2;
    settings.claims_max = 8;
    return settings;
  }

  std::string states() {
    std::string text;
    for (const auto& event : events)
      text += (text.empty() ? "" : " ") + state(all, event);
    return text;
  }
  [[nodiscard]] std::size_t new_calls() { return hook().calls().size() - quick; }

  static constexpr int quick = 3;

  core::subscription_id all{};
  std::vector<std::string> events;
};

} // namespace

TEST_CASE("a paused subscription keeps its deliveries pending and sends them when it is resumed") {
  push_world w;
  const auto all = w.subscribe();
  auto paused = w.ask<m::subscription_status_recorded>(
      w.push_dispatcher(), w.change(all, subscription_status::active, subscription_status::paused));
  w.settle();
  CHECK(paused.value().changed);
  const auto event = w.publish();
  w.advance(10min);
  CHECK(w.state(all, event) == "pending");
  CHECK(w.hook().calls().empty());
  static_cast<void>(w.ask<m::subscription_status_recorded>(
      w.push_dispatcher(), w.change(all, subscription_status::paused, subscription_status::active)));
  w.settle();
  CHECK(w.state(all, event) == "delivered");
}

TEST_CASE("a pause reaches a subscription at work: what is out finishes, what waits is given back") {
  busy_world w;
  const auto out = w.new_calls();
  auto paused = w.ask<m::subscription_status_recorded>(
      w.push_dispatcher(), w.change(w.all, subscription_status::active, subscription_status::paused));
  w.settle();
  CHECK(paused.answered());
  w.advance(1min);
  CHECK(w.new_calls() == out);
  std::size_t delivered = 0;
  for (const auto& event : w.events) {
    const auto about = w.delivery(w.all, event);
    delivered += about.progress.state == core::delivery_state::delivered ? 1 : 0;
    if (about.progress.state == core::delivery_state::pending)
      CHECK(about.progress.attempts == 0);
    CHECK_FALSE(about.progress.claim);
  }
  CHECK(delivered == out);
  CHECK_FALSE(w.subscription_actor(w.all));
}

TEST_CASE("a change of status that comes too late says so and changes nothing") {
  push_world w;
  const auto all = w.subscribe();
  auto resumed = w.ask<m::subscription_status_recorded>(
      w.push_dispatcher(), w.change(all, subscription_status::paused, subscription_status::active));
  w.settle();
  CHECK_FALSE(resumed.value().changed);
}

TEST_CASE("what another program changed reaches a subscription at work") {
  busy_world w;
  const auto out = w.new_calls();
  const auto wanted = w.change(w.all, subscription_status::active, subscription_status::paused).wanted.change;
  CHECK(w.must(storage::transact(
      w.db(), [&](storage::session& db) { return storage::set_subscription_status(db, wanted, w.now()); })));
  w.hint();
  w.advance(1min);
  CHECK(w.new_calls() == out);
}

TEST_CASE("no push starts within a stop, of everything or of the subscription, once it is acknowledged") {
  busy_world w;
  const auto where = GENERATE(0, 1) == 0 ? core::stop_target{} : stop_of(w.all);
  const auto out = w.new_calls();
  auto set = w.ask<core::stop_in_force>(w.dispatcher(), m::set_stop{{where, "wait", "ada"}});
  w.settle();
  REQUIRE(set.answered());
  w.advance(10min);
  CHECK(w.new_calls() == out);
  const auto later = w.publish();
  w.advance(1min);
  CHECK(w.state(w.all, later) == "pending");
  auto ended = w.ask<core::delivery_stop>(w.dispatcher(), m::end_stop{{}, where, "ada"});
  w.settle();
  REQUIRE(ended.answered());
  w.advance(2min);
  CHECK(w.states() == "delivered delivered delivered delivered delivered");
  CHECK(w.state(w.all, later) == "delivered");
  for (const auto& event : w.events)
    CHECK(w.endings(w.all, event) == "1 acknowledged");
}

TEST_CASE("a stop of one subscription lets the others go on") {
  push_world w;
  const auto stopped = w.subscribe("stopped");
  const auto other = w.subscribe("other");
  static_cast<void>(
      w.ask<core::stop_in_force>(w.dispatcher(), m::set_stop{{stop_of(stopped), "wait", "ada"}}));
  w.settle();
  const auto event = w.publish();
  w.advance(1min);
  CHECK(w.state(stopped, event) == "pending");
  CHECK(w.state(other, event) == "delivered");
}

TEST_CASE("a stop that was in force holds after a restart") {
  push_world w;
  const auto all = w.subscribe();
  static_cast<void>(w.ask<core::stop_in_force>(w.dispatcher(), m::set_stop{{{}, "wait", "ada"}}));
  w.settle();
  w.crash_and_restart();
  const auto event = w.publish();
  w.advance(10min);
  CHECK(w.state(all, event) == "pending");
  CHECK(w.hook().calls().empty());
}

TEST_CASE("a node that ends records what is out and gives back what waits") {
  busy_world w;
  const auto out = w.new_calls();
  auto ended = w.ask<void>(w.push_dispatcher(), m::shut_down{});
  w.settle();
  CHECK_FALSE(ended.answered());
  w.advance(11s);
  CHECK(ended.answered());
  CHECK(w.new_calls() == out);
  for (const auto& event : w.events)
    CHECK_FALSE(w.delivery(w.all, event).progress.claim);
}

TEST_CASE("deliveries of a subscription that was removed become failed") {
  push_world w;
  const auto all = w.subscribe();
  w.hook().on("POST", harness::answer(503));
  const auto event = w.publish();
  w.settle();
  CHECK(w.must(storage::transact(
      w.db(), [&](storage::session& db) { return storage::remove_subscription(db, {all}, w.now()); })));
  w.hint();
  w.settle();
  CHECK(w.state(all, event) == "failed");
  w.advance(10min);
  CHECK(w.hook().calls().size() == 1);
}
