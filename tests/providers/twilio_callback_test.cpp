#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "twilio_fixture.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::twilio_testing;
using providers::append_form_field;
using enum core::provider_event_type;
using enum core::callback_refusal_kind;

namespace {

std::string status_form(const std::string& status, const std::string& more = "") {
  std::string form;
  append_form_field(form, "AccountSid", account);
  append_form_field(form, "ApiVersion", "2010-04-01");
  append_form_field(form, "From", "+15005550006");
  append_form_field(form, "MessageSid", message_sid);
  append_form_field(form, "MessageStatus", status);
  append_form_field(form, "SmsSid", message_sid);
  append_form_field(form, "SmsStatus", status);
  append_form_field(form, "To", recipient);
  return form + more;
}

const std::string attempt_url = callback_url + "?attempt=" + attempt;

/// A JSON callback with its digest in the query.
core::callback_request json_callback(const std::string& body) {
  const auto digest = crypto::sha256(body);
  const auto url = callback_url + "?bodySHA256=" + crypto::to_hex(crypto::as_bytes(digest));
  auto made = signed_callback("", url);
  made.body = body;
  made.headers[1].second = "application/json";
  return made;
}

nlohmann::json cloud_event(const std::string& status, const std::string& id = "EZ1") {
  return {{"specversion", "1.0"},
          {"type", "com.twilio.messaging.message." + status},
          {"id", id},
          {"data",
           {{"messageSid", message_sid},
            {"accountSid", account},
            {"messageStatus", status},
            {"timestamp", "2026-01-31T08:09:10.500Z"},
            {"to", recipient}}}};
}

} // namespace

TEST_CASE("each message status is the event it means") {
  const std::vector<std::pair<std::string, core::provider_event_type>> rows{
      {"accepted", queued},
      {"scheduled", queued},
      {"queued", queued},
      {"sending", queued},
      {"sent", sent},
      {"delivered", delivered},
      {"undelivered", undelivered},
      {"failed", undelivered},
      {"canceled", rejected},
      {"read", other},
      {"partially_delivered", other},
      {"receiving", other},
      {"received", other},
      {"a-new-word", other},
      {"", other},
      {"DELIVERED", delivered},
  };
  for (const auto& [status, type] : rows) {
    CAPTURE(status);
    const auto event = only_event(verdict_of(signed_callback(status_form(status), attempt_url)));
    CHECK(event.type == type);
    CHECK(event.provider_message_id == message_sid);
    CHECK(event.attempt_id == attempt);
    CHECK(event.provider_type == (status == "DELIVERED" ? "delivered" : status));
    CHECK(event.event_id.empty());
    CHECK_FALSE(event.suppresses);
    CHECK(event.detail.empty());
  }
}

TEST_CASE("a status that may be somebody's number shows in no event") {
  const auto event = only_event(verdict_of(signed_callback(status_form("+15005550007"), attempt_url)));
  CHECK(event.type == other);
  CHECK(event.provider_type.empty());
}

TEST_CASE("an error code says why, and only an opt-out suppresses") {
  const auto with_code = [](const std::string& code) {
    return only_event(verdict_of(signed_callback(
        status_form("undelivered", "&ErrorCode=" + code + "&ErrorMessage=to+%2B15005550007"))));
  };
  CHECK(with_code("30003").detail == "Twilio error 30003: the handset cannot be reached");
  CHECK_FALSE(with_code("30003").suppresses);
  CHECK_FALSE(with_code("30005").suppresses);
  CHECK(with_code("21610").suppresses == core::suppression_reason::unsubscribed);
  CHECK(with_code("39999").detail == "Twilio error 39999");
  for (const char* none : {"", "0", "-30003", "30003x", "99999999999999"})
    CHECK(with_code(none).detail.empty());
}

TEST_CASE("what a proxy or a forger says of scheme, host and port is never believed") {
  const auto adapter = twilio();
  auto genuine = signed_callback(status_form("sent"), attempt_url);
  genuine.headers.insert(genuine.headers.begin(), {{"x-forwarded-proto", "http"},
                                                   {"x-forwarded-host", "evil.example.test"},
                                                   {"x-forwarded-port", "8080"},
                                                   {"forwarded", "host=evil.example.test;proto=http"}});
  CHECK(only_event(verdict_of(genuine, adapter)).type == sent);

  const std::string evil = "https://evil.example.test/v1/callbacks/p-1";
  auto forged = signed_callback(status_form("delivered"), evil);
  forged.headers.insert(forged.headers.begin(),
                        {{"x-forwarded-proto", "https"}, {"x-forwarded-host", "evil.example.test"}});
  forged.headers.emplace_back("host", "evil.example.test");
  CHECK(refusal_of(verdict_of(forged, adapter)) == bad_signature);
}

TEST_CASE("a callback without a signature by this account over these bytes is refused") {
  const auto genuine = signed_callback(status_form("delivered"), attempt_url);
  auto changed = genuine;
  changed.body.replace(changed.body.find("delivered"), 9, "undelivered");
  CHECK(refusal_of(verdict_of(changed)) == bad_signature);
  changed = genuine;
  changed.body += "&Extra=";
  CHECK(refusal_of(verdict_of(changed)) == bad_signature);
  changed = genuine;
  changed.path_and_query = "/inside?attempt=0199c0de-0000-7000-8000-00000000ffff";
  CHECK(refusal_of(verdict_of(changed)) == bad_signature);
  changed = genuine;
  changed.headers[2].second.clear();
  CHECK(refusal_of(verdict_of(changed)) == bad_signature);
  changed.headers.pop_back();
  CHECK(refusal_of(verdict_of(changed)) == bad_signature);
  const auto other_token = signed_callback(status_form("delivered"), attempt_url, "another token");
  CHECK(refusal_of(verdict_of(other_token)) == bad_signature);
}

