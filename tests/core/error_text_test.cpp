#include "core/error_text.hpp"

#include <catch2/catch.hpp>

#include <string>

using sluice::core::error_text;
using sluice::core::is_storable_text;

TEST_CASE("text that fits is kept as it is") {
  CHECK(error_text("", 5) == "");
  CHECK(error_text("Grüße", 7) == "Grüße");
  CHECK(error_text("\xf0\x9f\x98\x80", 4) == "\xf0\x9f\x98\x80");
}

TEST_CASE("long text is cut between two characters") {
  CHECK(error_text("abcdef", 5) == "abcde");
  CHECK(error_text("ab\xe2\x82\xac", 4) == "ab");
  CHECK(error_text("ab\xe2\x82\xac", 5) == "ab\xe2\x82\xac");
  CHECK(error_text("\xf0\x9f\x98\x80", 3) == "");
}

TEST_CASE("what no database takes as text becomes a question mark") {
  CHECK(error_text(std::string("a\0b", 3), 10) == "a?b");
  CHECK(error_text("a\xff\xfe", 10) == "a??");
  CHECK(error_text("cut \xe2\x82", 10) == "cut ??");
  CHECK(error_text("\xc0\xaf", 10) == "??");           // overlong
  CHECK(error_text("\xed\xa0\x80", 10) == "???");      // surrogate
  CHECK(error_text("\xf4\x90\x80\x80", 10) == "????"); // past U+10FFFF
  CHECK(error_text("\xe2(\xa1", 10) == "?(?");
}

TEST_CASE("what every database takes as text is storable as it is") {
  CHECK(is_storable_text(""));
  CHECK(is_storable_text("a\r\nGrüße \xf0\x9f\x98\x80"));
  CHECK_FALSE(is_storable_text(std::string("a\0b", 3)));
  CHECK_FALSE(is_storable_text("a\xff"));
  CHECK_FALSE(is_storable_text("cut \xe2\x82"));
}
