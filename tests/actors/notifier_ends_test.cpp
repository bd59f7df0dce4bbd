#include "storage/notification_attempts.hpp"
#include "tests/actors/notification_world.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace sluice;
using namespace std::chrono_literals;
using tests::member;
using tests::notification_world;
namespace m = messages;

namespace {

config::notification_settings two_at_once() {
  config::notification_settings settings;
  settings.max_in_flight = 2;
  settings.claims_max = 8;
  return settings;
}

/// Nine notifications, each out for ten seconds: one alone, then two, and now two more while four wait; what
/// is claimed grows with each answer.
struct busy_world : notification_world {
  busy_world() : notification_world(two_at_once()) {
    target("mail").take(10s);
    made = notify_times(9);
    advance(21s);
    out = messages_at("mail").size();
    if (out != 5 || count_in(made, "dispatching") != 6)
      fail("two messages should be out, and four wait for them");
  }

  std::vector<core::notification_record> made;
  std::size_t out = 0;
};

} // namespace

TEST_CASE("a message whose outcome is unknown is never sent again by itself") {
  notification_world w;
  w.target("mail").next(harness::hang());
  const auto made = w.notify();
  w.advance(31s);
  CHECK(w.state(made) == "ambiguous");
  CHECK(w.history(made) == "1 ambiguous");
  w.advance(24h * 5);
  CHECK(w.messages_at("mail").size() == 1);
  CHECK(w.messages_at("backup").empty());
  CHECK(w.state(made) == "ambiguous");
}

TEST_CASE("what a person settles as not sent is sent under the next number, and as accepted never") {
  notification_world w;
  const auto kind = GENERATE(core::settlement_kind::not_sent, core::settlement_kind::accepted);
  w.target("mail").next(harness::hang());
  const auto made = w.notify();
  w.advance(31s);
  const auto settled =
      w.ask<core::notification_record>(w.notification_dispatcher(), w.settlement(made, kind));
  w.settle();
  CHECK(settled.answered());
  CHECK(w.state(made) == "accepted");
  CHECK(w.messages_at("mail").size() == (kind == core::settlement_kind::not_sent ? 2U : 1U));
  const auto again = w.ask<core::notification_record>(w.notification_dispatcher(), w.settlement(made, kind));
  w.settle();
  CHECK(again.failed());
}

TEST_CASE("a crash between the provider's acceptance and its record leaves it ambiguous after the lease") {
  notification_world w;
  const auto made = w.notify();
  w.settle_before<m::record_submissions>();
  REQUIRE(w.messages_at("mail").size() == 1);
  w.crash_and_restart();
  w.advance(4min);
  CHECK(w.history(made) == "1 dispatching"); // the lease holds
  w.advance(3min);
  CHECK(w.history(made) == "1 ambiguous");
  w.advance(24h);
  CHECK(w.messages_at("mail").size() == 1);
  CHECK(w.messages_at("backup").empty());
}

TEST_CASE("a crash between any two messages sends nothing twice, and leaves nothing on its way") {
  const auto messages = GENERATE(range(0, 60, 2));
  notification_world w;
  const auto made = w.notify_times(3);
  for (int i = 0; i < messages; ++i)
    static_cast<void>(w.deliver_next());
  w.crash_and_restart();
  w.advance(8min);
  std::map<std::string, int> sent;
  for (const auto& call : w.messages_at("mail"))
    ++sent[member(call, "notification")];
  for (const auto& each : made) {
    CHECK(sent[each.public_id] <= 1);
    const auto state = w.state(each);
    CHECK((state == "accepted" || state == "ambiguous"));
    if (state == "accepted")
      CHECK(sent[each.public_id] == 1);
  }
}

TEST_CASE("an answer that comes after its lease settles the doubt about it") {
  config::notification_settings settings;
  settings.lease = 20s;
  notification_world w{settings};
  w.target("mail").next(harness::answer(202, R"({"id":"m-late"})").after(29s));
  const auto made = w.notify();
  w.advance(21s);
  core::notification_claim_wish other; // another node's
  other.profile = w.mail;
  other.lease = 20s;
  CHECK(w.must(storage::transact(w.db(),
                                 [&](storage::session& open) {
                                   return storage::claim_notifications(open, other, *w.keys(), w.now());
                                 }))
            .lapsed
        == 1);
  CHECK(w.state(made) == "ambiguous");
  w.advance(10s);
  CHECK(w.history(made) == "1 accepted");
  CHECK(w.attempts(made).front().provider_message_id == "m-late");
}

