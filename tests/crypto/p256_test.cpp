#include "crypto/encoding.hpp"
#include "crypto/p256.hpp"
#include "wycheproof.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice::crypto;

namespace {

/// RFC 6979 appendix A.2.5.
constexpr std::string_view rfc_scalar = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";
constexpr std::string_view rfc_point =
    "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008"
    "b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";

/// The same key as PKCS#8 and as SEC1.
constexpr std::string_view rfc_pkcs8 = R"(-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgya+p2EW6dRZrXCFX
Z7HWk05Qw9s26JsSe4piKxIPZyGhRANCAARg/tS6JVqdMclh63TGNW1owEm4kjth
+mzmaWIuYPKftnkD/hAIuLyZpBrp6VYovGTy8bIMLX6fUXejwpTURiKZ
-----END PRIVATE KEY-----
)";
constexpr std::string_view rfc_sec1 = R"(-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIMmvqdhFunUWa1whV2ex1pNOUMPbNuibEnuKYisSD2choAoGCCqGSM49
AwEHoUQDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7Yfps5mliLmDyn7Z5A/4QCLi8
maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
-----END EC PRIVATE KEY-----
)";

/// A key of the curve P-384.
constexpr std::string_view other_curve = R"(-----BEGIN PRIVATE KEY-----
MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDdiylOWfISyWFSJWuB
VlXmbPEFZQKf6LxjoEZjjWEAuPDmO0cHGIIoVbwRl51zViGhZANiAASJ/bfcHzEy
T1YKTSz6byeiK/ZNxnExfy+BExB2Db23rSu/mjlZUZ8zgBLoLTzNcnIcd+jpa4qw
uYUrz8cDklivoKnhF4KO465pItUONBBZgu2ITiFz2qw9Y0h/4r1VIZk=
-----END PRIVATE KEY-----
)";

/// The RFC's key again, encrypted with the password "secret".
constexpr std::string_view encrypted = R"(-----BEGIN ENCRYPTED PRIVATE KEY-----
MIH0MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBD005Mxdt/26RldCe6Q
rJErAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQtis6Und9RVJGR2Db
AiaKTgSBkGCW7xjg3EEs1qZWzAST8BtbBflC8Xuy6bQYW2sBjhiy8sgqSNp4Hibb
z70A6ics/putLhaAByYcdw95DvtLf9tZcdxGgIeSWGRKcKqBng5uOl5jWLnPV8CI
TKgBKMtsx4Fjt3jYHhwU8U7y0W7m6b5flgGjpiYEc54zUErrDch+W27SQMJXyQPd
AXROZQ5j6g==
-----END ENCRYPTED PRIVATE KEY-----
)";

/// Wycheproof writes scalars as signed numbers: shorter, or with a zero in front.
[[nodiscard]] std::string scalar_of(std::string hex) {
  if (hex.size() % 2 != 0)
    hex.insert(0, "0");
  auto bytes = from_hex(hex).value();
  while (bytes.size() > p256_private_key_size && bytes.front() == '\0')
    bytes.erase(0, 1);
  bytes.insert(0, p256_private_key_size - std::min(bytes.size(), p256_private_key_size), '\0');
  return bytes;
}

[[nodiscard]] std::string public_key_of(const nlohmann::json& group) {
  return from_hex(group.at("publicKey").at("uncompressed").get<std::string>()).value();
}

} // namespace

TEST_CASE("a P-256 key read from its scalar or from PEM has the public key of RFC 6979") {
  CHECK(to_hex(p256_key::from_bytes(*from_hex(rfc_scalar)).value().public_key()) == rfc_point);
  CHECK(to_hex(p256_key::from_pem(rfc_pkcs8).value().public_key()) == rfc_point);
  CHECK(to_hex(p256_key::from_pem(rfc_sec1).value().public_key()) == rfc_point);
}

TEST_CASE("a text that is no unencrypted P-256 key gives none") {
  CHECK_FALSE(p256_key::from_pem(""));
  CHECK_FALSE(p256_key::from_pem("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"));
  CHECK_FALSE(p256_key::from_pem(rfc_pkcs8.substr(0, 100)));
  CHECK_FALSE(p256_key::from_pem(other_curve));
  CHECK_FALSE(p256_key::from_pem(encrypted));
}

