#include "crypto/ed25519.hpp"
#include "crypto/encoding.hpp"
#include "providers/webhook_secret.hpp"
#include "providers/webhook_signature.hpp"

#include <catch2/catch.hpp>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>

using namespace sluice;
using namespace sluice::providers;
using namespace std::chrono_literals;

namespace {

// The example of Standard Webhooks' reference libraries.
const std::string example_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const std::string example_id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const std::string example_body = R"({"test": 2432232314})";
const core::timestamp example_time{std::chrono::seconds{1614265330}};

core::header_lines signed_by(const std::vector<core::signing_secret>& secrets,
                             core::timestamp now = example_time, const std::string& body = example_body) {
  const auto lines = sign_webhook(example_id, body, secrets, now);
  INFO((lines ? std::string{} : lines.error()));
  REQUIRE(lines);
  return *lines;
}

std::string signature_of(const core::header_lines& lines) {
  const std::string prefix = "webhook-signature: ";
  REQUIRE(lines.at(2).starts_with(prefix));
  return lines[2].substr(prefix.size());
}

bool verifies(const std::string& signature, const std::string& key, const std::string& body = example_body,
              core::timestamp now = example_time) {
  return verify_webhook({example_id, "1614265330", signature, body}, key, now).has_value();
}

/// HMAC-SHA256 by OpenSSL's own function.
std::string openssl_hmac(const std::string& key, const std::string& content) {
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(content.data()), content.size(), out, &size);
  return {reinterpret_cast<const char*>(out), size};
}

} // namespace

TEST_CASE("a webhook is signed as the published example of Standard Webhooks says") {
  CHECK(signed_by({{example_secret, {}}})
        == core::header_lines{"webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp: 1614265330",
                              "webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="});
}

TEST_CASE("signatures are those OpenSSL computes over id, seconds and the bytes of the body") {
  for (const std::size_t size : {std::size_t{24}, std::size_t{32}, std::size_t{64}}) {
    const std::string key(size, '\xfe');
    const std::string body{"{\"a\":\"\xc3\xa4\"}\0\r\n", 13};
    const auto now = example_time + 999'999us;
    const auto signature = signature_of(signed_by({{"whsec_" + crypto::to_base64(key), {}}}, now, body));
    const auto expected = openssl_hmac(key, example_id + ".1614265330." + body);
    CHECK(signature == "v1," + crypto::to_base64(expected));
  }
}

TEST_CASE("an ed25519 signature is good for the public key alone") {
  const auto secret = make_webhook_secret(signature_scheme::ed25519);
  const auto read = parse_webhook_secret(secret);
  REQUIRE(read);
  const auto public_key = verification_key(*read);
  CHECK(public_key.starts_with("whpk_"));
  const auto signature = signature_of(signed_by({{secret, {}}}));
  REQUIRE(signature.starts_with("v1a,"));
  const auto bytes = crypto::from_base64(signature.substr(4));
  REQUIRE(bytes);
  CHECK(crypto::ed25519_verify(*crypto::ed25519_public_key(read->key),
                               example_id + ".1614265330." + example_body, *bytes));
  CHECK(verifies(signature, public_key));
  CHECK_FALSE(verifies(signature, public_key, example_body + " "));
  CHECK_FALSE(verifies(signature, secret)); // a receiver has no business with the private key
}

TEST_CASE("every secret that has not expired signs, in order, and an expired one never does") {
  const auto middle = make_webhook_secret(signature_scheme::hmac_sha256);
  const auto asymmetric = make_webhook_secret(signature_scheme::ed25519);
  const auto expired = make_webhook_secret(signature_scheme::hmac_sha256);
  const auto signature = signature_of(signed_by({{example_secret, {}},
                                                 {middle, example_time + 1us},
                                                 {expired, example_time},
                                                 {asymmetric, example_time + 1h}}));
  CHECK(std::ranges::count(signature, ' ') == 2);
  CHECK(signature.starts_with("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,"));
  CHECK(verifies(signature, example_secret));
  CHECK(verifies(signature, middle));
  CHECK(verifies(signature, verification_key(*parse_webhook_secret(asymmetric))));
  CHECK_FALSE(verifies(signature, expired));
}

