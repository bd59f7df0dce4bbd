#include "messages/fault.hpp"
#include "storage/audit.hpp"
#include "tests/actors/notification_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using tests::member;
using tests::notification_world;
namespace m = messages;

namespace {

config::notification_settings one_retry() {
  config::notification_settings settings;
  settings.retry_schedule = {1min};
  return settings;
}

} // namespace

TEST_CASE("a notification is sent once, with the ids of its attempt, and its notifier goes when it is idle") {
  notification_world w;
  const auto made = w.notify();
  w.settle();
  CHECK(w.state(made) == "accepted");
  CHECK(w.history(made) == "1 accepted");
  REQUIRE(w.messages_at("mail").size() == 1);
  const auto call = w.messages_at("mail").front();
  CHECK(member(call, "attempt") == w.attempts(made).front().public_id);
  CHECK(member(call, "notification") == made.public_id);
  CHECK(member(call, "to") == "ada@x.example");
  CHECK(w.attempts(made).front().provider_message_id == "m-1");
  CHECK_FALSE(w.notifier(w.mail));
  CHECK(w.metrics().submissions(core::submission_kind::accepted).value() == 1);
}

TEST_CASE("an attempt's number and lease are durable before its call leaves") {
  notification_world w;
  const auto made = w.notify();
  w.settle_before<m::place_calls>();
  CHECK(w.messages_at("mail").empty());
  CHECK(w.history(made) == "1 dispatching");
  CHECK(w.now_of(made).progress.claim->number == 1);
}

TEST_CASE("a notification nobody told of is found by the tick") {
  notification_world w;
  const auto made = w.must(storage::transact(w.db(), [&](storage::session& open) {
                       return storage::make_notification(open, w.wanted(), *w.keys(), w.now());
                     })).record;
  w.advance(61s);
  CHECK(w.state(made) == "accepted");
}

TEST_CASE("many notifications of a profile are sent within its limit of calls") {
  config::notification_settings settings;
  settings.max_in_flight = 4;
  settings.claims_max = 8;
  notification_world w{settings};
  w.target("mail").take(1s);
  const auto made = w.notify_times(40);
  w.advance(2min);
  CHECK(w.count_in(made, "accepted") == 40);
  CHECK(w.messages_at("mail").size() == 40);
  CHECK(w.target("mail").most_calls_within(999ms) <= 4);
}

TEST_CASE(
    "what the provider cannot take now is tried again, and then the route's next profile has its turn") {
  notification_world w{one_retry()};
  w.target("mail").on("POST", harness::answer(503));
  w.target("mail").decide({});
  const auto made = w.notify();
  w.settle();
  CHECK(w.state(made) == "queued");
  CHECK(w.history(made) == "1 retryable");
  w.advance(59s);
  CHECK(w.messages_at("mail").size() == 1);
  w.advance(10s); // and up to a tenth of the wait
  CHECK(w.history(made) == "1 retryable, 2 retryable, 3 accepted");
  CHECK(w.state(made) == "accepted");
  CHECK(w.messages_at("mail").size() == 2);
  CHECK(w.messages_at("backup").size() == 1);
}

TEST_CASE("a provider that refuses the account is left for the next one at once") {
  notification_world w;
  w.target("mail").decide({});
  w.target("mail").on("POST", harness::answer(402));
  const auto made = w.notify();
  w.settle();
  CHECK(w.history(made) == "1 rejected, 2 accepted");
  CHECK(w.now_of(made).profile == w.backup);
}

TEST_CASE("a dead address ends its notification, whatever profiles are left, and is used no more") {
  notification_world w;
  w.target("mail").decide({});
  w.target("mail").on("POST", harness::answer(410));
  const auto made = w.notify();
  w.settle();
  CHECK(w.history(made) == "1 rejected");
  CHECK(w.state(made) == "rejected");
  CHECK(w.messages_at("backup").empty());
  const auto later = w.notify();
  w.settle();
  CHECK(w.state(later) == "failed");
  CHECK(w.messages_at("mail").size() == 1);
}

TEST_CASE("a message that has no call to make ends by its adapter's word") {
  notification_world w;
  const auto made = w.notify(w.wanted("unsendable"));
  w.settle();
  CHECK(w.history(made) == "1 rejected");
  CHECK(w.state(made) == "rejected");
  CHECK(w.messages_at("mail").empty());
}

