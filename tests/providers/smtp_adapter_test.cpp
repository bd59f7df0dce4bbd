#include "providers/smtp_adapter.hpp"
#include "tests/providers/notification_fixture.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace sluice;
using namespace sluice::tests;

namespace {

const std::string usual_settings = R"({"host": "smtp.sender.example", "from": "news@sender.example"})";
const std::string usual_credentials = R"({"username": "me", "password": "s3cret"})";

auto made_of(const std::string& settings, const std::string& credentials = usual_credentials) {
  return providers::make_smtp_adapter(example_profile(core::provider_kind::smtp, settings, credentials), {});
}

core::submission_order order_to(const std::string& address = "ada@example.com") {
  return example_order(core::contact_kind::email, address);
}

std::shared_ptr<const core::mail_envelope> envelope_of(const std::string& settings,
                                                       const core::submission_order& order = order_to()) {
  const auto adapter = made_of(settings);
  REQUIRE(adapter);
  const auto request = (*adapter)->build(order, example_now, {});
  REQUIRE(request);
  REQUIRE(request->mail);
  return request->mail;
}

std::string header_of(const core::mail_envelope& mail, const std::string& name) {
  const auto found =
      std::ranges::find_if(mail.headers, [&](const auto& line) { return line.starts_with(name + ":"); });
  return found == mail.headers.end() ? "" : *found;
}

std::string faults_in(const std::string& settings, const std::string& credentials = "{}") {
  const auto made = made_of(settings, credentials);
  std::string all;
  if (!made)
    for (const auto& fault : made.error())
      all += fault + '\n';
  return all;
}

} // namespace

TEST_CASE(
    "an e-mail is addressed, signed with the attempt's id and sent over TLS to the server of the settings") {
  const auto adapter = made_of(usual_settings);
  REQUIRE(adapter);
  const auto request = (*adapter)->build(order_to(), example_now, {});
  REQUIRE(request);
  CHECK(request->url == "smtp://smtp.sender.example:587/sender.example");
  const auto& mail = *request->mail;
  CHECK(mail.require_tls);
  CHECK(mail.username == "me");
  CHECK(mail.password == "s3cret");
  CHECK(mail.from == "news@sender.example");
  CHECK(mail.to == std::vector<std::string>{"ada@example.com"});
  CHECK(header_of(mail, "From") == "From: news@sender.example");
  CHECK(header_of(mail, "To") == "To: ada@example.com");
  CHECK(header_of(mail, "Subject") == "Subject: Hello");
  CHECK(header_of(mail, "Date") == "Date: Mon, 30 Nov 2026 20:55:12 +0000");
  CHECK(header_of(mail, "Message-ID") == "Message-ID: <" + example_attempt + "@sender.example>");
  CHECK(header_of(mail, "List-Unsubscribe").empty());
  CHECK(mail.text == "Hello there\r\n");
  CHECK(mail.html.empty());
}

TEST_CASE("the settings say where bounces go, who is answered and how to unsubscribe") {
  const auto mail = envelope_of(R"({"host": "[2001:db8::1]", "port": 2465, "tls": "implicit",
    "from": "news@sender.example", "from_name": "Shop", "reply_to": "help@sender.example",
    "envelope_from": "bounces@b.sender.example", "message_id_domain": "id.sender.example",
    "list_unsubscribe": "https://sender.example/u/{notification_id}", "one_click": true})");
  CHECK(mail->from == "bounces@b.sender.example");
  CHECK(header_of(*mail, "From") == "From: \"Shop\"\r\n <news@sender.example>");
  CHECK(header_of(*mail, "Reply-To") == "Reply-To: help@sender.example");
  CHECK(header_of(*mail, "Message-ID").ends_with("@id.sender.example>"));
  CHECK(header_of(*mail, "List-Unsubscribe")
        == "List-Unsubscribe:\r\n <https://sender.example/u/" + example_notification + ">");
  CHECK(header_of(*mail, "List-Unsubscribe-Post") == "List-Unsubscribe-Post: List-Unsubscribe=One-Click");
}

