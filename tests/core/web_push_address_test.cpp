#include "core/web_push_address.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

using namespace sluice::core;

namespace {

// The receiver's key and secret of RFC 8291 section 5.
const std::string point =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const std::string secret = "BTBZMqHH6r4Tts7J_aSIgg";

std::string address(std::string_view endpoint, std::string_view p256dh, std::string_view auth) {
  return R"({"endpoint":")" + std::string{endpoint} + R"(","keys":{"p256dh":")" + std::string{p256dh}
         + R"(","auth":")" + std::string{auth} + R"("}})";
}

const std::string good =
    address("https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV", point, secret);

} // namespace

TEST_CASE("a web push address has one text however its subscription was written") {
  CHECK(normalise_web_push(good) == good);
  CHECK(normalise_web_push(R"({ "keys": {"auth":")" + secret + R"(==", "p256dh": ")" + point
                           + R"(=", "more": 1}, "expirationTime": null,
  "endpoint": "https:\/\/push.example.net\/push\/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"})")
        == good);
}

TEST_CASE("a web push address without an https endpoint is refused") {
  for (const char* endpoint : {"", "push.example.net", "http://push.example.net/", "ftp://push.example.net/",
                               "https://user@push.example.net/", "https://push.example.net/a b"})
    CHECK(normalise_web_push(address(endpoint, point, secret)).error()
          == "the endpoint of a web push address is an https URL");
}

TEST_CASE("a web push address whose keys have another size or form is refused with the key's name") {
  for (const std::string& wrong :
       {std::string{}, point.substr(1), point + "A", 'A' + point.substr(1), "BA" + point.substr(2) + "+",
        point.substr(0, 86) + "5", std::string{"BU"} + point.substr(2),
        point.substr(0, 40) + '+' + point.substr(41)}) {
    CAPTURE(wrong);
    const auto refused = normalise_web_push(address("https://push.example.net/", wrong, secret));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().starts_with("keys.p256dh "));
  }
  for (const std::string& wrong :
       {std::string{}, secret.substr(1), secret + "A", secret.substr(0, 21) + "h"}) {
    CAPTURE(wrong);
    const auto refused = normalise_web_push(address("https://push.example.net/", point, wrong));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().starts_with("keys.auth "));
  }
}

TEST_CASE("what is no subscription, or names a member twice, is refused and never quoted") {
  const auto twice = good.substr(0, good.size() - 1) + R"(,"endpoint":"https://canary.example/"})";
  for (const std::string& wrong :
       {std::string{}, std::string{"canary"}, std::string{"[\"canary\"]"},
        std::string{R"({"endpoint":"canary"})"}, std::string{R"({"endpoint":7,"keys":7})"},
        std::string{R"({"endpoint":"https://canary.example/"})"},
        std::string{R"({"endpoint":"https://canary.example/","keys":["canary"]})"}, twice}) {
    CAPTURE(wrong);
    const auto refused = normalise_web_push(wrong);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().find("canary") == std::string::npos);
  }
}
