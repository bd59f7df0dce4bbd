#include "core/email_address.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice::core;

namespace {

const std::string longest_local(64, 'l');

std::string domain_of(std::size_t bytes) {
  std::string made;
  while (made.size() + 64 < bytes)
    made += std::string(63, 'd') + '.';
  return made + std::string(bytes - made.size(), 'd');
}

} // namespace

TEST_CASE("an e-mail address keeps its local part and has its domain in lower case") {
  CHECK(normalise_email("Jane.Doe+News@Example.COM") == "Jane.Doe+News@example.com");
  CHECK(normalise_email("o'brien@example.com") == "o'brien@example.com");
  CHECK(normalise_email("!#$%&'*+-/=?^_`{|}~@a.b-c.example") == "!#$%&'*+-/=?^_`{|}~@a.b-c.example");
  CHECK(normalise_email("a@XN--BCHER-KVA.example") == "a@xn--bcher-kva.example");
  CHECK(normalise_email("a@1and1.example") == "a@1and1.example");
}

TEST_CASE("an e-mail address has the lengths RFC 5321 gives it") {
  CHECK(normalise_email(longest_local + "@example.com"));
  CHECK_FALSE(normalise_email(longest_local + "l@example.com"));
  CHECK(normalise_email(longest_local + '@' + domain_of(189)));
  CHECK_FALSE(normalise_email(longest_local + '@' + domain_of(190)));
  CHECK(normalise_email("a@" + std::string(63, 'd') + ".example"));
  CHECK_FALSE(normalise_email("a@" + std::string(64, 'd') + ".example"));
}

TEST_CASE("what is no e-mail address is refused with what is allowed, and never quoted") {
  for (const char* text : {"",
                           "example.com",
                           "@example.com",
                           "canary@",
                           "canary@localhost",
                           "canary@example.com.",
                           "canary@.example.com",
                           "canary@example..com",
                           "canary@-example.com",
                           "canary@example-.com",
                           "canary@exa_mple.com",
                           "canary@b\u00fccher.example",
                           "canary@[127.0.0.1]",
                           "canary@1.2.3.4",
                           ".canary@example.com",
                           "canary.@example.com",
                           "can..ary@example.com",
                           "can ary@example.com",
                           "can@ary@example.com",
                           "\"canary\"@example.com",
                           "c\u00e4nary@example.com",
                           "canary <canary@example.com>",
                           "canary@example.com,other@example.com",
                           "canary@exam ple.com",
                           "canary@example.com>"}) {
    CAPTURE(text);
    const auto refused = normalise_email(text);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().find("canary") == std::string::npos);
    CHECK(refused.error().size() > 20);
  }
}
