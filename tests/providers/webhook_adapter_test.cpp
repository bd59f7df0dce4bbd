#include "providers/webhook_adapter.hpp"
#include "providers/webhook_signature.hpp"
#include "tests/providers/notification_fixture.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace sluice;
using namespace sluice::tests;
using core::call_error;
using core::rejection_cause;
using core::submission_kind;
using nlohmann::json;

namespace {

const std::string secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const std::string usual_settings = R"({"url": "https://receiver.example/send?x=1"})";
const std::string usual_credentials =
    R"({"secrets": [")" + secret + R"("], "authorization": "Bearer s3cret"})";

auto made_of(const std::string& settings, const std::string& credentials = usual_credentials) {
  return providers::make_webhook_adapter(example_profile(core::provider_kind::webhook, settings, credentials),
                                         {});
}

std::string header_of(const core::http_request& request, const std::string& name) {
  for (const auto& line : request.headers)
    if (line.starts_with(name + ": "))
      return line.substr(name.size() + 2);
  return {};
}

core::http_answer answered(int status, std::string body = {}, call_error error = call_error::none) {
  core::http_answer made;
  made.status = status;
  made.body = std::move(body);
  made.error = error;
  return made;
}

std::string faults_in(const std::string& settings, const std::string& credentials = usual_credentials) {
  const auto made = made_of(settings, credentials);
  std::string all;
  if (!made)
    for (const auto& fault : made.error())
      all += fault + '\n';
  return all;
}

core::submission_order order() {
  return example_order(core::contact_kind::other, "desk \"7\"");
}

} // namespace

TEST_CASE("a message is posted as JSON and signed, with the notification's id as webhook-id") {
  const auto adapter = made_of(usual_settings).value();
  auto given = order();
  given.content.data = R"({"n": 12345678901234567890.10})";
  given.expires_at = example_now;
  const auto request = adapter->build(given, example_now, {});
  REQUIRE(request);
  CHECK(request->method == "POST");
  CHECK(request->url == "https://receiver.example/send?x=1");
  CHECK(header_of(*request, "Content-Type") == "application/json");
  CHECK(header_of(*request, "Authorization") == "Bearer s3cret");
  CHECK(json::parse(request->body)
        == json::parse(R"({"id": ")" + example_attempt + R"(", "notification": ")" + example_notification
                       + R"(",
          "to": {"kind": "other", "address": "desk \"7\""},
          "content": {"subject": "Hello", "text": "Hello there", "data": {"n": 12345678901234567890.10},
                      "urgency": "normal"},
          "expires_at": "2026-11-30T20:55:12.000000Z"})"));
  CHECK(request->body.find("12345678901234567890.10") != std::string::npos);
  CHECK(header_of(*request, "webhook-id") == example_notification);
  CHECK(
      providers::verify_webhook({header_of(*request, "webhook-id"), header_of(*request, "webhook-timestamp"),
                                 header_of(*request, "webhook-signature"), request->body},
                                secret, example_now));
}

TEST_CASE("a receiver's answer means what its status says, and an open outcome stays open") {
  const auto adapter = made_of(usual_settings).value();
  const auto read = [&](const core::http_answer& answer) {
    return adapter->read(order(), answer, example_now);
  };
  CHECK(read(answered(202, R"({"id": "m-1"})")).provider_message_id == "m-1");
  CHECK(read(answered(200, R"({"id": 17})")).provider_message_id == "17");
  for (const char* body : {"", "{}", "[", R"({"id": null})", R"({"id": 1.5})", R"({"id": "a\nb"})"}) {
    CHECK(read(answered(204, body)).kind == submission_kind::accepted);
    CHECK(read(answered(204, body)).provider_message_id.empty());
  }
  CHECK(read(answered(200, "{", call_error::answer_too_large)).kind == submission_kind::accepted);
  for (const int status : {301, 408, 425, 429})
    CHECK(read(answered(status)).kind == submission_kind::retryable);
  for (const int status : {400, 401, 404, 410, 422})
    CHECK(read(answered(status)).cause == rejection_cause::provider);
  CHECK(read(answered(413)).cause == rejection_cause::message);
  for (const int status : {500, 502, 503, 504, 600})
    CHECK(read(answered(status)).kind == submission_kind::ambiguous);
  CHECK(read(answered(0, {}, call_error::timed_out)).kind == submission_kind::ambiguous);
  CHECK(read(answered(200, {}, call_error::cut)).kind == submission_kind::ambiguous);
  CHECK(read(answered(0, {}, call_error::not_connected)).kind == submission_kind::retryable);
  CHECK(read(answered(0, {}, call_error::address_refused)).kind == submission_kind::retryable);
  auto limited = answered(429);
  limited.retry_after = "30";
  CHECK(read(limited).wait == std::chrono::seconds{30});
}

