#include "crypto/encoding.hpp"
#include "providers/mail_date.hpp"
#include "providers/mail_headers.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace sluice::providers;

namespace {

std::string decoded(const std::string& line, const std::string& name) {
  std::string text;
  auto rest = line.substr(name.size() + 2);
  constexpr std::string_view begin = "=?utf-8?B?";
  for (auto at = rest.find(begin); at != std::string::npos; at = rest.find(begin, at + 1)) {
    const auto first = at + begin.size();
    text += crypto::from_base64(rest.substr(first, rest.find("?=", first) - first)).value();
  }
  return text;
}

} // namespace

TEST_CASE("a short ASCII subject stands as it is, any other in encoded words that give it back") {
  CHECK(text_header("Subject", "Your order") == "Subject: Your order");
  CHECK(text_header("Subject", "caf\xc3\xa9") == "Subject: =?utf-8?B?Y2Fmw6k=?=");
  const std::string text =
      GENERATE(std::string(200, 'a'), "=?utf-8?B?Y2Fmw6k=?=", " begins with a space", "a\r\nBcc: b@c.example",
               "\xd0\x97\xd0\xb0\xd0\xba\xd0\xb0\xd0\xb7 \xf0\x9f\x93\xa6 "
               "\xd0\xbe\xd1\x82\xd0\xbf\xd1\x80\xd0\xb0\xd0\xb2"
               "\xd0\xbb\xd0\xb5\xd0\xbd \xd0\xb8 \xd0\xb1\xd1\x83\xd0\xb4\xd0\xb5\xd1\x82 "
               "\xd0\xb7\xd0\xb0\xd0\xb2\xd1\x82");
  const auto line = text_header("Subject", text);
  CAPTURE(line);
  CHECK(decoded(line, "Subject") == text);
  CHECK(line.find("Bcc") == std::string::npos);
  for (std::size_t at = 0; at < line.size();) {
    const auto end = std::min(line.find("\r\n", at), line.size());
    CHECK(end - at <= 76);
    CHECK((at == 0 || line[at] == ' '));
    at = end + 2;
  }
}

TEST_CASE("no character is torn apart between two encoded words") {
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += "\xf0\x9f\x93\xa6";
  const auto line = text_header("Subject", text);
  constexpr std::string_view begin = "=?utf-8?B?";
  for (auto at = line.find(begin); at != std::string::npos; at = line.find(begin, at + 1)) {
    const auto first = at + begin.size();
    CHECK(crypto::from_base64(line.substr(first, line.find("?=", first) - first)).value().size() % 4 == 0);
  }
}

TEST_CASE("a mailbox stands behind its display name") {
  CHECK(mailbox_header("To", "", "a@b.example") == "To: a@b.example");
  CHECK(mailbox_header("From", "The \"Shop\"", "a@b.example")
        == "From: \"The \\\"Shop\\\"\"\r\n <a@b.example>");
  CHECK(mailbox_header("From", "caf\xc3\xa9", "a@b.example")
        == "From: =?utf-8?B?Y2Fmw6k=?=\r\n <a@b.example>");
}

TEST_CASE("a mail's date is read back as it was written") {
  const core::timestamp at{std::chrono::seconds{1796072112}};
  CHECK(date_header(at) == "Date: Mon, 30 Nov 2026 20:55:12 +0000");
  CHECK(read_mail_date("Mon, 30 Nov 2026 20:55:12 +0000") == at);
  CHECK(read_mail_date("30 nov 2026 21:55:12 +0100 (CET)") == at);
  CHECK(read_mail_date("Mon,  30 Nov 2026 15:25:12 -0530") == at);
  CHECK(read_mail_date("30 Nov 2026 20:55 GMT") == at - std::chrono::seconds{12});
  for (const char* text : {"", "Mon,", "31 Nov 2026 20:55:12 +0000", "30 Nov 2026 24:00:00 +0000",
                           "30 Nov 26 20:55:12 +0000", "30 Nov 2026 20:55:12", "30 Foo 2026 20:55:12 GMT",
                           "30 Nov 2026 20:55:12 PST", "2026-11-30T20:55:12Z"})
    CHECK_FALSE(read_mail_date(text));
}

TEST_CASE("every line end becomes CRLF, once") {
  CHECK(with_mail_line_ends("a\nb\r\nc\rd") == "a\r\nb\r\nc\r\nd\r\n");
  CHECK(with_mail_line_ends("a\n\r\n").ends_with("a\r\n\r\n"));
  CHECK(with_mail_line_ends("").empty());
}
