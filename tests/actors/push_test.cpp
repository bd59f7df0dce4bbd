#include "tests/actors/push_world.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace sluice;
using namespace std::chrono_literals;
using tests::bodies_of;
using tests::header_of;
using tests::push_world;
using tests::verifies;
namespace m = messages;

TEST_CASE("a published event is pushed at once, signed, byte for byte") {
  push_world w;
  const auto all = w.subscribe();
  const std::string body = R"({ "amount": 1.0, "id": 1234567890123456789012345678901234567890 })";
  const auto event = w.publish(body);
  w.settle();
  REQUIRE(w.hook().calls().size() == 1);
  const auto& call = w.hook().calls().front();
  CHECK(call.body == body);
  CHECK(call.path == "/events");
  CHECK(header_of(call, "webhook-id") == event);
  CHECK(verifies(call));
  CHECK(w.state(all, event) == "delivered");
  CHECK(w.endings(all, event) == "1 acknowledged");
  CHECK(w.attempts(all, event).front().status == 204);
  CHECK(w.metrics().pushes(core::attempt_ending::acknowledged).value() == 1);
  CHECK(w.metrics().event_deliveries(core::delivery_state::delivered).value() == 1);
}

TEST_CASE("a subscription with nothing to push has no actor and no alarm") {
  push_world w;
  const auto all = w.subscribe();
  const auto event = w.publish();
  w.settle_before<m::place_calls>();
  CHECK(w.subscription_actor(all));
  w.settle();
  CHECK(w.state(all, event) == "delivered");
  CHECK_FALSE(w.subscription_actor(all));
  CHECK(w.metrics().subscriptions_active.value() == 0);
}

TEST_CASE("a push that fails is repeated by the schedule, with the same id and bytes and a fresh signature") {
  push_world w;
  const auto all = w.subscribe();
  w.hook().on("POST", harness::answer(503, "not now"));
  const auto event = w.publish(R"({"n":1.0})");
  w.settle();
  CHECK(w.state(all, event) == "retrying");
  w.advance(12h);
  const auto& calls = w.hook().calls();
  REQUIRE(calls.size() == 6);
  const std::vector<core::duration> waits{1min, 5min, 30min, 2h, 6h};
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const auto waited = calls[i + 1].at - calls[i].at;
    CHECK(waited >= waits[i]);
    CHECK(waited <= waits[i] + waits[i] / 10 + 2s);
  }
  std::set<std::string> timestamps;
  for (const auto& call : calls) {
    CHECK(header_of(call, "webhook-id") == event);
    CHECK(call.body == R"({"n":1.0})");
    CHECK(verifies(call));
    timestamps.insert(header_of(call, "webhook-timestamp"));
  }
  CHECK(timestamps.size() == 6);
  CHECK(w.state(all, event) == "dead");
  CHECK(w.stored(all).consecutive_dead == 1);
  const auto attempts = w.attempts(all, event);
  REQUIRE(attempts.size() == 6);
  CHECK(attempts.back().number == 6);
  CHECK(attempts.back().answer == "not now");
  CHECK(attempts.back().error_class == "http_503");
}

TEST_CASE("a lost answer is a failure that may pass, repeated with the same id") {
  push_world w;
  const auto all = w.subscribe();
  w.hook().next(harness::cut_the_call());
  const auto event = w.publish();
  w.advance(2min);
  CHECK(w.endings(all, event) == "1 transient, 2 acknowledged");
  REQUIRE(w.hook().calls().size() == 2);
  CHECK(header_of(w.hook().calls()[0], "webhook-id") == header_of(w.hook().calls()[1], "webhook-id"));
}

TEST_CASE("a wait the subscriber asks for is honoured, up to two hours past its own") {
  push_world w;
  const auto all = w.subscribe();
  const auto [asked, least, most] = GENERATE(table<std::string, core::duration, core::duration>({
      {"600", 10min, 10min + 1s},
      {"5", 1min, 1min + 7s},
      {"999999", 2h + 1min, 2h + 1min + 7s},
      {"-5", 1min, 1min + 7s},
      {"soon", 1min, 1min + 7s},
  }));
  w.hook().next(harness::rate_limit(asked));
  const auto event = w.publish();
  w.settle();
  const auto due = w.delivery(all, event).progress.due_at;
  REQUIRE(due);
  CHECK(*due - w.now() >= least);
  CHECK(*due - w.now() <= most);
}

TEST_CASE("a subscriber that says 410 is disabled at once, and its other deliveries stay pending") {
  push_world w;
  const auto all = w.subscribe();
  w.hook().on("POST", harness::answer(410));
  const auto first = w.publish();
  w.settle();
  const auto second = w.publish();
  w.advance(1min);
  CHECK(w.state(all, first) == "dead");
  CHECK(w.endings(all, first) == "1 gone");
  CHECK(w.state(all, second) == "pending");
  CHECK(w.hook().calls().size() == 1);
  CHECK(w.stored(all).status == core::subscription_status::disabled);
  CHECK(w.stored(all).cause == core::disable_cause::gone);
}

