#include "tests/providers/smtp_server.hpp"
#include "tests/providers/test_server.hpp"
#include "tests/providers/transport_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace sluice::tests;
using core::call_error;

namespace {

core::mail_envelope letter() {
  core::mail_envelope made;
  made.from = "bounces@sender.example";
  made.to = {"ada@example.com"};
  made.require_tls = false;
  made.headers = {"From: Shop <shop@sender.example>", "Subject: =?utf-8?q?a?=\r\n =?utf-8?q?b?="};
  made.text = "hello\r\n.dot\r\ncaf\xc3\xa9\r\n";
  made.html = "<p>hello</p>\r\n";
  return made;
}

core::http_request mail_to(const smtp_server& server, core::mail_envelope envelope = letter()) {
  core::http_request request;
  request.url = server.url();
  request.mail = std::make_shared<const core::mail_envelope>(std::move(envelope));
  return request;
}

providers::transport_settings impatient() {
  auto settings = loopback_settings();
  settings.call_timeout = std::chrono::milliseconds{400};
  return settings;
}

core::http_answer answer_under(smtp_script script, core::mail_envelope envelope = letter()) {
  smtp_server server(std::move(script));
  transport_world world(impatient());
  return world.call(mail_to(server, std::move(envelope)));
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("an e-mail goes out as two alternatives, once, and its answer has each reply by its command") {
  smtp_server server;
  transport_world world;
  const auto got = world.call(mail_to(server));
  CHECK(got.error == call_error::none);
  CHECK(got.status == 250);
  CHECK(got.header("mail") == "250 2.1.0 fine");
  CHECK(got.header("rcpt") == "250 2.1.0 fine");
  CHECK(got.header("data") == "354 go on");
  CHECK(got.header("message") == "250 2.0.0 queued as Q1");
  CHECK(got.body.ends_with("354 go on\r\n250 2.0.0 queued as Q1\r\n"));
  CHECK(got.header("quit").empty());
  CHECK(server.commands()
        == std::vector<std::string>{"EHLO client.example", "MAIL FROM:<bounces@sender.example>",
                                    "RCPT TO:<ada@example.com>", "DATA", "QUIT"});
  REQUIRE(server.messages().size() == 1);
  const auto message = server.messages().front();
  CHECK(holds(message, "Content-Type: multipart/alternative; boundary="));
  CHECK(holds(message, "Subject: =?utf-8?q?a?=\r\n =?utf-8?q?b?=\r\n"));
  CHECK(holds(message, "Content-Type: text/plain; charset=utf-8\r\n"));
  CHECK(holds(message, "hello\r\n..dot\r\ncaf=C3=A9\r\n"));
  CHECK(message.find("text/plain") < message.find("text/html"));
}

TEST_CASE("text that is hardly ASCII goes out in base64") {
  auto envelope = letter();
  envelope.html.clear();
  envelope.text = "\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82\r\n";
  smtp_server server;
  transport_world world;
  CHECK(world.call(mail_to(server, envelope)).status == 250);
  CHECK(holds(server.messages().at(0), "Content-Transfer-Encoding: base64\r\n\r\n0L/RgNC40LLQtdGCDQo="));
  CHECK_FALSE(holds(server.messages().at(0), "text/html"));
}

TEST_CASE("a refusal at any command is an answer, and nothing is sent behind it") {
  const auto& [verb, reply, header] = GENERATE(table<std::string, std::string, std::string>(
      {{"GREETING", "554 5.7.1 not you", "greeting"},
       {"MAIL", "550 5.7.1 not from there", "mail"},
       {"RCPT", "550-5.1.1 nobody\r\n550 5.1.1 of that name", "rcpt"},
       {"RCPT", "451 4.7.1 later", "rcpt"},
       {"DATA", "554 5.5.1 no", "data"}}));
  CAPTURE(verb, reply);
  smtp_server server({.replies = {{verb, reply}}});
  transport_world world(impatient());
  const auto got = world.call(mail_to(server));
  CHECK(got.error == call_error::none);
  CHECK(got.status == std::stoi(reply));
  CHECK(got.header(header).starts_with(reply.substr(0, reply.find('\r'))));
  CHECK(server.messages().empty());
  CHECK(server.sessions() == 1);
}

TEST_CASE("the reply to the message settles it, whatever becomes of the goodbye") {
  CHECK(answer_under({.replies = {{"QUIT", "hang"}}}).status == 250);
  CHECK(answer_under({.replies = {{"QUIT", "close"}}}).error == call_error::none);
  const auto refused = answer_under({.replies = {{"MESSAGE", "552 5.3.4 too big"}}});
  CHECK(refused.error == call_error::none);
  CHECK(refused.status == 552);
  CHECK(refused.header("message") == "552 5.3.4 too big");
  CHECK(answer_under({.replies = {{"MESSAGE", "251 2.0.0 taken"}}}).error == call_error::none);
}

TEST_CASE("silence or a cut behind the final dot leaves open whether the message was taken") {
  const auto silent = answer_under({.replies = {{"MESSAGE", "hang"}}});
  CHECK(silent.error == call_error::timed_out);
  CHECK(silent.may_have_arrived());
  CHECK(silent.status == 354);
  const auto cut = answer_under({.replies = {{"MESSAGE", "close"}}});
  CHECK(cut.error == call_error::cut);
  CHECK(cut.may_have_arrived());
  CHECK(answer_under({.replies = {{"MESSAGE", "what?"}}}).may_have_arrived());
}

TEST_CASE("silence or a cut before the final dot means that nothing was taken") {
  const std::string how = GENERATE("hang", "close");
  const std::string verb = GENERATE("GREETING", "EHLO", "MAIL", "RCPT", "DATA");
  CAPTURE(how, verb);
  const auto got = answer_under({.replies = {{verb, how}}});
  CHECK(got.error == call_error::not_connected);
  CHECK_FALSE(got.may_have_arrived());
  CHECK_FALSE(got.detail.empty());
}

TEST_CASE("a connection that is lost in the middle of a message ends without the final dot") {
  auto envelope = letter();
  envelope.html = std::string(20'000'000, 'x');
  smtp_server server({.replies = {}, .message_bytes_max = 100'000});
  transport_world world;
  const auto got = world.call(mail_to(server, envelope));
  CHECK(got.error == call_error::not_connected);
  CHECK(server.messages().empty());
  CHECK(server.sessions() == 1);
}

TEST_CASE("without TLS nothing is sent where it is required, not even who it is from") {
  auto envelope = letter();
  envelope.require_tls = true;
  envelope.username = "me";
  envelope.password = "s3cret";
  smtp_server server;
  transport_world world;
  const auto got = world.call(mail_to(server, envelope));
  CHECK(got.error == call_error::not_connected);
  CHECK(holds(got.detail, "no TLS"));
  for (const auto& command : server.commands())
    CHECK((command.starts_with("EHLO") || command == "QUIT"));
}

TEST_CASE("credentials are given to a server that asks for them and stand nowhere in the answer") {
  auto envelope = letter();
  envelope.username = "me";
  envelope.password = "s3cret";
  const auto taken = answer_under({}, envelope);
  CHECK(taken.status == 250);
  CHECK(taken.header("auth") == "235 2.7.0 welcome");
  const auto refused = answer_under({.replies = {{"AUTH", "535 5.7.8 wrong"}}}, envelope);
  CHECK(refused.error == call_error::none);
  CHECK(refused.status == 535);
  CHECK_FALSE(holds(refused.body + refused.detail, "s3cret"));
}

TEST_CASE("an envelope that could begin a command of its own is never sent") {
  smtp_server server;
  transport_world world;
  const auto refused = [&](auto change) {
    auto envelope = letter();
    change(envelope);
    return world.call(mail_to(server, envelope)).error == call_error::not_connected;
  };
  CHECK(refused([](auto& mail) { mail.to = {"a@b.example\r\nRCPT TO:<c@d.example>"}; }));
  CHECK(refused([](auto& mail) { mail.to = {"a@b.example> NOTIFY=NEVER"}; }));
  CHECK(refused([](auto& mail) { mail.to = {}; }));
  CHECK(refused([](auto& mail) { mail.from = "a@b.example\n"; }));
  CHECK(refused([](auto& mail) { mail.headers = {"Subject: a\r\nBcc: c@d.example"}; }));
  CHECK(refused([](auto& mail) { mail.headers = {std::string{"Subject: a\0b", 12}}; }));
  CHECK(refused([](auto& mail) { mail.text = mail.html = ""; }));
  CHECK(server.sessions() == 0);
}

TEST_CASE("the guard judges mail servers too, and other protocols are no way to send mail") {
  smtp_server server;
  transport_world guarded(providers::transport_settings{});
  CHECK(guarded.call(mail_to(server)).error == call_error::address_refused);
  transport_world world;
  auto request = mail_to(server);
  request.url.replace(0, 4, "http");
  CHECK(world.call(request).error == call_error::not_connected);
  CHECK(world.call(make_request("GET", server.url())).error == call_error::not_connected);
  CHECK(server.sessions() == 0);
}

TEST_CASE("a mail server that says nothing holds nobody else up") {
  smtp_server silent({.replies = {{"MESSAGE", "hang"}}});
  test_server server({answer(200)});
  transport_world world;
  world.submit(mail_to(silent));
  REQUIRE(silent.wait_for_commands(4));
  CHECK(world.call(make_request("GET", server.url())).status == 200);
  world.destroy_transport(); // ends the session that still waits
  const auto answers = world.answers(2);
  REQUIRE(answers.size() == 2);
  CHECK(answers.back().answer.may_have_arrived());
}

TEST_CASE("a session whose permit ends before the envelope is given away is held back") {
  auto settings = loopback_settings();
  auto permit = std::make_shared<providers::start_permit>();
  settings.permit = permit;
  smtp_server server({.replies = {{"MAIL", "250 2.1.0 fine"}}});
  transport_world world(settings);
  CHECK(world.call(mail_to(server)).status == 250);
  permit->prolong(core::duration::zero());
  CHECK(world.call(mail_to(server)).error == call_error::unattempted);
  CHECK(server.messages().size() == 1);
}