TEST_CASE("a scalar outside of the curve's order is no P-256 key") {
  const std::string order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
  auto last = order;
  last.back() = '0';
  CHECK(p256_key::from_bytes(*from_hex(last)));
  CHECK_FALSE(p256_key::from_bytes(*from_hex(order)));
  CHECK_FALSE(p256_key::from_bytes(std::string(32, '\xff')));
  CHECK_FALSE(p256_key::from_bytes(std::string(32, '\0')));
  CHECK_FALSE(p256_key::from_bytes(std::string(31, '\1')));
  CHECK_FALSE(p256_key::from_bytes(std::string(33, '\1')));
  CHECK_FALSE(p256_key::from_bytes(""));
}

TEST_CASE("the signature of RFC 6979 for \"sample\" is verified, and no other text's") {
  const auto key = *from_hex(rfc_point);
  const auto signature = *from_hex("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                                   "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8");
  CHECK(p256_verify(key, "sample", signature));
  CHECK_FALSE(p256_verify(key, "test", signature));
  CHECK_FALSE(p256_verify(key, "sample", signature.substr(1)));
  CHECK_FALSE(p256_verify(key.substr(1), "sample", signature));
  CHECK_FALSE(p256_verify(std::string(65, '\4'), "sample", signature));
}

TEST_CASE("what a P-256 key signs is verified with its public key alone") {
  const auto key = p256_key::generate().value();
  for (int round = 0; round < 64; ++round) { // r and s are shorter than 32 bytes now and then
    const auto signature = key.sign("message").value();
    REQUIRE(signature.size() == p256_signature_size);
    CHECK(p256_verify(key.public_key(), "message", signature));
  }
  const auto signature = key.sign("").value();
  CHECK(p256_verify(key.public_key(), "", signature));
  CHECK_FALSE(p256_verify(p256_key::generate().value().public_key(), "", signature));
  auto bent = signature;
  bent[40] = static_cast<char>(bent[40] ^ 1);
  CHECK_FALSE(p256_verify(key.public_key(), "", bent));
}

TEST_CASE("two P-256 keys agree on one secret from either side") {
  const auto one = p256_key::generate().value();
  const auto other = p256_key::from_bytes(*from_hex(rfc_scalar)).value();
  REQUIRE(one.agree(other.public_key()));
  CHECK(one.agree(other.public_key()) == other.agree(one.public_key()));
  CHECK(one.public_key() != p256_key::generate().value().public_key());
}

TEST_CASE("a point that is not on the curve is no P-256 key to agree with") {
  const auto key = p256_key::generate().value();
  auto bent = key.public_key();
  bent.back() = static_cast<char>(bent.back() ^ 1);
  CHECK(is_p256_public_key(key.public_key()));
  for (const auto& bytes : {bent, std::string{}, std::string(1, '\0'), key.public_key().substr(1),
                            "\2" + key.public_key().substr(1, 32), key.public_key() + "x"}) {
    CHECK_FALSE(is_p256_public_key(bytes));
    CHECK_FALSE(key.agree(bytes));
  }
}

TEST_CASE("Wycheproof: ECDSA on P-256 with SHA-256, as r and s and in DER") {
  testing::each_case("ecdsa_secp256r1_sha256_p1363_test", [](const auto& group, const auto& test) {
    CHECK(p256_verify(public_key_of(group), testing::bytes_of(test, "msg"), testing::bytes_of(test, "sig"))
          == (test.at("result") == "valid"));
  });
  testing::each_case("ecdsa_secp256r1_sha256_test", [](const auto& group, const auto& test) {
    CHECK(
        p256_verify_der(public_key_of(group), testing::bytes_of(test, "msg"), testing::bytes_of(test, "sig"))
        == (test.at("result") == "valid"));
  });
}

TEST_CASE("Wycheproof: ECDH on P-256 with uncompressed points") {
  testing::each_case("ecdh_secp256r1_ecpoint_test", [](const auto&, const auto& test) {
    const auto key = p256_key::from_bytes(scalar_of(test.at("private")));
    REQUIRE(key);
    const auto agreed = key->agree(testing::bytes_of(test, "public"));
    const auto compressed = testing::bytes_of(test, "public").size() == 33; // we take none
    CHECK(agreed.has_value() == (test.at("result") == "valid" && !compressed));
    CHECK((!agreed || *agreed == testing::bytes_of(test, "shared")));
  });
}
