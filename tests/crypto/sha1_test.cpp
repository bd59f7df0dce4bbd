#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "wycheproof.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice::crypto;

namespace {

[[nodiscard]] std::string hex(const digest_160& digest) {
  return to_hex(as_bytes(digest));
}

} // namespace

TEST_CASE("SHA-1 gives the published digests") {
  CHECK(hex(sha1("")) == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  CHECK(hex(sha1("abc")) == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(hex(sha1(std::string(1'000'000, 'a'))) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST_CASE("HMAC-SHA-1 gives the digests of RFC 2202, with short and long keys") {
  CHECK(hex(hmac_sha1(std::string(20, '\x0b'), "Hi There")) == "b617318655057264e28bc0b6fb378c8ef146be00");
  CHECK(hex(hmac_sha1("Jefe", "what do ya want for nothing?")) == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
  CHECK(hex(hmac_sha1(std::string(80, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"))
        == "aa4ae5e15272d00e95705637ce8a3b55ed402112");
}

TEST_CASE("Wycheproof: HMAC-SHA-1, with whole and with shortened tags") {
  testing::each_case("hmac_sha1_test", [](const auto&, const auto& test) {
    const auto tag = testing::bytes_of(test, "tag");
    const auto digest = hmac_sha1(testing::bytes_of(test, "key"), testing::bytes_of(test, "msg"));
    CHECK(equal_in_constant_time(as_bytes(digest).substr(0, tag.size()), tag)
          == (test.at("result") == "valid"));
  });
}
