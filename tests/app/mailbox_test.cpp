#include "app/mailbox.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace sluice::app {
namespace {

using texts = std::vector<std::string>;

/// Read in pieces of a few bytes, so that lines and marks lie across them.
texts mails_of(const std::string& file, std::size_t bytes_max = 1000) {
  text_source source{file, 3};
  mailbox box{source, bytes_max};
  texts mails;
  auto mail = box.next();
  for (; mail && *mail; mail = box.next())
    mails.push_back(**mail);
  CHECK(mail);
  return mails;
}

std::string mail_of(const std::string& text, std::size_t bytes_max = 1000) {
  text_source source{text, 3};
  return read_mail(source, bytes_max);
}

TEST_CASE("a mailbox has a mail behind each line that begins with From, without the empty line of its end") {
  CHECK(mails_of("From a@b Thu\nSubject: 1\n\nfirst\n\nFrom c@d Fri\nSubject: 2\n\nsecond\n\n")
        == texts{"Subject: 1\n\nfirst\n", "Subject: 2\n\nsecond\n"});
  CHECK(mails_of("From a@b Thu\r\nSubject: 1\r\n\r\nfirst\r\n\r\nFrom c@d Fri\r\nX: 2\r\n")
        == texts{"Subject: 1\r\n\r\nfirst\r\n", "X: 2\r\n"});
  CHECK(mails_of("From a@b Thu\nSubject: 1\n\nno end of line") == texts{"Subject: 1\n\nno end of line"});
}

TEST_CASE("lines of a mail that begin as a separator come without the sign that was put before them") {
  CHECK(mails_of("From a@b Thu\nX: 1\n\n>From here\n>>From there\n> From a quote\n>from below\n")
        == texts{"X: 1\n\nFrom here\n>From there\n> From a quote\n>from below\n"});
}

TEST_CASE("an empty mailbox has no mail, and what does not begin as one is refused") {
  CHECK(mails_of("").empty());
  CHECK(mails_of("\n\n").empty());
  text_source source{"Subject: 1\n\nFrom nowhere\n"};
  mailbox box{source, 100};
  const auto mail = box.next();
  REQUIRE_FALSE(mail);
  CHECK(mail.error().find("From") != std::string::npos);
}

TEST_CASE("of a long mail the beginning is kept, and the next one is found behind its end") {
  const auto file = "From a@b Thu\nX: 1\n\n" + std::string(500, 'x') + "\n" + std::string(500, 'y')
                    + "\n\nFrom c@d Fri\nX: 2\n";
  CHECK(mails_of(file, 20) == texts{"X: 1\n\n" + std::string(14, 'x'), "X: 2\n"});
}

TEST_CASE("one mail is read as it is, but for a line From before it") {
  CHECK(mail_of("From a@b Thu\nX: 1\n\n>From here\n") == "X: 1\n\n>From here\n");
  CHECK(mail_of("From: a@b\n\nFrom there\n") == "From: a@b\n\nFrom there\n");
  CHECK(mail_of("X: 1\n\nlong", 6) == "X: 1\n\n");
  CHECK(mail_of("").empty());
  CHECK(mail_of("From a@b without an end").empty());
}

} // namespace
} // namespace sluice::app
