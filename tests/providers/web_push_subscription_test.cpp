#include "crypto/encoding.hpp"
#include "providers/web_push_subscription.hpp"
#include "push_fixture.hpp"

using namespace sluice;
using namespace sluice::providers;
using namespace sluice::providers::testing;

TEST_CASE("a browser's subscription is read, whatever else it says") {
  const auto read = parse_web_push_subscription(
      R"({"keys": {"auth": "BTBZMqHH6r4Tts7J_aSIgg", "new": 1, "p256dh": ")" + std::string{browser_public}
      + R"("}, "expirationTime": 1700000000000, "options": {"a": [1]}, "endpoint": "https://Push.Example.net:443/p?x=1"})");
  REQUIRE(read);
  CHECK(read->endpoint == "https://Push.Example.net:443/p?x=1");
  CHECK(read->origin == "https://push.example.net");
  CHECK(crypto::to_base64url(read->public_key) == browser_public);
  CHECK(crypto::to_base64url(read->secret) == browser_secret);
}

TEST_CASE("an origin keeps a port that is not https' own") {
  const auto origin_of = [](std::string_view endpoint) {
    return parse_web_push_subscription(subscription_json(endpoint)).value().origin;
  };
  CHECK(origin_of("https://push.example.net:8443/p") == "https://push.example.net:8443");
  CHECK(origin_of("https://push.example.net:0443/p") == "https://push.example.net");
  CHECK(origin_of("https://push.example.net") == "https://push.example.net");
  CHECK(origin_of("https://[2001:DB8::1]:99/p") == "https://[2001:db8::1]:99");
}

TEST_CASE("a subscription that cannot be sent to is refused with what is allowed, and never quoted") {
  const auto endpoint = "https://push.example.net/p";
  const auto compressed = crypto::to_base64url(std::string(1, '\2') + std::string(32, 'k'));
  struct row {
    std::string json;
    std::string_view says;
  };
  const std::vector<row> rows{
      {"", "JSON of a PushSubscription"},
      {"canary", "JSON of a PushSubscription"},
      {"{}", "lacks its endpoint"},
      {"[1]", "lacks its endpoint"},
      {R"({"endpoint": 7})", "lacks its endpoint"},
      {std::string(5000, ' ') + subscription_json(), "at most 4096 bytes"},
      {subscription_json("http://push.example.net/canary"), "must begin with https://"},
      {subscription_json("ftp://push.example.net/canary"), "begins with https://"},
      {subscription_json("https://canary:pw@push.example.net/"), "user or password"},
      {subscription_json("https://push.example.net/#canary"), "fragment"},
      {subscription_json("https://push.example.net/canary\r\nX: y"), "percent-encoded"},
      {subscription_json(endpoint, "canary"), "keys.p256dh must be 65 bytes"},
      {subscription_json(endpoint, std::string{browser_public} + "="), "keys.p256dh must be 65 bytes"},
      {subscription_json(endpoint, compressed), "keys.p256dh must be 65 bytes"},
      {subscription_json(endpoint, browser_public, "canary"), "keys.auth must be 16 bytes"},
      {subscription_json(endpoint, browser_public, "BTBZMqHH6r4Tts7J_aSIgg=="), "keys.auth must be 16 bytes"},
      {R"({"endpoint": "https://push.example.net/p", "keys": null})", "keys.p256dh must be 65 bytes"},
  };
  for (const auto& [json, says] : rows) {
    CAPTURE(json.substr(0, 200));
    const auto read = parse_web_push_subscription(json);
    REQUIRE_FALSE(read);
    CHECK_THAT(read.error(), Catch::Contains(std::string{says}) && !Catch::Contains("canary"));
  }
}
