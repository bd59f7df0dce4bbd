#include "providers/smtp_reply.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>

using namespace sluice;
using core::call_error;
using core::rejection_cause;
using core::submission_kind;

namespace {

core::submission read(const std::string& command, const std::string& reply) {
  core::http_answer answer;
  answer.status = std::stoi(reply);
  answer.headers = {{"greeting", "220 hello"}, {command, reply}};
  return providers::read_smtp_replies(answer, "id@sender.example");
}

struct row {
  const char* command;
  const char* reply;
  rejection_cause cause;
  bool retires = false;
};

} // namespace

TEST_CASE("a refusal is whose fault its enhanced code says, and retires only an address that nobody has") {
  using enum rejection_cause;
  const auto given = GENERATE(values<row>({
      {"rcpt", "550 5.1.1 no such user", recipient, true},
      {"message", "550 5.1.1 no such user", recipient, true},
      {"rcpt", "550-5.1.1 no\n550 5.1.1 such user", recipient, true},
      {"rcpt", "551 5.1.6 moved", recipient, true},
      {"rcpt", "556 5.1.10 takes no mail", recipient, true},
      {"rcpt", "550 5.1.2 no such host", recipient},
      {"rcpt", "553 5.1.3 bad syntax", recipient},
      {"rcpt", "550 5.1.0 address rejected", recipient},
      {"rcpt", "550 5.1.8 bad sender", provider},
      {"mail", "550 5.1.1 your sender", provider},
      {"rcpt", "550 5.2.1 disabled", recipient},
      {"rcpt", "552 5.2.2 full", recipient},
      {"message", "552 5.2.3 too long for that mailbox", message},
      {"mail", "552 5.3.4 too big", message},
      {"message", "552 5.3.4 too big", message},
      {"message", "554 5.6.0 bad content", message},
      {"rcpt", "550 5.7.1 relaying denied", provider},
      {"message", "554 5.7.1 looks like spam", message},
      {"message", "550 5.7.26 not authenticated", provider},
      {"message", "550 5.7.8 who are you", provider},
      {"auth", "535 5.7.8 wrong password", provider},
      {"mail", "530 5.7.0 log in first", provider},
      {"rcpt", "535 wrong password", provider},
      {"rcpt", "550 no such user", recipient},
      {"rcpt", "554 no", provider},
      {"message", "554 no", message},
      {"data", "503 bad sequence", message},
      {"greeting", "554 5.7.1 not you", provider},
      {"ehlo", "550 no", provider},
      {"rcpt", "550 4.1.1 which is it", recipient}, // a class that is not the code's says nothing
      {"rcpt", "550 5.1.1x", recipient},
      {"rcpt", "550 5.1", recipient},
      {"rcpt", "550", recipient},
  }));
  CAPTURE(given.command, given.reply);
  const auto got = read(given.command, given.reply);
  CHECK(got.kind == submission_kind::rejected);
  CHECK(got.cause == given.cause);
  CHECK(got.retires == (given.retires ? std::optional{core::suppression_reason::hard_bounce} : std::nullopt));
  CHECK_FALSE(got.error_class.empty());
}

TEST_CASE("what may pass is tried again, whoever said it") {
  for (const char* command : {"greeting", "auth", "mail", "rcpt", "data", "message"})
    for (const char* reply :
         {"421 4.3.2 closing", "450 4.2.0 busy", "451 4.7.1 greylisted", "452 4.2.2 full", "454 no TLS"}) {
      CAPTURE(command, reply);
      const auto got = read(command, reply);
      CHECK(got.kind == submission_kind::retryable);
      CHECK_FALSE(got.cause);
      CHECK_FALSE(got.retires);
    }
  CHECK(read("rcpt", "451 4.7.1 later").error_class == "smtp_4.7.1");
  CHECK(read("rcpt", "451 later").error_class == "smtp_451");
}

TEST_CASE("only 2yz to the message itself is acceptance") {
  CHECK(read("message", "250 2.0.0 queued").kind == submission_kind::accepted);
  CHECK(read("message", "250 2.0.0 queued").provider_message_id == "id@sender.example");
  CHECK(read("rcpt", "250 2.1.5 fine").kind == submission_kind::ambiguous);
  CHECK(read("data", "354 go on").kind == submission_kind::ambiguous);
  CHECK(providers::read_smtp_replies({}, "id").kind == submission_kind::ambiguous);
}

TEST_CASE("a session without an end is ambiguous once its message had left, and retryable before") {
  core::http_answer answer;
  answer.status = 354;
  for (const auto error : {call_error::timed_out, call_error::cut}) {
    answer.error = error;
    CHECK(providers::read_smtp_replies(answer, "id").kind == submission_kind::ambiguous);
  }
  for (const auto error : {call_error::not_connected, call_error::address_refused, call_error::unattempted}) {
    answer.error = error;
    CHECK(providers::read_smtp_replies(answer, "id").kind == submission_kind::retryable);
  }
}

TEST_CASE("no word of the server's gets into the error") {
  const auto got = read("rcpt", "550 5.1.1 <ada@example.com>: nobody");
  CHECK(got.error == "the mail server answered 550 5.1.1 to rcpt");
}
