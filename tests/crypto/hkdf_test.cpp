#include "crypto/encoding.hpp"
#include "crypto/hkdf.hpp"
#include "wycheproof.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice::crypto;

TEST_CASE("HKDF-SHA-256 gives the keys of RFC 5869 appendix A") {
  CHECK(to_hex(hkdf_sha256(std::string(22, '\x0b'), *from_hex("000102030405060708090a0b0c"),
                           *from_hex("f0f1f2f3f4f5f6f7f8f9"), 42)
                   .value())
        == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
  CHECK(to_hex(hkdf_sha256(std::string(22, '\x0b'), "", "", 42).value())
        == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
}

TEST_CASE("HKDF-SHA-256 gives 255 blocks and not a byte more") {
  const auto most = hkdf_sha256("key", "salt", "info", hkdf_sha256_size_max);
  REQUIRE(most);
  CHECK(most->size() == hkdf_sha256_size_max);
  CHECK(most->substr(0, 33) == hkdf_sha256("key", "salt", "info", 33)); // a shorter one is its beginning
  CHECK_FALSE(hkdf_sha256("key", "salt", "info", hkdf_sha256_size_max + 1));
  CHECK(hkdf_sha256("key", "salt", "info", 0) == "");
}

TEST_CASE("Wycheproof: HKDF-SHA-256") {
  testing::each_case("hkdf_sha256_test", [](const auto&, const auto& test) {
    const auto made =
        hkdf_sha256(testing::bytes_of(test, "ikm"), testing::bytes_of(test, "salt"),
                    testing::bytes_of(test, "info"), test.at("size").template get<std::size_t>());
    REQUIRE(made.has_value() == (test.at("result") == "valid"));
    CHECK((!made || *made == testing::bytes_of(test, "okm")));
  });
}