TEST_CASE("another 4xx is for good and says nothing of the subscriber") {
  push_world w;
  const auto all = w.subscribe();
  w.hook().next(harness::answer(422));
  const auto first = w.publish();
  const auto second = w.publish();
  w.settle();
  CHECK(w.state(all, first) == "dead");
  CHECK(w.state(all, second) == "delivered");
  CHECK(w.stored(all).consecutive_dead == 0);
}

TEST_CASE("too many dead deliveries in a row disable, and enabling sends what arrived meanwhile") {
  config::subscription_settings settings;
  settings.dead_threshold = 3;
  push_world w{settings};
  const auto all = w.subscribe();
  w.hook().on("POST", harness::answer(400));
  for (int i = 0; i < 3; ++i) {
    w.publish();
    w.settle();
  }
  CHECK(w.stored(all).status == core::subscription_status::disabled);
  CHECK(w.stored(all).cause == core::disable_cause::dead_deliveries);
  const auto meanwhile = w.publish(R"({"late":true})");
  w.advance(1h);
  CHECK(w.hook().calls().size() == 3);
  CHECK(w.state(all, meanwhile) == "pending");

  w.hook().on("POST", harness::answer(204));
  auto enabled = w.ask<m::subscription_status_recorded>(
      w.push_dispatcher(),
      w.change(all, core::subscription_status::disabled, core::subscription_status::active));
  w.settle();
  CHECK(enabled.value().changed);
  CHECK(w.state(all, meanwhile) == "delivered");
  CHECK(w.stored(all).consecutive_dead == 0);
}

TEST_CASE("one that is slow holds up nobody else") {
  push_world w;
  w.add_subscriber("slow");
  const auto fast = w.subscribe("fast");
  const auto slow = w.subscribe("slow", {.target = "slow"});
  w.target("slow").on("POST", harness::hang());
  std::vector<std::string> events;
  for (int i = 0; i < 20; ++i) {
    events.push_back(w.publish());
    w.settle();
  }
  for (const auto& event : events)
    CHECK(w.state(fast, event) == "delivered");
  CHECK(w.target("slow").calls().size() == 1);
  w.target("slow").on("POST", harness::answer(204));
  w.advance(3min);
  for (const auto& event : events)
    CHECK(w.state(slow, event) == "delivered");
}

TEST_CASE("any number of subscribers that never answer hold a few places, and the living none fewer") {
  config::subscription_settings settings;
  settings.active_max = 3;
  settings.failing_max = 2;
  push_world w{settings};
  w.add_subscriber("dead").on("POST", harness::hang());
  for (int i = 0; i < 12; ++i)
    w.subscribe("dead-" + std::to_string(i), {.target = "dead"});
  w.publish();
  w.advance(3min); // each has failed once
  const auto live = w.subscribe("live");
  const auto event = w.publish();
  w.settle();
  CHECK(w.state(live, event) == "delivered");
  CHECK(w.metrics().subscriptions_active.value() <= 2);
}

TEST_CASE("subscribers that never answer hold no more places once the node was started again") {
  config::subscription_settings settings;
  settings.active_max = 3;
  settings.failing_max = 2;
  push_world w{settings};
  w.add_subscriber("dead").on("POST", harness::hang());
  for (int i = 0; i < 12; ++i)
    w.subscribe("dead-" + std::to_string(i), {.target = "dead"});
  const auto live = w.subscribe("live");
  w.publish();
  w.advance(3min); // each has failed once, and most wait for a place
  w.crash_and_restart();
  w.settle();
  const auto event = w.publish();
  w.settle();
  CHECK(w.state(live, event) == "delivered");
  CHECK(w.metrics().subscriptions_active.value() <= 2);
}

TEST_CASE("many subscriptions of one event are all pushed to, a few at a time") {
  config::subscription_settings settings;
  settings.active_max = 4;
  settings.fan_out_deliveries_max = 7;
  push_world w{settings};
  std::vector<core::subscription_id> all;
  for (int i = 0; i < 50; ++i)
    all.push_back(w.subscribe("s-" + std::to_string(i)));
  const auto event = w.publish();
  double most = 0;
  while (w.deliver_next())
    most = std::max(most, w.metrics().subscriptions_active.value().value_or(0));
  CHECK(most <= 4);
  for (const auto subscription : all)
    CHECK(w.state(subscription, event) == "delivered");
  CHECK(w.hook().calls().size() == 50);
}
