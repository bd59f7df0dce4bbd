#include "providers/webhook_adapter.hpp"
#include "providers/webhook_secret.hpp"
#include "providers/webhook_signature.hpp"
#include "tests/providers/notification_fixture.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <variant>

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;
using core::callback_refusal_kind;
using core::provider_event_type;

namespace {

const std::string old_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const std::string new_secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const std::string ed25519_secret = "whsk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

std::shared_ptr<const providers::notification_adapter> adapter_of(const std::string& callback = "{}",
                                                                  const std::string& more = {}) {
  auto made = providers::make_webhook_adapter(
      example_profile(core::provider_kind::webhook,
                      R"({"url": "https://receiver.example/", "callback": )" + callback + "}",
                      R"({"secrets": [")" + new_secret + R"(", ")" + old_secret + R"("])" + more + "}"),
      {});
  REQUIRE(made);
  return *made;
}

core::callback_request callback_of(const std::string& body, const std::string& secret = old_secret,
                                   core::timestamp at = example_now) {
  core::callback_request made{.method = "POST", .path_and_query = "/c", .headers = {}, .body = body};
  made.headers.emplace_back("content-type", "Application/JSON; charset=utf-8");
  const auto lines = providers::sign_webhook("evt_1", body, {{secret, std::nullopt}}, at);
  for (const auto& line : lines.value())
    made.headers.emplace_back(line.substr(0, line.find(':')), line.substr(line.find(':') + 2));
  return made;
}

core::provider_event event_of(const providers::callback_verdict& verdict) {
  const auto* verified = std::get_if<providers::verified_callback>(&verdict);
  REQUIRE(verified);
  REQUIRE(verified->events.size() == 1);
  return verified->events.front();
}

callback_refusal_kind refusal_of(const providers::callback_verdict& verdict) {
  const auto* refusal = std::get_if<core::callback_refusal>(&verdict);
  REQUIRE(refusal);
  CHECK_FALSE(refusal->reason.empty());
  return refusal->kind;
}

const std::string usual_body = R"({"id": "m-1", "attempt_id": "a-1", "state": "delivered",
                                   "time": "2026-11-30T21:55:12+01:00", "unknown": [1]})";

} // namespace

TEST_CASE("a signed callback is an event, by any secret of the list") {
  const auto adapter = adapter_of();
  for (const auto& secret : {old_secret, new_secret}) {
    const auto event = event_of(adapter->verify(callback_of(usual_body, secret), {}, example_now));
    CHECK(event.event_id == "evt_1");
    CHECK(event.provider_message_id == "m-1");
    CHECK(event.attempt_id == "a-1");
    CHECK(event.type == provider_event_type::delivered);
    CHECK(event.provider_type == "delivered");
    CHECK(event.occurred_at == example_now);
    CHECK_FALSE(event.suppresses);
  }
}

TEST_CASE("callbacks may have keys of their own, public ones too, and then no other counts") {
  const auto key = providers::verification_key(providers::parse_webhook_secret(ed25519_secret).value());
  const auto adapter = adapter_of("{}", R"(, "callback_secrets": [")" + key + R"("])");
  CHECK(event_of(adapter->verify(callback_of(usual_body, ed25519_secret), {}, example_now)).attempt_id
        == "a-1");
  CHECK(refusal_of(adapter->verify(callback_of(usual_body, old_secret), {}, example_now))
        == callback_refusal_kind::bad_signature);
}

TEST_CASE("a receiver's own places and words are read as the settings say") {
  const auto adapter = adapter_of(R"({"id": "/d/0/ref", "state": "/d/0/s", "time": "/at",
    "states": {"gone": "bounced"}, "suppressing": {"gone": "hard_bounce"}})");
  const auto gone = event_of(adapter->verify(
      callback_of(R"({"d": [{"ref": 17, "s": "gone"}], "at": 1796072000})"), {}, example_now));
  CHECK(gone.provider_message_id == "17");
  CHECK(gone.type == provider_event_type::bounced);
  CHECK(gone.suppresses == core::suppression_reason::hard_bounce);
  CHECK(gone.occurred_at == example_now - 112s);
  const auto other =
      event_of(adapter->verify(callback_of(R"({"d": [{"ref": "r", "s": "delivered"}]})"), {}, example_now));
  CHECK(other.type == provider_event_type::other);
  CHECK(other.provider_type == "delivered");
  CHECK(other.occurred_at == example_now);
  CHECK_FALSE(other.suppresses);
}

TEST_CASE("a state that may be somebody's address shows in no event") {
  const auto adapter = adapter_of();
  for (const char* state : {"ann@example.net", "+442079460958", "https://push.example.com/ann"}) {
    const auto event = event_of(adapter->verify(
        callback_of(R"({"id": "m", "state": ")" + std::string{state} + R"("})"), {}, example_now));
    CHECK(event.type == provider_event_type::other);
    CHECK(event.provider_type.empty());
  }
  const auto word =
      event_of(adapter->verify(callback_of(R"({"id": "m", "state": "Something new.2"})"), {}, example_now));
  CHECK(word.provider_type == "Something new.2");
}

TEST_CASE("a state or a time that cannot be read keeps no callback out") {
  const auto adapter = adapter_of();
  for (const char* body :
       {R"({"id": "m"})", R"({"id": "m", "state": 7, "time": "soon"})",
        R"({"id": "m", "state": null, "time": -1})", R"({"attempt_id": "a", "state": "x"})"}) {
    const auto event = event_of(adapter->verify(callback_of(body), {}, example_now));
    CHECK(event.type == provider_event_type::other);
    CHECK(event.occurred_at == example_now);
  }
}

TEST_CASE("a callback that is not the receiver's, not for now or not understood is refused by its kind") {
  const auto adapter = adapter_of();
  auto given = callback_of(usual_body);
  given.body += ' ';
  CHECK(refusal_of(adapter->verify(given, {}, example_now)) == callback_refusal_kind::bad_signature);
  given = callback_of(usual_body, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx");
  CHECK(refusal_of(adapter->verify(given, {}, example_now)) == callback_refusal_kind::bad_signature);
  given = callback_of(usual_body);
  given.headers.pop_back();
  CHECK(refusal_of(adapter->verify(given, {}, example_now)) == callback_refusal_kind::bad_signature);
  given.headers.clear();
  CHECK(refusal_of(adapter->verify(given, {}, example_now)) == callback_refusal_kind::content_type);
  for (const auto off : {-1h, 1h})
    CHECK(refusal_of(adapter->verify(callback_of(usual_body, old_secret, example_now + off), {}, example_now))
          == callback_refusal_kind::stale);
  CHECK(refusal_of(adapter->verify(callback_of("id=m-1"), {}, example_now))
        == callback_refusal_kind::malformed);
  CHECK(refusal_of(adapter->verify(callback_of(std::string(100, '[')), {}, example_now))
        == callback_refusal_kind::malformed);
  for (const char* body :
       {"{}", "[]", "7", R"({"id": "", "attempt_id": {}})", R"({"id": "a\nb"})", R"({"id": true})"})
    CHECK(refusal_of(adapter->verify(callback_of(body), {}, example_now))
          == callback_refusal_kind::unidentified);
}