TEST_CASE("what waits at a profile that was removed, or cannot be used, goes to the next of its route") {
  notification_world w;
  w.add_provider("odd", R"(,"faulty":true)");
  const auto gone = w.add_provider("gone");
  const auto odd_route = w.make_route("odd first", {"odd", "backup"});
  const auto gone_route = w.make_route("gone first", {"gone", "backup"});
  auto wish = w.wanted();
  wish.route = odd_route;
  const auto odd = w.notify(wish);
  w.settle();
  CHECK(w.history(odd) == "1 rejected, 2 accepted");
  CHECK(w.attempts(odd).front().error_class == "profile_unusable");
  wish.route = gone_route;
  const auto made = w.notify(wish);
  CHECK(w.must(storage::transact(w.db(), [&](storage::session& open) {
    return storage::remove_notification_route(open, {gone_route, {}}, w.now());
  })));
  CHECK(w.must(storage::transact(
      w.db(), [&](storage::session& open) { return storage::remove_profile(open, {gone, {}}, w.now()); })));
  w.settle();
  CHECK(w.history(made) == "1 rejected, 2 accepted");
  CHECK(w.attempts(made).front().error_class == "profile_removed");
}

TEST_CASE("a provider that asks for a pause has it: the others wait without an attempt") {
  notification_world w;
  w.target("mail").next(harness::rate_limit("120"));
  const auto made = w.notify_times(3);
  w.settle();
  CHECK(w.messages_at("mail").size() == 1);
  const auto later = w.notify();
  w.advance(119s);
  CHECK(w.messages_at("mail").size() == 1);
  CHECK(w.history(later).empty());
  w.advance(20s);
  CHECK(w.state(later) == "accepted");
  CHECK(w.history(later) == "1 accepted");
  CHECK(w.count_in(made, "accepted") == 3);
}

TEST_CASE(
    "where addresses lead to many services, a wait that one of them asks for holds up its own message") {
  notification_world w{{}, R"(,"many":true)"};
  w.target("mail").next(harness::rate_limit("120"));
  const auto asked_to_wait = w.notify();
  w.settle();
  const auto others = w.notify_times(3);
  w.settle();
  CHECK(w.count_in(others, "accepted") == 3);
  w.advance(119s);
  CHECK(w.history(asked_to_wait) == "1 retryable");
  w.advance(20s);
  CHECK(w.history(asked_to_wait) == "1 retryable, 2 accepted");
}

TEST_CASE("profiles whose providers do not answer leave the others their places") {
  config::notification_settings settings;
  settings.active_max = 1;
  settings.failing_max = 1;
  notification_world w{settings};
  w.target("mail").decide({});
  w.target("mail").on("POST", harness::hang());
  const auto stuck = w.notify_times(3);
  w.advance(31s);
  auto wish = w.wanted();
  wish.route = w.make_route("backup alone", {"backup"});
  const auto made = w.notify(wish);
  w.settle();
  CHECK(w.state(made) == "accepted");
  w.advance(3min);
  CHECK(w.count_in(stuck, "ambiguous") == 3);
}

TEST_CASE("nothing is sent that has expired") {
  notification_world w;
  auto wish = w.wanted();
  wish.expires_at = w.now() + 30s;
  w.target("mail").next(harness::answer(503));
  const auto made = w.notify(wish);
  w.advance(2min);
  CHECK(w.state(made) == "expired");
  CHECK(w.messages_at("mail").size() == 1);
  CHECK(w.metrics().notifications_unsent.value() == 1);
}

TEST_CASE("what a person cancels before it is sent is not sent") {
  notification_world w{one_retry()};
  w.target("mail").next(harness::answer(503));
  const auto made = w.notify();
  w.settle();
  const auto cancelled = w.ask<core::notification_record>(
      w.notification_dispatcher(), m::cancel_notification{{made.id, "ada", "a mistake"}});
  w.settle();
  CHECK(cancelled.value().progress.state == core::notification_state::cancelled);
  w.advance(10min);
  CHECK(w.messages_at("mail").size() == 1);
  const auto again = w.ask<core::notification_record>(w.notification_dispatcher(),
                                                      m::cancel_notification{{made.id, "ada", "again"}});
  w.settle();
  CHECK(again.failed());
}

TEST_CASE("what is with its provider is not cancelled, and its answer is recorded") {
  notification_world w;
  w.target("mail").next(harness::answer(202, R"({"id":"m-1"})").after(10s));
  const auto made = w.notify();
  w.advance(1s);
  REQUIRE(w.state(made) == "dispatching");
  const auto cancelled = w.ask<core::notification_record>(
      w.notification_dispatcher(), m::cancel_notification{{made.id, "ada", "a mistake"}});
  const auto settled = w.ask<core::notification_record>(w.notification_dispatcher(),
                                                        w.settlement(made, core::settlement_kind::not_sent));
  w.settle();
  REQUIRE((cancelled.failed() && settled.failed()));
  CHECK(m::fault_of(cancelled.error()) == m::fault::refused);
  CHECK_THAT(m::describe(cancelled.error()), Catch::Matchers::Contains("dispatching"));
  CHECK_THAT(m::describe(settled.error()), Catch::Matchers::Contains("dispatching"));
  w.advance(10s);
  CHECK(w.history(made) == "1 accepted");
  CHECK(w.must(storage::list_audit(w.db(), {})).empty());
}