TEST_CASE("every fault of the settings is named with what is allowed, and no credential is quoted") {
  CHECK(faults_in("{}").find("settings.host: is missing") != std::string::npos);
  CHECK(faults_in("{}").find("settings.from: is missing") != std::string::npos);
  const auto all = faults_in(
      R"({"host": "a b/c", "port": 0, "tls": "ssl", "from": "nobody", "from_name": "a\nb", "reply_to": "a@b",
          "envelope_from": "x", "message_id_domain": "-", "ehlo_name": "me", "list_unsubscribe": "javascript:1",
          "one_click": true, "message_bytes_max": 1, "more": 1})",
      R"({"username": "me\n", "token": "s3cret"})");
  for (const char* key :
       {"host", "port", "tls", "from", "from_name", "reply_to", "envelope_from", "message_id_domain",
        "ehlo_name", "list_unsubscribe", "one_click", "message_bytes_max", "more"})
    CHECK(all.find("settings." + std::string{key} + ": ") != std::string::npos);
  CHECK(all.find("credentials.username") != std::string::npos);
  CHECK(all.find("credentials.password: is missing") != std::string::npos);
  CHECK(all.find("credentials.token") != std::string::npos);
  CHECK(all.find("s3cret") == std::string::npos);
  CHECK(
      faults_in(R"({"host": "h.example", "from": "a@b.example", "tls": "opportunistic"})", usual_credentials)
          .find("credentials.username: is not sent over")
      != std::string::npos);
  CHECK(faults_in(R"({"host": "user@h.example", "from": "a@b.example"})").find("settings.host") == 0);
}

TEST_CASE(
    "nothing that could begin a header or a command gets into an e-mail: it is refused, with the field") {
  const auto adapter = made_of(usual_settings).value();
  const std::string bad = GENERATE(std::string{"a\r\nBcc: x@y.example"}, std::string{"a\nb"},
                                   std::string{"a\rb"}, std::string{"a\0b", 3}, std::string{"a\xff"});
  auto order = order_to();
  order.content.subject = bad;
  REQUIRE(adapter->faults_of(order).size() == 1);
  CHECK(adapter->faults_of(order).front().starts_with("subject: "));
  const auto refused = adapter->build(order, example_now, {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == core::submission_kind::rejected);
  CHECK(refused.error().cause == core::rejection_cause::message);

  const auto misaddressed = order_to("ada@example.com" + bad);
  REQUIRE(adapter->faults_of(misaddressed).size() == 1);
  CHECK(adapter->faults_of(misaddressed).front().starts_with("contact: "));
  CHECK(adapter->faults_of(misaddressed).front().find("ada") == std::string::npos);
  CHECK(adapter->build(misaddressed, example_now, {}).error().cause == core::rejection_cause::recipient);
}

TEST_CASE("content an e-mail cannot carry is refused when the notification is made") {
  const auto adapter =
      made_of(R"({"host": "h.example", "from": "a@b.example", "message_bytes_max": 1024})").value();
  auto order = order_to();
  CHECK(adapter->faults_of(order).empty());
  order.content.html = std::string(1024, 'x');
  CHECK(adapter->faults_of(order).front().find("1024") != std::string::npos);
  order.content.html = std::string{"a\0b", 3};
  CHECK(adapter->faults_of(order).front().starts_with("html: "));
  order.content = {};
  CHECK(adapter->faults_of(order).size() == 2);
  order = order_to();
  order.contact.kind = core::contact_kind::phone;
  CHECK(adapter->faults_of(order).front().starts_with("contact: "));
  order = order_to();
  order.content.subject = std::string(999, 'a');
  CHECK(adapter->faults_of(order).size() == 1);
}

TEST_CASE("an accepted e-mail goes by its Message-ID, and its server is never asked for more") {
  const auto adapter = made_of(usual_settings).value();
  core::http_answer answer;
  answer.status = 250;
  answer.headers = {{"message", "250 2.0.0 queued as Q1"}};
  const auto read = adapter->read(order_to(), answer, example_now);
  CHECK(read.kind == core::submission_kind::accepted);
  CHECK(read.provider_message_id == example_attempt + "@sender.example");
  CHECK_FALSE(adapter->status_query({}));
  CHECK_FALSE(adapter->traits().has_status_query);
  CHECK(std::holds_alternative<core::callback_refusal>(adapter->verify({}, {}, example_now)));
}

TEST_CASE("a bounce report is read for the profile whose domain its Message-ID has") {
  const std::string report = "Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: "
                             "message/delivery-status\n\nAction: failed\nStatus: 5.1.1\n\n--b\nContent-Type: "
                             "text/rfc822-headers\n\nMessage-ID: <"
                             + example_attempt + "@id.sender.example>\n\n--b--\n";
  const auto adapter = [](const std::string& more) {
    return made_of(R"({"host": "h.example", "from": "news@sender.example")" + more + "}").value();
  };
  const auto read = adapter(R"(, "message_id_domain": "id.sender.example")")->read_report(report);
  REQUIRE(read);
  CHECK(read->at(0).attempt_id == example_attempt);
  CHECK(adapter({})->read_report(report).error().kind == core::callback_refusal_kind::unidentified);
}
