#include "crypto/encoding.hpp"
#include "providers/delivery_status.hpp"
#include "tests/providers/notification_fixture.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace sluice;
using namespace sluice::tests;
using core::provider_event_type;
using providers::read_bounce_report;

namespace {

const std::string domain = "sender.example";

const std::string failed_fields = "Final-Recipient: rfc822; ada@example.com\r\n"
                                  "Action: failed\r\n"
                                  "Status: 5.1.1\r\n"
                                  "Remote-MTA: dns; mx.example.com\r\n"
                                  "Diagnostic-Code: smtp; 550 5.1.1 <ada@example.com>:\r\n"
                                  "    no such user\r\n"
                                  "Last-Attempt-Date: Mon, 30 Nov 2026 21:55:12 +0100\r\n";

struct report {
  std::string status = failed_fields;
  std::string status_head = "Content-Type: message/delivery-status\r\n";
  std::string returned = "From: news@sender.example\r\nMessage-ID: <" + example_attempt
                         + "@sender.example>\r\nSubject: Hello\r\n\r\nHello there\r\n";
  std::string returned_head = "Content-Type: message/rfc822\r\n";
  std::string envelope_fields;

  [[nodiscard]] std::string text() const {
    return "From: MAILER-DAEMON@mx.example.com\r\nTo: bounces@sender.example\r\n"
           "Date: Mon, 30 Nov 2026 22:00:00 +0000\r\nMIME-Version: 1.0\r\n"
           "Content-Type: multipart/report; report-type=delivery-status;\r\n\tboundary=\"b=1\"\r\n\r\n"
           "This is MIME.\r\n--b=1\r\nContent-Type: text/plain\r\n\r\nIt could not be delivered.\r\n"
           "Action: delivered\r\n\r\n--b=1\r\n"
           + status_head + "\r\n" + "Reporting-MTA: dns; mx.example.com\r\n" + envelope_fields + "\r\n"
           + status + "\r\n--b=1\r\n" + returned_head + "\r\n" + returned + "\r\n--b=1--\r\n";
  }
};

std::vector<core::provider_event> events_of(const std::string& mail) {
  auto events = read_bounce_report(mail, domain);
  INFO((events ? std::string{} : events.error().reason));
  REQUIRE(events);
  return *events;
}

std::string with_lf(std::string text) {
  std::erase(text, '\r');
  return text;
}

} // namespace

TEST_CASE("a bounce report is an event of the attempt whose Message-ID came back") {
  const auto events = events_of(report{}.text());
  REQUIRE(events.size() == 1);
  const auto& event = events.front();
  CHECK(event.attempt_id == example_attempt);
  CHECK(event.provider_message_id == example_attempt + "@sender.example");
  CHECK(event.type == provider_event_type::bounced);
  CHECK(event.provider_type == "failed");
  CHECK(event.suppresses == core::suppression_reason::hard_bounce);
  CHECK(event.occurred_at == example_now);
  CHECK(event.detail == "failed, status 5.1.1, SMTP reply 550");
}

TEST_CASE("the action and the status say what became of the message") {
  const auto& [action, status, type, suppresses] =
      GENERATE(table<std::string, std::string, provider_event_type, bool>({
          {"failed", "5.1.1", provider_event_type::bounced, true},
          {"Failed (for good)", "5.1.10 (null MX)", provider_event_type::bounced, true},
          {"failed", "5.1.2", provider_event_type::bounced, false},
          {"failed", "5.7.1", provider_event_type::bounced, false},
          {"failed", "5.2.2", provider_event_type::soft_bounced, false},
          {"failed", "4.4.7", provider_event_type::soft_bounced, false},
          {"failed", "unknown", provider_event_type::soft_bounced, false},
          {"delayed", "4.4.1", provider_event_type::delayed, false},
          {"delayed", "5.1.1", provider_event_type::delayed, false},
          {"delivered", "2.0.0", provider_event_type::delivered, false},
          {"relayed", "2.0.0", provider_event_type::sent, false},
          {"expanded", "2.0.0", provider_event_type::sent, false},
          {"pondered", "2.0.0", provider_event_type::other, false},
      }));
  CAPTURE(action, status);
  report made;
  made.status = "action:" + action + "\r\nSTATUS : " + status + "\r\n";
  const auto events = events_of(made.text());
  REQUIRE(events.size() == 1);
  CHECK(events[0].type == type);
  CHECK(events[0].suppresses.has_value() == suppresses);
  CHECK(events[0].occurred_at == example_now + std::chrono::seconds{64 * 60 + 48});
}

TEST_CASE("an action that may be somebody's address shows in no event") {
  report made;
  made.status = "Action: ada@example.com\r\nStatus: 5.1.1\r\n";
  const auto events = events_of(made.text());
  REQUIRE(events.size() == 1);
  CHECK(events[0].type == provider_event_type::other);
  CHECK(events[0].provider_type == "other");
  CHECK(events[0].detail == "other, status 5.1.1");
}

