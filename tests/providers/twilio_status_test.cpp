#include "providers/text_encoding.hpp"
#include "twilio_fixture.hpp"

using namespace sluice;
using namespace sluice::twilio_testing;
using namespace std::chrono_literals;
using verdict = providers::status_answer::verdict;
using nlohmann::json;

namespace {

const core::timestamp submitted = *core::parse_rfc3339("2026-01-31T00:30:00Z");

providers::status_question question(const std::string& sid = "", const std::string& text = "Hello") {
  return {attempt, sid, {core::contact_kind::phone, recipient}, submitted, text, {}, false};
}

/// A Message resource as Twilio lists it.
json resource(const json& changes = json::object()) {
  json made{{"sid", message_sid},
            {"status", "delivered"},
            {"direction", "outbound-api"},
            {"from", "+15005550006"},
            {"to", recipient},
            {"body", "Hello"},
            {"messaging_service_sid", nullptr},
            {"error_code", nullptr},
            {"date_created", "Sat, 31 Jan 2026 00:30:01 +0000"},
            {"date_sent", nullptr},
            {"date_updated", "Sat, 31 Jan 2026 00:30:09 +0000"}};
  made.update(changes);
  return made;
}

core::http_answer list(const std::vector<json>& messages, core::duration later = 48h,
                       const json& next = nullptr) {
  auto made = answered(200, json{{"messages", messages}, {"next_page_uri", next}}.dump());
  made.ended_at = submitted + later;
  return made;
}

providers::status_answer asked(const core::http_answer& answer, const providers::status_question& about) {
  return twilio()->read_status(about, answer);
}

} // namespace

TEST_CASE("an attempt whose id is known is asked for by it") {
  const auto request = twilio()->status_query(question(message_sid));
  REQUIRE(request);
  CHECK(request->method == "GET");
  CHECK(request->url
        == "https://api.twilio.com/2010-04-01/Accounts/" + account + "/Messages/" + message_sid + ".json");
  CHECK(request->common_headers->front().starts_with("Authorization: Basic "));
  const auto answer = asked(answered(200, resource().dump()), question(message_sid));
  CHECK(answer.kind == verdict::known);
  CHECK(answer.provider_message_id == message_sid);
  REQUIRE(answer.events.size() == 1);
  CHECK(answer.events[0].type == core::provider_event_type::delivered);
  CHECK(answer.events[0].attempt_id == attempt);
  CHECK(answer.events[0].provider_message_id == message_sid);
  CHECK(answer.events[0].occurred_at == *core::parse_rfc3339("2026-01-31T00:30:09Z"));
}

TEST_CASE("a message by its id says why it failed") {
  const auto answer = asked(answered(200, resource({{"status", "failed"}, {"error_code", 21610}}).dump()),
                            question(message_sid));
  REQUIRE(answer.events.size() == 1);
  CHECK(answer.events[0].type == core::provider_event_type::undelivered);
  CHECK(answer.events[0].suppresses == core::suppression_reason::unsubscribed);
  CHECK(answer.events[0].detail == "Twilio error 21610: the recipient has unsubscribed");
}

TEST_CASE("an answer that says nothing of the message is no answer, and only 404 is unknown") {
  CHECK(asked(answered(404, "{}"), question(message_sid)).kind == verdict::unknown);
  const auto other = "SM" + std::string(32, 'e');
  for (const auto& answer :
       {answered(200, ""), answered(200, "[]"), answered(200, "{}"), answered(200, "<html>"),
        answered(200, resource({{"sid", other}}).dump()), answered(200, resource({{"status", 7}}).dump()),
        answered(401), answered(429), answered(500), answered(302), failed(core::call_error::timed_out),
        failed(core::call_error::not_connected), failed(core::call_error::answer_too_large, 200)}) {
    const auto read = asked(answer, question(message_sid));
    CHECK(read.kind == verdict::unread);
    CHECK_FALSE(read.error.empty());
    CHECK(asked(answer, question()).kind == verdict::unread);
  }
  CHECK(asked(answered(404), question()).kind == verdict::unread);
}

TEST_CASE("an ambiguous attempt is looked for by recipient and day, with an hour for wrong clocks") {
  const auto request = twilio()->status_query(question());
  REQUIRE(request);
  CHECK(request->url
        == "https://api.twilio.com/2010-04-01/Accounts/" + account
               + "/Messages.json?To=%2B15005550007&DateSent%3E=2026-01-30&PageSize=200");
  const auto answer = asked(list({resource()}), question());
  CHECK(answer.kind == verdict::known);
  CHECK(answer.provider_message_id == message_sid);
  CHECK(answer.events.size() == 1);
}