TEST_CASE("nothing is signed without a secret that signs, or with an id that could forge the content") {
  CHECK_FALSE(sign_webhook(example_id, "{}", {}, example_time));
  CHECK_FALSE(sign_webhook(example_id, "{}", {{example_secret, example_time}}, example_time));
  CHECK_FALSE(sign_webhook("", "{}", {{example_secret, {}}}, example_time));
  CHECK_FALSE(sign_webhook("a.1", "{}", {{example_secret, {}}}, example_time));
  const auto refused = sign_webhook(example_id, "{}", {{"whsec_c2hvcnQ=", {}}}, example_time);
  REQUIRE_FALSE(refused);
  CHECK(refused.error() == "a secret of 5 bytes is none; allowed are 24 to 64");
}

TEST_CASE("a webhook that is old, early, changed or signed by another is not accepted") {
  const auto signature = signature_of(signed_by({{example_secret, {}}}));
  CHECK(verifies(signature, example_secret, example_body, example_time + 5min));
  CHECK(verifies(signature, example_secret, example_body, example_time - 5min));
  CHECK_FALSE(verifies(signature, example_secret, example_body, example_time + 5min + 1s));
  CHECK_FALSE(verifies(signature, example_secret, example_body, example_time - 5min - 1s));
  CHECK_FALSE(verifies(signature, example_secret, R"({"test": 2432232315})"));
  CHECK_FALSE(verifies(signature, make_webhook_secret(signature_scheme::hmac_sha256)));
  CHECK_FALSE(verifies("v2," + signature.substr(3), example_secret));
  CHECK_FALSE(verifies("", example_secret));
  CHECK(verifies("v1,AAAA  v1a,x " + signature, example_secret));
  for (const char* seconds : {"", "-1", "1614265330.0", "x", " 1614265330", "99999999999999999999"})
    CHECK_FALSE(verify_webhook({example_id, seconds, signature, example_body}, example_secret, example_time));
}

TEST_CASE("a secret is read in its published form, or refused without being quoted") {
  const auto base64_of = [](std::size_t size) { return crypto::to_base64(std::string(size, 'k')); };
  CHECK(parse_webhook_secret("whsec_" + base64_of(24)));
  CHECK(parse_webhook_secret("whsec_" + base64_of(64)));
  CHECK(parse_webhook_secret("whsk_" + base64_of(32))->scheme == signature_scheme::ed25519);
  const std::string seed(32, 'k');
  CHECK(parse_webhook_secret("whsk_" + crypto::to_base64(seed + *crypto::ed25519_public_key(seed)))->key
        == seed);
  for (const std::string& text :
       {std::string{}, std::string{"whsec_"}, "whsec_" + base64_of(23), "whsec_" + base64_of(65),
        "whsk_" + base64_of(31), "whsk_" + base64_of(33), "whsk_" + base64_of(64), "whpk_" + base64_of(32),
        "WHSEC_" + base64_of(24), base64_of(32), "whsec_" + base64_of(32).substr(0, 43),
        std::string{"whsec_k k="}}) {
    CAPTURE(text);
    const auto read = parse_webhook_secret(text);
    REQUIRE_FALSE(read);
    CHECK((text.size() < 10 || read.error().find(text.substr(6)) == std::string::npos));
  }
}

TEST_CASE("new secrets are read back and never the same") {
  for (const auto scheme : {signature_scheme::hmac_sha256, signature_scheme::ed25519}) {
    const auto secret = make_webhook_secret(scheme);
    const auto read = parse_webhook_secret(secret);
    REQUIRE(read);
    CHECK(read->scheme == scheme);
    CHECK(read->key.size() == 32);
    CHECK(secret != make_webhook_secret(scheme));
    CHECK(parse_signature_scheme(to_string(scheme)) == scheme);
  }
}
