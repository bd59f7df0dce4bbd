#include "crypto/encoding.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>

using namespace sluice::crypto;

TEST_CASE("base64 and base64url write and read the examples of RFC 4648") {
  for (const auto& [bytes, text] : {std::pair<std::string, std::string>{"", ""},
                                    {"f", "Zg=="},
                                    {"fo", "Zm8="},
                                    {"foo", "Zm9v"},
                                    {"foob", "Zm9vYg=="},
                                    {"fooba", "Zm9vYmE="},
                                    {"foobar", "Zm9vYmFy"}}) {
    CHECK(to_base64(bytes) == text);
    CHECK(from_base64(text) == bytes);
    const std::string bare = text.substr(0, text.find('='));
    CHECK(to_base64url(bytes) == bare);
    CHECK(from_base64url(bare) == bytes);
  }
}

TEST_CASE("the two base64 alphabets differ in their last two characters alone") {
  CHECK(to_base64("\xfb\xef\xff") == "++//");
  CHECK(to_base64url("\xfb\xef\xff") == "--__");
  CHECK_FALSE(from_base64("--__"));
  CHECK_FALSE(from_base64url("++//"));
}

TEST_CASE("every byte at every place comes back") {
  std::string bytes;
  for (int value = 0; value < 256; ++value) {
    bytes += static_cast<char>(value);
    CHECK(from_base64(to_base64(bytes)) == bytes);
    CHECK(from_base64url(to_base64url(bytes)) == bytes);
    CHECK(from_hex(to_hex(bytes)) == bytes);
  }
}

TEST_CASE("base64 that is not exactly what an encoder writes is refused") {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "Z===", "====", "=", "Zh==", "Zm9=", "Zm 9", "Zm9v\n",
                           "Zg==Zg==", "Zm9\xc3", "Zm9v===="}) {
    INFO(text);
    CHECK_FALSE(from_base64(text));
  }
  for (const char* text : {"Z", "Zh", "Zm9v=", "Zg==", "Zm9 ", "Zm9vY", "\xff\xff"}) {
    INFO(text);
    CHECK_FALSE(from_base64url(text));
  }
}

TEST_CASE("hex is written in lower case, read in either, and refused when it is none") {
  CHECK(to_hex(std::string("\x00\xaf\xff", 3)) == "00afff");
  CHECK(from_hex("00aFFf") == std::string("\x00\xaf\xff", 3));
  CHECK(from_hex("") == "");
  for (const char* text : {"0", "0g", "g0", " 0", "0x", "ABC"}) {
    INFO(text);
    CHECK_FALSE(from_hex(text));
  }
}