TEST_CASE("while tokens are being changed, both verify") {
  const auto adapter =
      twilio(twilio_plain_settings(), {{"auth_token", auth_token}, {"secondary_auth_token", "n3xt"}});
  CHECK(only_event(verdict_of(signed_callback(status_form("sent"), attempt_url), adapter)).type == sent);
  CHECK(only_event(verdict_of(signed_callback(status_form("sent"), attempt_url, "n3xt"), adapter)).type
        == sent);
}

TEST_CASE("a profile without a public address verifies nothing") {
  const auto adapter = twilio(twilio_plain_settings(), {{"auth_token", auth_token}}, "");
  CHECK(refusal_of(verdict_of(signed_callback(status_form("sent")), adapter)) == bad_signature);
}

TEST_CASE("a callback for another account is refused although its signature is good") {
  auto form = status_form("delivered");
  form.replace(form.find(account), account.size(), other_account);
  CHECK(refusal_of(verdict_of(signed_callback(form))) == unexpected_sender);
  auto event = cloud_event("delivered");
  event["data"]["accountSid"] = other_account;
  CHECK(refusal_of(verdict_of(json_callback(event.dump()))) == unexpected_sender);
}

TEST_CASE("a callback has to name its message or our attempt") {
  const auto of = [](const std::string& form, const std::string& url) {
    return verdict_of(signed_callback(form, url));
  };
  CHECK(refusal_of(of("MessageStatus=sent", callback_url)) == unidentified);
  CHECK(refusal_of(of("MessageSid=..%2F..%2Fx&MessageStatus=sent", callback_url)) == unidentified);
  CHECK(refusal_of(of("", callback_url)) == unidentified);
  CHECK(refusal_of(of("MessageStatus=sent", callback_url + "?attempt=1%27%3B--")) == unidentified);
  const auto by_attempt = only_event(of("MessageStatus=sent", attempt_url));
  CHECK(by_attempt.attempt_id == attempt);
  CHECK(by_attempt.provider_message_id.empty());
  CHECK(only_event(of("SmsSid=" + message_sid + "&SmsStatus=sent", callback_url)).provider_message_id
        == message_sid);
}

TEST_CASE("unknown, repeated, empty and encoded parameters stop nothing, and their order says nothing") {
  const std::string other_sid = "SM" + std::string(32, 'f');
  std::vector<std::string> fields{"MessageStatus=sent",
                                  "MessageSid=" + message_sid,
                                  "MessageSid=" + other_sid,
                                  "New=O%27Neil+%2B+%26",
                                  "Empty=",
                                  "Empty"};
  std::ranges::sort(fields);
  do {
    std::string form;
    for (const auto& field : fields)
      form += (form.empty() ? "" : "&") + field;
    CHECK(only_event(verdict_of(signed_callback(form))).provider_message_id == message_sid);
  } while (std::ranges::next_permutation(fields).found);
}

TEST_CASE("only forms and JSON are callbacks") {
  auto callback = signed_callback(status_form("sent"));
  for (const char* type : {"", "text/plain", "multipart/form-data; boundary=x", "application/jsonx",
                           "text/html;application/json"}) {
    callback.headers[1].second = type;
    CHECK(refusal_of(verdict_of(callback)) == content_type);
  }
  callback.headers[1].second = "Application/X-WWW-Form-URLencoded ; charset=utf-8";
  CHECK(only_event(verdict_of(callback)).type == sent);
}

TEST_CASE("a message's events of Event Streams carry their own id and time") {
  const auto body = nlohmann::json::array({cloud_event("sent", "EZ1"),
                                           cloud_event("DELIVERED", "EZ2"),
                                           {{"type", "com.twilio.other"}, {"data", {{"x", 1}}}}});
  const auto verdict = verdict_of(json_callback(body.dump()));
  REQUIRE(std::holds_alternative<providers::verified_callback>(verdict));
  const auto& events = std::get<providers::verified_callback>(verdict).events;
  REQUIRE(events.size() == 2);
  CHECK(events[0].event_id == "EZ1");
  CHECK(events[0].type == sent);
  CHECK(events[1].event_id == "EZ2");
  CHECK(events[1].type == delivered);
  CHECK(events[1].occurred_at == *core::parse_rfc3339("2026-01-31T08:09:10.5Z"));
  auto failed = cloud_event("failed");
  failed["data"]["errorCode"] = 21610;
  CHECK(only_event(verdict_of(json_callback(failed.dump()))).suppresses
        == core::suppression_reason::unsubscribed);
}

TEST_CASE("JSON is refused without its digest, without a message, and where it is none") {
  auto callback = json_callback(cloud_event("sent").dump());
  callback.body += " ";
  CHECK(refusal_of(verdict_of(callback)) == bad_signature);
  callback = signed_callback("", callback_url);
  callback.headers[1].second = "application/json";
  callback.body = cloud_event("sent").dump();
  CHECK(refusal_of(verdict_of(callback)) == bad_signature);
  for (const char* body :
       {"{}", "[]", "null", "7", "[[]]", R"({"data": {"messageSid": 7}})", R"({"data": []})"})
    CHECK(refusal_of(verdict_of(json_callback(body))) == unidentified);
  for (const std::string& body :
       {std::string{}, std::string{"{"}, std::string(10'000, '['), std::string{"\xff"}})
    CHECK(refusal_of(verdict_of(json_callback(body))) == malformed);
}
