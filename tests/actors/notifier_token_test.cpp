#include "tests/actors/notification_world.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace sluice;
using namespace std::chrono_literals;
using tests::member;
using tests::notification_world;
namespace m = messages;

namespace {

constexpr const char* fetched = R"(,"token":"call")";
constexpr const char* made_here = R"(,"token":"local")";

/// The tokens that messages went with, in the order they were first used.
std::string tokens_of(const std::vector<harness::seen_call>& calls) {
  std::string text;
  std::set<std::string> seen;
  for (const auto& call : calls) {
    if (seen.insert(call.authorization).second)
      text += (text.empty() ? "" : " ") + call.authorization.substr(std::string{"Bearer "}.size());
  }
  return text;
}

/// 403 for so many calls at the path, then as ever.
void refuse_clock(harness::scripted_target& at, const std::string& path, int times) {
  at.decide([path, times](const harness::seen_call& call) mutable -> std::optional<harness::reaction> {
    if (call.path == path && times-- > 0)
      return harness::answer(403);
    if (call.path == "/messages")
      return harness::answer(202, R"({"id":"m-1"})");
    return std::nullopt;
  });
}

} // namespace

TEST_CASE("one access token is fetched for many messages, over turns, and another before it expires") {
  notification_world w{{}, fetched};
  const auto made = w.notify_times(20);
  w.settle();
  CHECK(w.count_in(made, "accepted") == 20);
  CHECK(w.calls_to("mail", "/token") == 1);
  CHECK_FALSE(w.notifier(w.mail));
  w.advance(30min);
  w.notify();
  w.settle();
  CHECK(w.calls_to("mail", "/token") == 1);
  w.advance(29min + 1s); // a minute before its hour is over
  w.notify();
  w.settle();
  CHECK(w.calls_to("mail", "/token") == 2);
  CHECK(tokens_of(w.messages_at("mail")) == "token-1 token-2");
}

TEST_CASE("a token that is made here is shared by all messages of its life") {
  notification_world w{{}, made_here};
  w.notify_times(5);
  w.settle();
  w.advance(40min);
  w.notify();
  w.settle();
  CHECK(w.calls_to("mail", "/token") == 0);
  std::set<std::string> used;
  for (const auto& call : w.messages_at("mail"))
    used.insert(call.authorization);
  CHECK(used.size() == 1);
  w.advance(10min);
  w.notify();
  w.settle();
  CHECK(w.messages_at("mail").back().authorization != *used.begin());
}

TEST_CASE("a token the provider refuses is dropped, and the next attempt has another one") {
  notification_world w{{}, fetched};
  w.target("mail").decide([](const harness::seen_call& call) -> std::optional<harness::reaction> {
    if (call.path != "/messages")
      return std::nullopt;
    return call.authorization == "Bearer token-1" ? harness::answer(401)
                                                  : harness::answer(202, R"({"id":"m-1"})");
  });
  const auto made = w.notify();
  w.settle();
  CHECK(w.history(made) == "1 retryable");
  w.advance(2min);
  CHECK(w.history(made) == "1 retryable, 2 accepted");
  CHECK(w.calls_to("mail", "/token") == 2);
}

TEST_CASE("without a token nothing leaves, and nothing is in doubt") {
  notification_world w{{}, fetched};
  w.target("mail").on("POST", harness::hang());
  const auto made = w.notify();
  w.advance(31s);
  CHECK(w.history(made) == "1 retryable");
  CHECK(w.state(made) == "queued");
  CHECK(w.messages_at("mail").empty());
}

TEST_CASE("credentials that are refused leave the message to the next profile") {
  notification_world w{{}, fetched};
  w.target("mail").next(harness::answer(400));
  const auto made = w.notify();
  w.settle();
  CHECK(w.history(made) == "1 rejected, 2 accepted");
  CHECK(w.attempts(made).front().error_class == "invalid_grant");
}

TEST_CASE("a changed account gets a token of its own") {
  notification_world w{{}, fetched};
  w.notify();
  w.settle();
  core::profile_change change;
  core::profile_page all;
  const auto listed = w.must(storage::list_profiles(w.db(), all));
  const auto stored =
      std::ranges::find(listed, std::string{"mail"}, [](const auto& one) { return one.profile.name; });
  REQUIRE(stored != listed.end());
  change.written = stored->profile;
  change.written.credentials = R"({"secret":"another"})";
  change.keeps_credentials = false;
  change.revision = stored->revision;
  static_cast<void>(w.must(storage::transact(w.db(), [&](storage::session& open) {
    return storage::change_profile(open, change, *w.keys(), w.now());
  })));
  w.notify();
  w.settle();
  CHECK(tokens_of(w.messages_at("mail")) == "token-1 token-2");
}

TEST_CASE("a wrong clock is corrected once an attempt, by the time the provider told") {
  notification_world w;
  refuse_clock(w.target("mail"), "/messages", 1);
  const auto made = w.notify();
  w.settle();
  CHECK(w.history(made) == "1 accepted");
  const auto calls = w.messages_at("mail");
  REQUIRE(calls.size() == 2);
  CHECK(member(calls[0], "attempt") == member(calls[1], "attempt"));
  CHECK(member(calls[1], "at") == std::to_string(core::to_us(calls[0].at + 1h)));
}

TEST_CASE("a clock that is still wrong by the provider's own time ends the attempt") {
  notification_world w;
  refuse_clock(w.target("mail"), "/messages", 10);
  const auto made = w.notify();
  w.settle();
  CHECK(w.messages_at("mail").size() == 2);
  CHECK(w.history(made) == "1 rejected, 2 accepted");
}

TEST_CASE("a token is asked for once more by the time the provider told") {
  notification_world w{{}, fetched};
  refuse_clock(w.target("mail"), "/token", 1);
  const auto made = w.notify();
  w.settle();
  CHECK(w.history(made) == "1 accepted");
  CHECK(w.calls_to("mail", "/token") == 2);
}

TEST_CASE("within a stop a corrected call does not leave, and its attempt is given back") {
  notification_world w;
  w.target("mail").next(harness::answer(403).after(5s));
  const auto made = w.notify();
  w.settle();
  static_cast<void>(w.ask<core::stop_in_force>(w.dispatcher(), m::set_stop{{{}, "wait", "ada"}}));
  w.advance(10s);
  CHECK(w.messages_at("mail").size() == 1);
  CHECK(w.state(made) == "queued");
  CHECK(w.history(made).empty());
}