TEST_CASE("only messages of this sender, time and text may be the attempt's") {
  const auto found = [](const json& changes) { return asked(list({resource(changes)}), question()).kind; };
  CHECK(found({{"date_created", "Fri, 30 Jan 2026 23:30:00 +0000"}}) == verdict::known); // an hour behind
  CHECK(found({{"date_created", "Sat, 31 Jan 2026 01:30:00 +0000"}}) == verdict::known); // and ahead
  CHECK(found({{"date_created", "Fri, 30 Jan 2026 23:20:00 +0000"}}) == verdict::unknown);
  CHECK(found({{"date_created", "Sat, 31 Jan 2026 01:40:00 +0000"}}) == verdict::unknown);
  CHECK(found({{"date_created", nullptr}}) == verdict::known);
  CHECK(found({{"direction", "inbound"}}) == verdict::unknown);
  CHECK(found({{"from", "+15005550001"}}) == verdict::unknown);
  CHECK(found({{"from", nullptr}}) == verdict::known);
  CHECK(found({{"body", "Good bye"}}) == verdict::unknown);
  CHECK(found({{"sid", "not a sid"}}) == verdict::unknown);
}

TEST_CASE("what Twilio does to a text does not hide the message, and a redacted one settles nothing") {
  const auto found = [](const std::string& submitted_text, const std::string& listed) {
    return asked(list({resource({{"body", listed}})}), question("", submitted_text)).kind;
  };
  CHECK(found("Hello", "Sent from your Twilio trial account - Hello") == verdict::known);
  CHECK(found("It\u2019s \u201cHello\u201d\u2026", "It's \"Hello\"...") == verdict::known);
  CHECK(found("Hello", "") == verdict::several);
  CHECK(found("\u041f\u0440\u0438\u0432\u0435\u0442", "\u041f\u043e\u043a\u0430") == verdict::several);
  CHECK(found("\u041f\u0440\u0438\u0432\u0435\u0442", "\u041f\u0440\u0438\u0432\u0435\u0442")
        == verdict::known);
  CHECK(found("", "Anything") == verdict::several); // the text is not known
  CHECK(found("5", "Your code is 15") == verdict::unknown);
}

TEST_CASE("several messages that fit are for a person") {
  const auto second = resource({{"sid", "MM" + std::string(32, 'b')}});
  CHECK(asked(list({resource(), second}), question()).kind == verdict::several);
  CHECK(asked(list({resource(), resource({{"sid", "SM" + std::string(32, 'c')}, {"body", "Other"}})}),
              question())
            .kind
        == verdict::known);
  CHECK(asked(list({resource(), second}), question("", "")).kind == verdict::several);
}

TEST_CASE("of two messages to one recipient the text says which is which") {
  const auto second = resource({{"sid", "SM" + std::string(32, 'c')}, {"body", "Good bye"}});
  const auto both = list({resource(), second});
  CHECK(asked(both, question()).provider_message_id == message_sid);
  CHECK(asked(both, question("", "Good bye")).provider_message_id == "SM" + std::string(32, 'c'));
}

TEST_CASE("a message that is known to be another's is not this one") {
  auto about = question();
  about.other_ids = {message_sid};
  CHECK(asked(list({resource()}), about).kind == verdict::unknown);
  const auto second = resource({{"sid", "SM" + std::string(32, 'c')}});
  CHECK(asked(list({resource(), second}), about).provider_message_id == "SM" + std::string(32, 'c'));
}

TEST_CASE("of two equal messages whose ids are not known, one in the list settles neither") {
  auto about = question();
  about.alike = true;
  CHECK(asked(list({resource()}), about).kind == verdict::several);
  CHECK(asked(list({}), about).kind == verdict::unknown);
}

TEST_CASE("that nothing fits is believed once a message cannot be waiting in the queue any more") {
  const std::vector<json> none;
  CHECK(asked(list(none, 1min), question()).kind == verdict::unread);
  CHECK(asked(list(none, 11h), question()).kind == verdict::unread);
  CHECK(asked(list(none, 11h + 5min), question()).kind == verdict::unknown);
  CHECK(asked(list(none, 48h, "/2010-04-01/next"), question()).kind == verdict::unread);
  CHECK(asked(answered(200, R"({"messages": {}})"), question()).kind == verdict::unread);
}

TEST_CASE("messages of a messaging service are told by it, as the sender is not known before") {
  const auto adapter = twilio({{"account_sid", account}, {"messaging_service_sid", service_sid}});
  const auto found = [&](const json& changes) {
    return adapter->read_status(question(), list({resource(changes)})).kind;
  };
  CHECK(found({{"messaging_service_sid", service_sid}, {"from", nullptr}}) == verdict::known);
  CHECK(found({{"messaging_service_sid", "MG" + std::string(32, '8')}}) == verdict::unknown);
}