TEST_CASE("no message leaves within a stop, what waited is given back, and goes on when it ends") {
  busy_world w;
  auto set = w.ask<core::stop_in_force>(w.dispatcher(), m::set_stop{{{}, "wait", "ada"}});
  w.settle();
  REQUIRE(set.answered());
  w.advance(10min);
  CHECK(w.messages_at("mail").size() == w.out);
  const auto later = w.notify();
  w.advance(1min);
  CHECK(w.history(later).empty());
  for (const auto& each : w.made)
    CHECK_FALSE(w.now_of(each).progress.claim);
  auto ended = w.ask<core::delivery_stop>(w.dispatcher(), m::end_stop{{}, {}, "ada"});
  w.settle();
  REQUIRE(ended.answered());
  w.advance(5min);
  CHECK(w.count_in(w.made, "accepted") == 9);
  for (const auto& each : w.made)
    CHECK(w.history(each) == "1 accepted");
  CHECK(w.state(later) == "accepted");
}

TEST_CASE("no message leaves to a profile that is stopped, none falls back, and the others go on") {
  notification_world w;
  auto alone = w.wanted();
  alone.route = w.make_route("backup alone", {"backup"});
  const core::stop_target where{core::stop_scope::profile, {}, {}, {}, w.mail};
  auto set = w.ask<core::stop_in_force>(w.dispatcher(), m::set_stop{{where, "an audit", "ada"}});
  w.settle();
  REQUIRE(set.answered());
  const auto waits = w.notify();
  const auto goes = w.notify(alone);
  w.advance(10min);
  CHECK(w.state(waits) == "queued");
  CHECK(w.now_of(waits).stopped == "stopped by ada: an audit");
  CHECK(w.attempts(waits).empty());
  CHECK(w.messages_at("mail").empty());
  CHECK(w.state(goes) == "accepted");
  CHECK(w.now_of(goes).stopped.empty());
  CHECK(w.messages_at("backup").size() == 1);
  w.crash_and_restart();
  w.advance(10min);
  CHECK(w.messages_at("mail").empty());
  static_cast<void>(w.ask<core::delivery_stop>(w.dispatcher(), m::end_stop{{}, where, "ada"}));
  w.advance(1min);
  CHECK(w.history(waits) == "1 accepted");
  CHECK(w.now_of(waits).stopped.empty());
}

TEST_CASE("a stop that was in force holds for messages after a restart") {
  notification_world w;
  static_cast<void>(w.ask<core::stop_in_force>(w.dispatcher(), m::set_stop{{{}, "wait", "ada"}}));
  w.settle();
  w.crash_and_restart();
  const auto made = w.notify();
  w.advance(10min);
  CHECK(w.messages_at("mail").empty());
  CHECK(w.state(made) == "queued");
}

TEST_CASE("a node that ends records the messages that are out and gives back those that wait") {
  busy_world w;
  auto ended = w.ask<void>(w.notification_dispatcher(), m::shut_down{});
  w.settle();
  CHECK_FALSE(ended.answered());
  w.advance(11s);
  CHECK(ended.answered());
  CHECK(w.messages_at("mail").size() == w.out);
  for (const auto& each : w.made)
    CHECK_FALSE(w.now_of(each).progress.claim);
}

TEST_CASE("a notifier that dies is replaced once its calls are back, and what it had out is in doubt") {
  notification_world w;
  w.target("mail").take(10s);
  const auto first = w.notify();
  w.settle();
  w.kill(w.notifier(w.mail));
  const auto second = w.notify();
  w.advance(9s);
  CHECK_FALSE(w.notifier(w.mail));
  CHECK(w.messages_at("mail").size() == 1);
  w.advance(15s);
  CHECK(w.state(second) == "accepted");
  w.advance(7min);
  CHECK(w.history(first) == "1 ambiguous");
}

TEST_CASE("a node that lost its lease sends nothing more and records nothing") {
  notification_world w;
  w.target("mail").take(10s);
  const auto made = w.notify();
  w.settle();
  w.lose_the_lease();
  const auto later = w.notify();
  w.advance(1min);
  CHECK(w.history(made) == "1 dispatching");
  CHECK(w.history(later).empty());
  CHECK(w.messages_at("mail").size() == 1);
}
