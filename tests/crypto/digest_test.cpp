#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "wycheproof.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice::crypto;

namespace {

[[nodiscard]] std::string hex(const digest_256& digest) {
  return to_hex(as_bytes(digest));
}

} // namespace

TEST_CASE("SHA-256 gives the published digests") {
  CHECK(hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex(sha256(std::string(1'000'000, 'a')))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("HMAC-SHA-256 gives the digests of RFC 4231, with short and long keys") {
  CHECK(hex(hmac_sha256(std::string(20, '\x0b'), "Hi There"))
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  CHECK(hex(hmac_sha256("Jefe", "what do ya want for nothing?"))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(hex(hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST_CASE("keys of exactly one block and of one byte more are told apart") {
  CHECK(hmac_sha256(std::string(64, 'k'), "x") != hmac_sha256(std::string(65, 'k'), "x"));
  CHECK(hmac_sha256("", "x") == hmac_sha256(std::string(64, '\0'), "x")); // a key is padded with zeros
}

TEST_CASE("equality is of all bytes and of the length") {
  CHECK(equal_in_constant_time("", ""));
  CHECK(equal_in_constant_time("abc", "abc"));
  CHECK_FALSE(equal_in_constant_time("abc", "abd"));
  CHECK_FALSE(equal_in_constant_time("abc", "abcd"));
}

TEST_CASE("Wycheproof: HMAC-SHA-256, with whole and with shortened tags") {
  testing::each_case("hmac_sha256_test", [](const auto&, const auto& test) {
    const auto tag = testing::bytes_of(test, "tag");
    const auto digest = hmac_sha256(testing::bytes_of(test, "key"), testing::bytes_of(test, "msg"));
    CHECK(equal_in_constant_time(as_bytes(digest).substr(0, tag.size()), tag)
          == (test.at("result") == "valid"));
  });
}
