#include "tests/actors/push_world.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace sluice;
using namespace std::chrono_literals;
using tests::header_of;
using tests::push_world;
namespace m = messages;

TEST_CASE(
    "an attempt a crash left without an outcome counts as interrupted, and the next has the next number") {
  push_world w;
  const auto all = w.subscribe();
  w.hook().on("POST", harness::answer(204).after(10s));
  const auto event = w.publish();
  w.settle();
  REQUIRE(w.hook().calls().size() == 1);
  w.crash_and_restart();
  w.advance(4min);
  CHECK(w.hook().calls().size() == 1); // the lease holds
  w.advance(3min);
  CHECK(w.hook().calls().size() == 2);
  CHECK(w.state(all, event) == "delivered");
  CHECK(w.endings(all, event) == "1 interrupted, 2 acknowledged");
  CHECK(header_of(w.hook().calls()[1], "webhook-id") == event);
}

TEST_CASE("a claim is durable before its call leaves") {
  push_world w;
  const auto all = w.subscribe();
  const auto event = w.publish();
  w.settle_before<m::place_calls>();
  CHECK(w.hook().calls().empty());
  CHECK(w.endings(all, event) == "1");
  CHECK(w.delivery(all, event).progress.claim->number == 1);
}

TEST_CASE("a subscription's actor that dies is replaced once its calls are back") {
  push_world w;
  const auto all = w.subscribe();
  w.hook().on("POST", harness::answer(204).after(10s));
  const auto first = w.publish();
  w.settle();
  w.kill(w.subscription_actor(all));
  const auto second = w.publish();
  w.advance(9s);
  CHECK_FALSE(w.subscription_actor(all));
  CHECK(w.hook().calls().size() == 1);
  w.advance(20s);
  CHECK(w.state(all, second) == "delivered");
  w.advance(7min);
  CHECK(w.endings(all, first) == "1 interrupted, 2 acknowledged");
}

TEST_CASE("fan-out that dies is replaced, and what it wrote is pushed") {
  push_world w;
  const auto all = w.subscribe();
  const auto event = w.publish();
  w.settle_before<m::fan_out_recorded>();
  w.kill(w.fan_out());
  w.settle();
  CHECK(w.state(all, event) == "delivered");
  const auto next = w.publish();
  w.settle();
  CHECK(w.state(all, next) == "delivered");
}

TEST_CASE("a crash between any two messages leaves no event out and writes no delivery twice") {
  config::subscription_settings settings;
  settings.fan_out_events_max = 2;
  settings.fan_out_deliveries_max = 2;
  const auto messages = GENERATE(range(0, 90, 3));
  push_world w{settings};
  const std::vector<core::subscription_id> all{w.subscribe("a"), w.subscribe("b"), w.subscribe("c")};
  std::vector<std::string> events;
  for (int i = 0; i < 4; ++i)
    events.push_back(w.publish());
  for (int i = 0; i < messages; ++i)
    static_cast<void>(w.deliver_next());
  w.crash_and_restart();
  w.advance(8min);
  std::map<std::string, int> pushed;
  for (const auto& call : w.hook().calls())
    ++pushed[header_of(call, "webhook-id")];
  for (const auto& event : events) {
    CHECK(pushed[event] >= 3);
    for (const auto subscription : all) {
      CHECK(w.state(subscription, event) == "delivered");
      const auto attempts = w.attempts(subscription, event);
      for (std::size_t i = 0; i < attempts.size(); ++i)
        CHECK(attempts[i].number == static_cast<std::int64_t>(i) + 1);
    }
  }
}

TEST_CASE("events that were published while no node ran are fanned out at its start") {
  push_world w;
  const auto all = w.subscribe();
  w.crash();
  const auto event = w.publish();
  w.start();
  w.settle();
  CHECK(w.state(all, event) == "delivered");
}
