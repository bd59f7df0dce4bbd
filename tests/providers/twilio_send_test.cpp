#include "providers/text_encoding.hpp"
#include "twilio_fixture.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::twilio_testing;
using namespace std::chrono_literals;
using providers::form_fields;

namespace {

form_fields fields_of(const core::submission_order& order,
                      const std::shared_ptr<const providers::notification_adapter>& adapter = twilio()) {
  const auto request = adapter->build(order, now, {});
  REQUIRE(request);
  return providers::parse_form(request->body);
}

std::string value_in(const form_fields& fields, const std::string& name) {
  const auto found = std::ranges::find(fields, name, &form_fields::value_type::first);
  return found == fields.end() ? "(none)" : found->second;
}

} // namespace

TEST_CASE("an SMS is posted to the account's messages with the account's token") {
  const auto request = twilio()->build(sms(), now, {});
  REQUIRE(request);
  CHECK(request->method == "POST");
  CHECK(request->url == "https://api.twilio.com/2010-04-01/Accounts/" + account + "/Messages.json");
  CHECK(providers::parse_form(request->body)
        == form_fields{{"To", recipient},
                       {"From", "+15005550006"},
                       {"Body", "Your code is 123456"},
                       {"StatusCallback", callback_url + "?attempt=" + attempt}});
  REQUIRE(request->common_headers);
  // AC1…1:t0ken-of-the-account
  CHECK(std::ranges::count(
            *request->common_headers,
            "Authorization: Basic QUMxMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTp0MGtlbi1vZi10aGUtYWNj"
            "b3VudA==")
        == 1);
  CHECK(std::ranges::count(request->headers, "Content-Type: application/x-www-form-urlencoded") == 1);
}

TEST_CASE("a messaging service may choose the sender, and an API key may send") {
  const auto adapter =
      twilio({{"account_sid", account}, {"messaging_service_sid", service_sid}},
             {{"auth_token", auth_token}, {"api_key", "SK" + std::string(32, '4')}, {"api_key_secret", "s"}});
  const auto fields = fields_of(sms(), adapter);
  CHECK(value_in(fields, "MessagingServiceSid") == service_sid);
  CHECK(value_in(fields, "From") == "(none)");
  const auto request = adapter->build(sms(), now, {});
  CHECK(request->common_headers->front()
        == "Authorization: Basic U0s0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDpz");
}

TEST_CASE("without a public address no callback is asked for, and one with a query keeps it") {
  const nlohmann::json credentials{{"auth_token", auth_token}};
  CHECK(value_in(fields_of(sms(), twilio(twilio_plain_settings(), credentials, "")), "StatusCallback")
        == "(none)");
  const auto adapter = twilio(twilio_plain_settings(), credentials, callback_url + "?region=eu");
  const auto url = value_in(fields_of(sms(), adapter), "StatusCallback");
  CHECK(url == callback_url + "?region=eu&attempt=" + attempt);
  const auto event = only_event(verdict_of(signed_callback("MessageStatus=sent", url), adapter));
  CHECK(event.attempt_id == attempt);
}

TEST_CASE("nothing in a text or a sender can break out of its field") {
  const std::string text = "a&To=+1999\r\nX: y+\"é'%00;" + std::string(1, '\0');
  const auto fields = fields_of(sms(text));
  CHECK(fields.size() == 4);
  CHECK(value_in(fields, "Body") == text);
}

TEST_CASE("the validity period is what is left until nobody wants it, at most Twilio's ten hours") {
  const auto period_of = [](core::duration left) {
    auto order = sms();
    order.expires_at = now + left;
    return value_in(fields_of(order), "ValidityPeriod");
  };
  CHECK(period_of(90s) == "90");
  CHECK(period_of(1s) == "1");
  CHECK(period_of(1999ms) == "1");
  CHECK(period_of(10h) == "36000");
  CHECK(period_of(48h) == "36000");
  CHECK(period_of(std::chrono::days{100'000}) == "36000");
  for (const core::duration late : {core::duration{999ms}, core::duration{0}, core::duration{-1h}}) {
    auto order = sms();
    order.expires_at = now + late;
    const auto built = twilio()->build(order, now, {});
    REQUIRE_FALSE(built);
    CHECK(built.error().kind == core::submission_kind::rejected);
    CHECK(built.error().cause == core::rejection_cause::message);
    CHECK(built.error().error_class == "expired");
  }
}

TEST_CASE("an address that is no phone number is the recipient's fault and is not sent") {
  for (const std::string& to :
       {std::string{}, std::string{"+"}, std::string{"15005550006"}, std::string{"+05005550006"},
        std::string{"+1500555000a"}, std::string{"+1 500"}, std::string{"+1500\r\nX: y"},
        std::string{"+1500\0001", 7}, std::string{"+1234567890123456"},
        std::string{"whatsapp:+15005550006"}}) {
    const auto built = twilio()->build(sms("text", to), now, {});
    REQUIRE_FALSE(built);
    CHECK(built.error().kind == core::submission_kind::rejected);
    CHECK(built.error().cause == core::rejection_cause::recipient);
    CHECK_FALSE(built.error().retires);
    CHECK((to.size() < 5 || built.error().error.find(to) == std::string::npos));
  }
  auto mail = sms();
  mail.contact = {core::contact_kind::email, "a@example.com"};
  CHECK_FALSE(twilio()->build(mail, now, {}));
}

TEST_CASE("what could never be an SMS is refused when the notification is made") {
  CHECK(twilio()->faults_of(sms()).empty());
  CHECK(twilio()->faults_of(sms(""))
        == std::vector<std::string>{"content.text: is missing; it is what an SMS consists of"});
  std::string umlauts;
  for (int i = 0; i < 1600; ++i)
    umlauts += "\xc3\xa4";
  CHECK(twilio()->faults_of(sms(umlauts)).empty());
  CHECK(twilio()->faults_of(sms(umlauts + "x"))
        == std::vector<std::string>{"content.text: has 1601 characters; allowed are 1,600"});
  auto push = sms();
  push.contact.kind = core::contact_kind::fcm_token;
  CHECK(twilio()->faults_of(push).size() == 1);
}

TEST_CASE("Twilio reaches phones, calls back and can be asked") {
  const auto adapter = twilio();
  const auto& traits = adapter->traits();
  CHECK(traits.contacts == std::vector{core::contact_kind::phone});
  CHECK(traits.has_callback);
  CHECK(traits.has_status_query);
  CHECK_FALSE(traits.needs_token);
  CHECK_FALSE(adapter->token_request(now));
}
