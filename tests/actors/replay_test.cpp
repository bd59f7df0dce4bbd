#include "actors/replayer.hpp"
#include "harness/mocks.hpp"
#include "messages/fault.hpp"
#include "storage/replay_jobs.hpp"
#include "tests/actors/push_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::bodies_of;
using tests::header_of;
using tests::push_world;
namespace m = messages;

namespace {

/// A subscription with dead deliveries, which a replay takes one by one; its subscriber is well again.
struct replay_world : push_world {
  explicit replay_world(int dead = 3) : push_world(a_delivery_a_batch()), all(subscribe()) {
    hook().on("POST", harness::answer(400));
    for (int i = 0; i < dead; ++i)
      events.push_back(publish(std::to_string(i)));
    settle();
    hook().on("POST", harness::answer(204));
    if (count("dead") != dead)
      fail("the deliveries should be dead");
  }

  static config::subscription_settings a_delivery_a_batch() {
    config::subscription_settings settings;
    settings.fan_out_deliveries_max = 1;
    settings.dead_threshold = 1000;
    return settings;
  }

  m::start_replay wanted(std::vector<core::delivery_state> states = {core::delivery_state::dead}) {
    return {{all, {now() - 1h, now() + 1s, std::move(states)}, {}, "ada"}};
  }
  harness::asked<core::replay_job> start() { return ask<core::replay_job>(push_dispatcher(), wanted()); }

  /// The subscriber's calls since its deliveries were dead.
  std::vector<harness::seen_call> new_calls() {
    const auto& made = hook().calls();
    return {made.begin() + static_cast<std::ptrdiff_t>(events.size()), made.end()};
  }

  /// Newest first.
  std::vector<core::replay_job> replays() { return must(storage::list_replays(db(), {all})); }

  std::int64_t count(std::string_view state) {
    return std::ranges::count_if(events, [&](const auto& event) { return this->state(all, event) == state; });
  }

  core::subscription_id all;
  std::vector<std::string> events;
};

std::string text_of(const caf::error& error) {
  return error.context().get_as<std::string>(0);
}

/// Of the three deliveries of a replay that was interrupted in any way: it did all of them once, or never
/// began.
void check_all_or_none(replay_world& w) {
  const auto replays = w.replays();
  if (replays.empty()) {
    CHECK(w.count("dead") == 3);
    return;
  }
  REQUIRE(replays.size() == 1);
  CHECK(replays[0].ending == core::job_ending::completed);
  CHECK(replays[0].counted == 3);
  CHECK(replays[0].done == 3);
  CHECK(w.count("delivered") == 3);
}

} // namespace

TEST_CASE("dead deliveries that are replayed are pushed again, with the same id and the next number") {
  replay_world w;
  const auto begun = w.start();
  w.settle();
  REQUIRE(begun.answered());
  CHECK(begun.value().counted == 3);
  CHECK(begun.value().live());
  check_all_or_none(w);
  const auto calls = w.new_calls();
  CHECK(bodies_of(calls) == "0 1 2");
  CHECK(header_of(calls.at(0), "webhook-id") == w.events[0]);
  CHECK(w.endings(w.all, w.events[0]) == "1 permanent, 2 acknowledged");
}

TEST_CASE("what was delivered is replayed where it is asked for") {
  replay_world w;
  w.start();
  w.settle();
  REQUIRE(w.count("delivered") == 3);
  w.advance(1s);
  const auto again =
      w.ask<core::replay_job>(w.push_dispatcher(), w.wanted({core::delivery_state::delivered}));
  w.settle();
  CHECK(again.value().counted == 3);
  CHECK(w.endings(w.all, w.events[2]) == "1 permanent, 2 acknowledged, 3 acknowledged");
}

TEST_CASE("a replay whose node is killed at any message is done to its end by the next") {
  const auto messages = GENERATE(range(0, 60, 2));
  replay_world w;
  const auto begun = w.start();
  for (int delivered = 0; delivered < messages && w.deliver_next(); ++delivered) {
  }
  w.crash_and_restart();
  w.advance(1h);
  check_all_or_none(w);
}

TEST_CASE("a replayer that dies is replaced, and the next one does the replay to its end") {
  const auto messages = GENERATE(range(0, 30, 2));
  replay_world w;
  static_cast<void>(w.start());
  for (int delivered = 0; delivered < messages && w.deliver_next(); ++delivered) {
  }
  const auto first = w.replayer();
  w.kill(first);
  w.advance(2min);
  REQUIRE(w.replayer());
  CHECK((w.replayer() != first));
  check_all_or_none(w);
  const auto next = w.ask<core::replay_job>(
      w.push_dispatcher(), w.wanted({core::delivery_state::dead, core::delivery_state::delivered}));
  w.settle();
  REQUIRE(next.answered());
  CHECK(next.value().counted == 3);
  CHECK(w.count("delivered") == 3);
}

TEST_CASE("a node that stops begins no replay") {
  replay_world w;
  static_cast<void>(w.ask<void>(w.push_dispatcher(), m::shut_down{}));
  const auto late = w.start();
  w.settle();
  REQUIRE(late.failed());
  CHECK(m::fault_of(late.error()) == m::fault::shutting_down);
  CHECK_FALSE(w.replayer());
  CHECK(w.replays().empty());
}

