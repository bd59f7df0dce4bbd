#include "core/turn_rota.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice;
using namespace std::chrono_literals;
using core::push_rota;
using core::subscription_id;

namespace {

constexpr core::timestamp now{std::chrono::seconds{1000}};

/// Whose turn it is: "1 2 failing:3".
std::string take(push_rota& rota, core::timestamp at = now) {
  std::string text;
  for (const auto& turn : rota.take_ready(at))
    text += (text.empty() ? "" : " ") + std::string{turn.failing ? "failing:" : ""}
            + std::to_string(turn.who.value);
  return text;
}

void due(push_rota& rota, std::int64_t subscription, core::timestamp at = now) {
  CHECK_FALSE(rota.set_due(subscription_id{subscription}, at, now));
}

core::stop_target stop_of(std::int64_t subscription) {
  return {core::stop_scope::subscription, {}, {}, subscription_id{subscription}};
}

} // namespace

TEST_CASE("a subscription has its turn once it is due, the one that waits longest first") {
  push_rota rota{{10, 10}};
  due(rota, 1, now + 5s);
  due(rota, 2, now);
  due(rota, 3, now - 1s);
  CHECK(take(rota) == "3 2");
  CHECK(rota.next_time() == now + 5s);
  CHECK(take(rota, now + 5s) == "1");
  CHECK(rota.running_count() == 3);
}

TEST_CASE("no more turns run at once than there are places") {
  push_rota rota{{2, 1}};
  for (std::int64_t i = 1; i <= 4; ++i)
    due(rota, i);
  CHECK(take(rota) == "1 2");
  CHECK(take(rota).empty());
  CHECK_FALSE(rota.next_time());
  rota.end_turn({subscription_id{1}}, now);
  CHECK(take(rota) == "3");
}

TEST_CASE("that a subscription fails is believed until it had a turn, which knows better") {
  push_rota rota{{1, 2}};
  const auto told_failing = [&](std::int64_t subscription) {
    CHECK_FALSE(rota.set_due(subscription_id{subscription}, now, now, true));
  };
  due(rota, 1);
  CHECK(take(rota) == "1");
  rota.end_turn({.who = subscription_id{1}, .next_due = now}, now);
  told_failing(1);
  told_failing(2);
  due(rota, 3);
  told_failing(3);
  CHECK(take(rota) == "1 failing:2 failing:3");
  rota.end_turn({.who = subscription_id{2}, .next_due = now}, now);
  told_failing(2);
  rota.end_turn({.who = subscription_id{1}}, now);
  CHECK(take(rota) == "2");
}

TEST_CASE("failing subscriptions leave the places of the others alone") {
  push_rota rota{{1, 2}};
  for (std::int64_t i = 1; i <= 4; ++i) {
    due(rota, i);
    CHECK(take(rota) == std::to_string(i));
    rota.end_turn({subscription_id{i}, now, true}, now);
    if (i <= 2)
      CHECK(take(rota) == "failing:" + std::to_string(i));
    else
      CHECK(take(rota).empty());
  }
  due(rota, 5);
  CHECK(take(rota) == "5");
}

TEST_CASE("one that failed is remembered while nothing of it is due, and forgotten when it succeeds") {
  push_rota rota{{1, 1}};
  due(rota, 1);
  static_cast<void>(take(rota));
  rota.end_turn({subscription_id{1}, {}, true}, now);
  CHECK(rota.known_count() == 1);
  due(rota, 1);
  CHECK(take(rota) == "failing:1");
  rota.end_turn({subscription_id{1}, {}, false}, now);
  CHECK(rota.known_count() == 0);
}

TEST_CASE("what falls due during a turn and was not looked for is due at its end") {
  push_rota rota{{1, 1}};
  due(rota, 1);
  static_cast<void>(take(rota));
  CHECK(rota.set_due(subscription_id{1}, now, now));
  CHECK(rota.set_due(subscription_id{1}, now, now));
  SECTION("both were looked for") {
    rota.end_turn({subscription_id{1}, {}, false, 2}, now);
    CHECK(take(rota).empty());
    CHECK(rota.known_count() == 0);
  }
  SECTION("the second came too late") {
    rota.end_turn({subscription_id{1}, {}, false, 1}, now);
    CHECK(take(rota) == "1");
  }
}

TEST_CASE("what falls due later is left to the end of the turn") {
  push_rota rota{{1, 1}};
  due(rota, 1);
  static_cast<void>(take(rota));
  CHECK_FALSE(rota.set_due(subscription_id{1}, now + 1h, now));
  rota.end_turn({subscription_id{1}, now + 1min}, now);
  CHECK(rota.next_time() == now + 1min);
}

TEST_CASE("one that is due again at once goes behind those that wait") {
  push_rota rota{{1, 1}};
  due(rota, 1, now - 1h);
  due(rota, 2, now - 1s);
  CHECK(take(rota) == "1");
  rota.end_turn({subscription_id{1}, now - 1h}, now);
  CHECK(take(rota) == "2");
}

TEST_CASE("a stop names the turns it reaches, lets none begin and forgets nothing") {
  push_rota rota{{10, 10}};
  due(rota, 1);
  CHECK(take(rota) == "1");
  due(rota, 2);
  const auto where = GENERATE(core::stop_target{}, stop_of(2));
  const auto reached = rota.set_stop(where);
  CHECK(reached.size() == (where.scope == core::stop_scope::global ? 1 : 0));
  CHECK(take(rota).empty());
  CHECK_FALSE(rota.next_time());
  rota.lift_stop(where);
  CHECK(take(rota) == "2");
}

TEST_CASE("a turn that ends within a stop waits for its end") {
  push_rota rota{{10, 10}};
  due(rota, 1);
  CHECK(take(rota) == "1");
  CHECK(rota.set_stop(stop_of(1)) == std::vector{subscription_id{1}});
  rota.end_turn({subscription_id{1}, now}, now);
  CHECK(take(rota).empty());
  static_cast<void>(rota.set_stop({}));
  rota.lift_stop(stop_of(1));
  CHECK(take(rota).empty());
  rota.lift_stop({});
  CHECK(take(rota) == "1");
}

TEST_CASE("stops of rules and connections do not concern subscriptions") {
  push_rota rota{{10, 10}};
  due(rota, 1);
  const auto where = GENERATE(core::stop_target{core::stop_scope::rule, {}, {1}, {}},
                              core::stop_target{core::stop_scope::connection, {1}, {}, {}});
  CHECK(rota.set_stop(where).empty());
  CHECK(take(rota) == "1");
}

TEST_CASE("a provider profile takes turns as a subscription does, and a stop of everything reaches it") {
  core::sending_rota rota{{1, 1}};
  const core::provider_profile_id mail{1};
  CHECK_FALSE(rota.set_due(mail, now, now));
  CHECK(rota.set_stop(stop_of(1)).empty()); // a subscription that has the same number
  REQUIRE(rota.take_ready(now).size() == 1);
  CHECK(rota.set_stop({}) == std::vector{mail});
  rota.end_turn({mail, now}, now);
  CHECK(rota.take_ready(now).empty());
  rota.lift_stop({});
  CHECK(rota.take_ready(now).front().who == mail);
}
