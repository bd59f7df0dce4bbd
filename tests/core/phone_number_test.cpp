#include "core/phone_number.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice::core;

TEST_CASE("a phone number has one text however it is written") {
  for (const char* text :
       {"+442079460958", "+44 20 7946 0958", "+44 (0)20 7946-0958", "+44.20.7946.0958", "+44/20/7946/0958"})
    CHECK(normalise_phone_number(text) == "+442079460958");
  CHECK(normalise_phone_number("+1 (650) 253-0000") == "+16502530000");
  CHECK(normalise_phone_number("+49 1512 3456789") == "+4915123456789");
  CHECK(normalise_phone_number("+800 1234 5678") == "+80012345678");
}

TEST_CASE("an Italian number keeps the zero that belongs to it") {
  CHECK(normalise_phone_number("+39 06 1234567") == "+39061234567");
}

TEST_CASE("what is normalised once stays as it is") {
  for (const char* text : {"+44 (0)20 7946 0958", "+39 06 1234567", "+54 9 11 2345 6789"}) {
    const auto made = normalise_phone_number(text);
    REQUIRE(made);
    CHECK(normalise_phone_number(*made) == made);
  }
}

TEST_CASE("a number that may lie in any country, or holds anything else, is refused and never quoted") {
  for (const char* text :
       {"", "+", "02079460958", "0044 20 7946 0958", "442079460958", "+44 20 7946 0958 ext. 12",
        "+44 20 7946 0958;ext=12", "tel:+442079460958", "+1 800 FLOWERS", "++442079460958", "+44+2079460958",
        "+44 20 7946 0958,", "+44\u00a02079460958", "+\uff14\uff14 2079460958"}) {
    CAPTURE(text);
    const auto refused = normalise_phone_number(text);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().starts_with("a phone number is written with '+'"));
  }
  CHECK_FALSE(normalise_phone_number("+44" + std::string(100, '1')));
}

TEST_CASE("a number that no country can have is refused with the reason") {
  CHECK(normalise_phone_number("+999 123 456").error()
        == "the phone number's country code is assigned to no country");
  CHECK(normalise_phone_number("+1 650 25").error() == "the phone number is too short for its country");
  CHECK(normalise_phone_number("+49 1512 3456789 12345").error()
        == "the phone number is too long for its country");
  CHECK(normalise_phone_number("+1 253 0000").error() == "the phone number lacks its area code");
  CHECK(normalise_phone_number("+1").error() == "the phone number has too few digits, or too many");
}