TEST_CASE("a replay that is refused says why, and nothing is pushed") {
  replay_world w;
  const auto refused = w.ask<core::replay_job>(
      w.push_dispatcher(), w.wanted({core::delivery_state::dead, core::delivery_state::skipped_filter}));
  w.settle();
  REQUIRE(refused.failed());
  CHECK(m::fault_of(refused.error()) == m::fault::refused);
  CHECK_THAT(text_of(refused.error()), Contains("filtered out"));
  CHECK(w.replays().empty());
  CHECK(w.new_calls().empty());
}

TEST_CASE("a subscription has one replay at a time, and a second one is told which") {
  replay_world w{10};
  const auto first = w.start();
  const auto second = w.start();
  w.settle();
  REQUIRE(first.answered());
  REQUIRE(second.failed());
  CHECK_THAT(text_of(second.error()), Contains(first.value().public_id));
  CHECK(w.count("delivered") == 10);
}

TEST_CASE("a replay that a person cancels leaves the rest as it was, and another may begin") {
  replay_world w{10};
  const auto begun = w.start();
  w.settle_before<m::record_replay_step>();
  const auto id = w.replays().at(0).public_id;
  const auto cancelled = w.ask<core::replay_job>(w.push_dispatcher(), m::cancel_replay{w.all, id, "bob"});
  w.settle();
  REQUIRE(cancelled.answered());
  CHECK(cancelled.value().ended_by == "bob");
  const auto done = w.replays().at(0).done;
  CHECK(done < 10);
  CHECK(w.count("dead") == 10 - done);
  CHECK(w.count("delivered") == done);
  const auto next = w.start();
  w.settle();
  CHECK(next.value().counted == 10 - done);
  CHECK(w.count("delivered") == 10);
}

TEST_CASE("replays of two subscriptions go on side by side") {
  replay_world w{4};
  w.add_subscriber("other").on("POST", harness::answer(400));
  const auto other = w.subscribe("other", {.target = "other"});
  const auto event = w.publish();
  w.settle();
  w.target("other").on("POST", harness::answer(204));
  const auto first = w.start();
  auto wish = w.wanted();
  wish.start.subscription = other;
  const auto second = w.ask<core::replay_job>(w.push_dispatcher(), wish);
  w.settle();
  REQUIRE(first.answered());
  REQUIRE(second.answered());
  CHECK(second.value().counted == 1);
  CHECK(w.count("delivered") == 4);
  CHECK(w.state(other, event) == "delivered");
}

TEST_CASE("a batch of a replay that the database does not take is asked for again after a pause") {
  tests::catch_world w{{.node = false}};
  auto recorder = w.mock<m::recorder>("recorder");
  auto alarm = w.mock<m::alarm>("alarm");
  auto pushes = w.mock<m::push_dispatcher>("push_dispatcher");
  recorder.on<m::record_replay_step>([](const m::record_replay_step&) {
    return caf::make_error(m::fault::database_unavailable, "the database is away");
  });
  alarm.accept<m::set_timer>();
  auto node = std::make_shared<actors::node_links>();
  node->recorder = recorder.actor();
  node->alarm = alarm.actor();
  node->time = &w.clock();
  node->settings = &w.settings();
  auto replayer = w.spawn("replayer", actors::replayer, actors::replayer_resources{node, pushes.actor()});
  w.settle();
  CHECK(recorder.got<m::record_replay_step>().size() == 1);
  const auto timers = alarm.got<m::set_timer>();
  REQUIRE(timers.size() == 1);
  CHECK(timers[0].after == w.settings().delivery.dispatch_interval);

  recorder.on<m::record_replay_step>([](const m::record_replay_step&) { return core::replay_step{}; });
  w.inject(m::alarm_rang{timers[0].token}).to(replayer);
  w.settle();
  CHECK(recorder.got<m::record_replay_step>().size() == 2);
  CHECK(alarm.got<m::set_timer>().size() == 1);
}

TEST_CASE("the push_dispatcher is told whose deliveries a batch restarted, and the next goes to another") {
  tests::catch_world w{{.node = false}};
  auto recorder = w.mock<m::recorder>("recorder");
  auto pushes = w.mock<m::push_dispatcher>("push_dispatcher");
  pushes.accept<m::deliveries_written>();
  recorder.on<m::record_replay_step>([](const m::record_replay_step& ask) {
    core::replay_step step;
    if (ask.after_id < 8) {
      step.job.emplace();
      step.job->id = ask.after_id == 0 ? 7 : 8;
      step.job->subscription = {step.job->id * 10};
      step.deliveries = step.job->id == 7 ? 5 : 0;
    }
    return step;
  });
  auto node = std::make_shared<actors::node_links>();
  node->recorder = recorder.actor();
  node->time = &w.clock();
  node->settings = &w.settings();
  auto replayer = w.spawn("replayer", actors::replayer, actors::replayer_resources{node, pushes.actor()});
  w.settle();
  CHECK(recorder.got<m::record_replay_step>().size() == 3);
  const auto told = pushes.got<m::deliveries_written>();
  REQUIRE(told.size() == 1);
  CHECK(told[0].subscriptions == std::vector{core::subscription_id{70}});
}
