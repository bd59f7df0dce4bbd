#include "core/contact_normalisation.hpp"

#include <catch2/catch.hpp>

#include <rapidcheck.h>
#include <string>

using namespace sluice::core;

namespace {

std::string text_of(contact_kind kind, std::string_view text) {
  const auto made = normalise_contact(kind, text);
  INFO((made ? std::string{} : made.error()));
  REQUIRE(made);
  CHECK(made->kind == kind);
  return made->text;
}

} // namespace

TEST_CASE("each kind of address is normalised in its own way, without the spaces around it") {
  CHECK(text_of(contact_kind::email, " Jane@EXAMPLE.com  ") == "Jane@example.com");
  CHECK(text_of(contact_kind::phone, " +44 (0)20 7946 0958 ") == "+442079460958");
  CHECK(text_of(contact_kind::fcm_installation, "cIdVdOoTQ0yAt-sp_x5Q1a") == "cIdVdOoTQ0yAt-sp_x5Q1a");
  CHECK(text_of(contact_kind::fcm_token, "cIdV:APA91b-x_Z") == "cIdV:APA91b-x_Z");
  CHECK(text_of(contact_kind::apns_token, std::string(64, 'A')) == std::string(64, 'a'));
  CHECK(text_of(contact_kind::other, " Jane in room 7, \u00e4\u4e2d ") == "Jane in room 7, \u00e4\u4e2d");
}

TEST_CASE("CR, LF, NUL and every other control character are refused in every kind of address") {
  for (std::size_t kind = 0; kind < contact_kinds; ++kind)
    for (const char control : {'\r', '\n', '\0', '\t', '\x1b', '\x7f'})
      for (const std::string& text :
           {std::string{control} + "a@example.com", std::string{"a@example.com"} + control,
            std::string{"a"} + control + "@example.com"}) {
        const auto refused = normalise_contact(static_cast<contact_kind>(kind), text);
        REQUIRE_FALSE(refused);
        CHECK(refused.error() == "an address has no control characters and no line ends");
      }
}

TEST_CASE("an empty address and one that is too long are refused in every kind") {
  for (std::size_t kind = 0; kind < contact_kinds; ++kind)
    for (const std::string& text :
         {std::string{}, std::string{"   "}, std::string(contact_bytes_max + 1, 'a')})
      CHECK(normalise_contact(static_cast<contact_kind>(kind), text).error()
            == "an address has 1 to 4096 bytes");
  CHECK(normalise_contact(contact_kind::fcm_token, std::string(contact_bytes_max, 'a')));
}

TEST_CASE("tokens of another form are refused and never quoted") {
  for (const char* text : {"abc", "canary!", "0123456789abcdeg", "0123456789abcdef0", "0123 456789abcdef"}) {
    const auto refused = normalise_contact(contact_kind::apns_token, text);
    REQUIRE_FALSE(refused);
    CHECK(refused.error() == "an APNs device token is an even number of 16 to 200 hexadecimal digits");
  }
  CHECK_FALSE(normalise_contact(contact_kind::apns_token, std::string(202, 'a')));
  for (const char* text : {"can ary", "canary/", "c\u00e4nary", "canary\"", "../canary"}) {
    for (const auto kind : {contact_kind::fcm_token, contact_kind::fcm_installation}) {
      const auto refused = normalise_contact(kind, text);
      REQUIRE_FALSE(refused);
      CHECK(refused.error().find("canary") == std::string::npos);
    }
  }
  CHECK(normalise_contact(contact_kind::other, "\xff").error() == "an address is UTF-8");
}

TEST_CASE("whatever text comes, what is normalised once stays as it is") {
  CHECK(rc::check([] {
    const auto kind = static_cast<contact_kind>(*rc::gen::inRange<std::size_t>(0, contact_kinds));
    const auto text = *rc::gen::container<std::string>(
        rc::gen::elementOf(std::string{"+44207946095801 .-/()@aAzZfF09_:{}\"\xc3\xa4"}));
    const auto once = normalise_contact(kind, text);
    if (!once)
      return;
    const auto again = normalise_contact(kind, once->text);
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->text == once->text);
  }));
}