TEST_CASE("a receiver that honours the webhook-id is sent an open outcome again, which stays in doubt") {
  const auto adapter =
      made_of(R"({"url": "https://receiver.example/", "honours_webhook_id": true, "id": "/a/0"})").value();
  auto busy = answered(503);
  busy.retry_after = "7";
  CHECK(adapter->read(order(), busy, example_now).kind == submission_kind::retryable);
  CHECK(adapter->read(order(), busy, example_now).wait == std::chrono::seconds{7});
  CHECK(adapter->read(order(), busy, example_now).doubt == core::submission_doubt::this_one);
  const auto silent = adapter->read(order(), answered(0, {}, call_error::timed_out), example_now);
  CHECK(silent.kind == submission_kind::retryable);
  CHECK(silent.doubt == core::submission_doubt::this_one);
  CHECK(adapter->read(order(), answered(429), example_now).doubt == core::submission_doubt::earlier);
  CHECK(adapter->read(order(), answered(401), example_now).doubt == core::submission_doubt::earlier);
  CHECK(adapter->read(order(), answered(200, R"({"a": ["x"]})"), example_now).provider_message_id == "x");
}

TEST_CASE("what cannot stand in the body is refused with its field") {
  const auto adapter = made_of(usual_settings).value();
  auto given = order();
  CHECK(adapter->faults_of(given).empty());
  given.content.text = std::string{"a\0b", 3};
  CHECK(adapter->faults_of(given).front().starts_with("text: "));
  CHECK(adapter->build(given, example_now, {}).error().cause == rejection_cause::message);
  for (const char* data : {"[1]", "7", "{", "{} {}", R"({"a": "\u0000"})"}) {
    given = order();
    given.content.data = data;
    CHECK(adapter->faults_of(given).front().starts_with("data: "));
  }
  given = order();
  given.content = {};
  CHECK(adapter->faults_of(given).size() == 1);
  given.content.html = std::string(providers::webhook_body_bytes_max + 1, 'x');
  CHECK(adapter->faults_of(given).size() == 1);
  given = order();
  given.contact.text.clear();
  CHECK(adapter->build(given, example_now, {}).error().cause == rejection_cause::recipient);
}

TEST_CASE("every fault of a receiver's settings is named, and no secret is quoted") {
  CHECK(faults_in("{}", "{}").find("settings.url: is missing") != std::string::npos);
  CHECK(faults_in("{}", "{}").find("credentials.secrets: is missing") != std::string::npos);
  const auto all = faults_in(
      R"({"url": "ftp://a", "id": "x", "honours_webhook_id": 1, "http2": "yes",
          "headers": {"Host": "a", "X-Api-Key": "s3cret"},
          "callback": {"id": "~", "states": {"gone": "vanished"}, "suppressing": {"gone": "maybe"}, "more": 1},
          "status": {"url": "https://receiver.example/all"}, "more": 1})",
      R"({"secrets": ["whsec_s3cret", 1], "callback_secrets": ["whsk_s3cret"], "authorization": "a\r\nb", "more": 1})");
  for (const char* place :
       {"settings.url", "settings.id", "settings.honours_webhook_id", "settings.http2", "settings.headers",
        "settings.headers.X-Api-Key", "settings.callback.id", "settings.callback.states.gone",
        "settings.callback.suppressing.gone", "settings.callback.more", "settings.status.url",
        "settings.more", "credentials.secrets", "credentials.callback_secrets", "credentials.authorization",
        "credentials.more"}) {
    CAPTURE(place);
    CHECK(all.find(std::string{place} + ": ") != std::string::npos);
  }
  CHECK(all.find("s3cret") == std::string::npos);
}

TEST_CASE("a receiver is asked by its id or by ours, and its answer is an event of that attempt") {
  CHECK_FALSE(made_of(usual_settings).value()->status_query({}));
  const auto adapter = made_of(R"({"url": "https://receiver.example/", "status": {
    "url": "https://receiver.example/m/{id}?ours={attempt_id}", "states": {"ok": "delivered"}}})")
                           .value();
  CHECK(adapter->traits().has_status_query);
  const providers::status_question question{.attempt_id = example_attempt,
                                            .provider_message_id = "m/1 2",
                                            .contact = {},
                                            .submitted_at = {},
                                            .text = {}};
  CHECK(adapter->status_query(question)->url
        == "https://receiver.example/m/m%2F1%202?ours=" + example_attempt);
  for (const char* id : {"", "..", "."}) {
    auto unaskable = question;
    unaskable.provider_message_id = id;
    CHECK_FALSE(adapter->status_query(unaskable));
  }
  using enum providers::status_answer::verdict;
  const auto read = [&](const core::http_answer& answer) { return adapter->read_status(question, answer); };
  const auto found = read(answered(200, R"({"id": "m/1 2", "state": "ok", "time": 1796072112})"));
  REQUIRE(found.kind == known);
  CHECK(found.events.at(0).type == core::provider_event_type::delivered);
  CHECK(found.events[0].attempt_id == example_attempt);
  CHECK(found.events[0].occurred_at == example_now);
  CHECK(read(answered(404)).kind == unknown);
  CHECK(read(answered(200, R"({"id": "another", "state": "ok"})")).kind == unread);
  CHECK(read(answered(200, R"({"attempt_id": "another", "id": "m/1 2"})")).kind == unread);
  CHECK(read(answered(200, "{}")).kind == unread);
  CHECK(read(answered(503)).kind == unread);
  CHECK(read(answered(404, {}, call_error::cut)).kind == unread);
}
