#include "crypto/encoding.hpp"
#include "providers/web_push_encryption.hpp"
#include "providers/web_push_vapid.hpp"
#include "push_fixture.hpp"
#include "web_push_reader.hpp"

#include <string>

using namespace sluice;
using namespace sluice::providers;
using namespace sluice::providers::testing;

namespace {

[[nodiscard]] std::string bytes(std::string_view base64url) {
  return crypto::from_base64url(base64url).value();
}

/// What RFC 8291 section 5 draws.
[[nodiscard]] web_push_once drawn_by_rfc() {
  return {crypto::p256_key::from_bytes(bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")).value(),
          bytes("DGv6ra1nlYgDCS1FRnbzlw")};
}

[[nodiscard]] web_push_subscription browser() {
  return parse_web_push_subscription(subscription_json()).value();
}

constexpr std::string_view watermelon = "When I grow up, I want to be a watermelon";

} // namespace

TEST_CASE("a message is encrypted as RFC 8291 section 5 and appendix A show, byte for byte") {
  const auto once = drawn_by_rfc();
  CHECK(crypto::to_base64url(once.sender.public_key())
        == "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
  CHECK(crypto::to_base64url(once.sender.agree(browser().public_key).value())
        == "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
  const auto body = encrypt_web_push(browser(), watermelon, 0, once).value();
  CHECK(body.size() == 144);
  CHECK(
      crypto::to_base64url(body.substr(0, 86))
      == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC"
         "8wEqKK6PBru3jl7A8");
  CHECK(crypto::to_base64url(body.substr(86))
        == "8pfeW0KbunFT06SuDKoJH9Ql87S1QUrdirN6GcG7sFz1y1sqLgVi1VhjVkHsUoEsbI_0LpXMuGvnzQ");
}

TEST_CASE("the browser reads what was encrypted for it, and no other browser does") {
  const auto once = draw_web_push_once().value();
  const auto body = encrypt_web_push(browser(), watermelon, 0, once).value();
  CHECK(read_as_browser(body) == watermelon);
  auto bent = body;
  bent.back() = static_cast<char>(bent.back() ^ 1);
  CHECK_FALSE(read_as_browser(bent));
  const auto other = crypto::p256_key::generate().value();
  const auto to_other = parse_web_push_subscription(
      subscription_json("https://push.example.net/p", crypto::to_base64url(other.public_key())));
  CHECK_FALSE(read_as_browser(encrypt_web_push(to_other.value(), watermelon, 0, once).value()));
}

TEST_CASE("no two messages share a key or a salt") {
  const auto first = draw_web_push_once().value();
  const auto second = draw_web_push_once().value();
  CHECK(first.salt != second.salt);
  CHECK(first.sender.public_key() != second.sender.public_key());
}

TEST_CASE("padding hides how long a message is") {
  const auto once = draw_web_push_once().value();
  const auto brief = encrypt_web_push(browser(), "yes", 256, once).value();
  const auto long_one = encrypt_web_push(browser(), std::string(256, 'n'), 256, once).value();
  CHECK(brief.size() == long_one.size());
  CHECK(read_as_browser(brief) == "yes");
  CHECK(read_as_browser(long_one) == std::string(256, 'n'));
  CHECK(read_as_browser(encrypt_web_push(browser(), "", 0, once).value()) == "");
}

TEST_CASE("the longest message fills the 4096 bytes every push service takes, one byte more is refused") {
  const auto once = draw_web_push_once().value();
  const std::string longest(web_push_plain_bytes_max, 'x');
  CHECK(web_push_plain_bytes_max == 3993); // RFC 8291 section 4
  CHECK(encrypt_web_push(browser(), longest, 0, once).value().size() == web_push_body_bytes_max);
  CHECK(encrypt_web_push(browser(), "", longest.size(), once).value().size() == web_push_body_bytes_max);
  CHECK_FALSE(encrypt_web_push(browser(), longest + 'x', 0, once));
  CHECK_FALSE(encrypt_web_push(browser(), "", longest.size() + 1, once));
}

TEST_CASE("a browser's key that is no point of the curve is encrypted for by nobody") {
  auto to = browser();
  to.public_key[10] = static_cast<char>(to.public_key[10] ^ 1);
  CHECK_FALSE(encrypt_web_push(to, watermelon, 0, draw_web_push_once().value()));
}

TEST_CASE("the token of RFC 8292 section 2.4 is written as its example has it, and its signature verified") {
  constexpr std::string_view header = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9";
  constexpr std::string_view claims =
      "eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6"
      "Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0";
  const auto input = std::string{header} + '.' + std::string{claims};
  const auto rfc_key =
      bytes("BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs");
  const auto rfc_signature =
      bytes("i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA");
  CHECK(crypto::p256_verify(rfc_key, input, rfc_signature));

  const auto key = crypto::p256_key::generate().value();
  const auto value = vapid_authorization(key, "https://push.example.net", "mailto:push@example.com",
                                         core::timestamp{std::chrono::seconds{1'453'523'768}})
                         .value();
  const auto start = "vapid t=" + input + '.';
  const auto end = ", k=" + crypto::to_base64url(key.public_key());
  REQUIRE(value.starts_with(start));
  REQUIRE(value.ends_with(end));
  const auto signature = value.substr(start.size(), value.size() - start.size() - end.size());
  CHECK(crypto::p256_verify(key.public_key(), input, bytes(signature)));
}

TEST_CASE("messages to one push service say who sends them by one token, for an hour") {
  const vapid_identity ours{crypto::p256_key::generate().value(), "mailto:push@example.com"};
  const core::timestamp now{std::chrono::hours{480'000}};
  const std::string here = "https://push.example.net";
  const auto first = ours.authorization(here, now).value();
  CHECK(ours.authorization(here, now + std::chrono::minutes{59}) == first);
  CHECK(ours.authorization("https://push.example.org", now) != first);
  CHECK(ours.authorization(here, now) == first);
  const auto second = ours.authorization(here, now + std::chrono::hours{1}).value();
  CHECK(second != first);
  CHECK(ours.authorization(here, now)
        != second); // a clock that went back: the token would be good for too long
}

TEST_CASE("whoever makes up push services has no more than a few remembered") {
  const vapid_identity ours{crypto::p256_key::generate().value(), "mailto:push@example.com"};
  const core::timestamp now{std::chrono::hours{480'000}};
  const auto first = ours.authorization("https://push.example.net", now).value();
  for (int count = 0; count < 256; ++count)
    CHECK(ours.authorization("https://made-up-" + std::to_string(count) + ".example.net", now));
  CHECK(ours.authorization("https://push.example.net", now) != first);
}