TEST_CASE(
    "a report is read with LF or CRLF, encoded or not, folded, nested, from a mailbox file or cut short") {
  report made;
  const auto usual = made.text();
  CHECK(events_of(with_lf(usual)).size() == 1);
  CHECK(events_of("From MAILER-DAEMON Mon Nov 30 22:00:00 2026\n" + with_lf(usual)).size() == 1);
  CHECK(events_of(usual.substr(0, usual.find("Hello there"))).size() == 1);
  CHECK(events_of("Content-Type: multipart/mixed; boundary=outer\r\n\r\n--outer\r\n" + usual
                  + "\r\n--outer--\r\n")
            .size()
        == 1);
  made.status_head += "Content-Transfer-Encoding: BASE64\r\n";
  made.envelope_fields = {};
  auto encoded = made.text();
  const auto begin = encoded.find("Reporting-MTA");
  const auto end = encoded.find("\r\n--b=1\r\n", begin);
  auto bytes = crypto::to_base64(encoded.substr(begin, end - begin));
  for (std::size_t at = 76; at < bytes.size(); at += 78)
    bytes.insert(at, "\r\n");
  encoded.replace(begin, end - begin, bytes);
  CHECK(events_of(encoded).front().detail == "failed, status 5.1.1, SMTP reply 550");
}

TEST_CASE("quoted-printable parts and returned headers alone are understood") {
  report made;
  made.status_head += "Content-Transfer-Encoding: quoted-printable\r\n";
  made.status = "Action: fail=\r\ned\r\nStatus: 5=2E1.6\r\nDiagnostic-Code: smtp; 551=20moved\r\n";
  made.returned_head = "Content-Type: text/rfc822-headers; charset=us-ascii\r\n";
  made.returned = "MESSAGE-id:\r\n <" + example_attempt + "@SENDER.example> (ours)\r\n";
  const auto events = events_of(made.text());
  CHECK(events.front().detail == "failed, status 5.1.6, SMTP reply 551");
  CHECK(events.front().attempt_id == example_attempt);
}

TEST_CASE("each recipient of a report has an event, and no address gets into it") {
  report made;
  made.status = failed_fields
                + "\r\n\r\nFinal-Recipient: rfc822; bob@example.com\r\nAction: delayed\r\n\r\nX-Else: 1\r\n";
  const auto events = events_of(made.text());
  REQUIRE(events.size() == 2);
  CHECK(events[1].type == provider_event_type::delayed);
  for (const auto& event : events)
    CHECK(event.detail.find("example") == std::string::npos);
}

TEST_CASE("the envelope's id finds the attempt where the message was not returned") {
  report made;
  made.returned = "Subject: Hello\r\n\r\n";
  made.envelope_fields = "Original-Envelope-Id: <" + example_attempt + "@sender.example>\r\n";
  CHECK(events_of(made.text()).front().attempt_id == example_attempt);
}

TEST_CASE("a report of a message that is not ours is not identified") {
  const std::string id =
      GENERATE("<0193a8f2-7c1b-7d3e-8f40-123456789abc@other.example>", "<1@sender.example>",
               "<0193A8F2-7C1B-7D3E-8F40-123456789ABC@sender.example>", "<>", "");
  report made;
  made.returned = "Message-ID: " + id + "\r\n\r\n";
  const auto events = read_bounce_report(made.text(), domain);
  REQUIRE_FALSE(events);
  CHECK(events.error().kind == core::callback_refusal_kind::unidentified);
}

TEST_CASE("what is no delivery status notification is malformed, and never half read") {
  const std::string inside = report{}.text();
  const std::string mail =
      GENERATE_REF(std::string{}, std::string{"\r\n"}, std::string{"From x"},
                   std::string{"Subject: out of office\r\n\r\nAction: failed\r\n"},
                   // A forwarded bounce: somebody else's.
                   "Content-Type: message/rfc822\r\n\r\n" + inside,
                   std::string{"Content-Type: multipart/report\r\n\r\n--b\r\n"},
                   std::string{"Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: "
                               "message/delivery-status\r\n\r\n"
                               "Reporting-MTA: dns; mx\r\n\r\n--b--\r\n"});
  const auto events = read_bounce_report(mail, domain);
  REQUIRE_FALSE(events);
  CHECK(events.error().kind == core::callback_refusal_kind::malformed);
}

TEST_CASE("size, depth and number are limited") {
  report large;
  large.returned += std::string(1U << 20U, 'x');
  CHECK(events_of(large.text()).size() == 1);
  report crowded;
  for (int i = 0; i < 1000; ++i)
    crowded.status += "\r\nAction: failed\r\n";
  CHECK(events_of(crowded.text()).size() == providers::delivery_status_recipients_max);
  std::string deep = report{}.text();
  for (int i = 0; i < 20; ++i) {
    const auto boundary = "n" + std::to_string(i) + "n";
    deep = "Content-Type: multipart/mixed; boundary=" + boundary + "\r\n\r\n--" + boundary + "\r\n" + deep;
  }
  CHECK_FALSE(read_bounce_report(deep, domain));
  std::string many = "Content-Type: multipart/mixed; boundary=b\r\n\r\n";
  for (int i = 0; i < 20000; ++i)
    many += "--b\r\n\r\n";
  CHECK_FALSE(read_bounce_report(many, domain));
}
