#include "crypto/rsa_public_key.hpp"
#include "tests/certificates.hpp"
#include "wycheproof.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace sluice::crypto;

namespace {

std::string public_pem(const tests::key_pair& key) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> out{BIO_new(BIO_s_mem()), BIO_free};
  tests::must(PEM_write_bio_PUBKEY(out.get(), key.get()) == 1);
  char* data = nullptr;
  const auto size = BIO_get_mem_data(out.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

} // namespace

TEST_CASE("Wycheproof: RSA signatures by PKCS #1 version 1.5 with SHA-256") {
  testing::each_case("rsa_signature_2048_sha256_test", [](const auto& group, const auto& test) {
    const auto key = rsa_public_key::from_pem(group.at("publicKeyPem").template get<std::string>());
    REQUIRE(key);
    const bool good =
        key->verify(signature_digest::sha256, testing::bytes_of(test, "msg"), testing::bytes_of(test, "sig"));
    if (test.at("result") == "acceptable") // a NULL that is missing in the padding: both answers are allowed
      return;
    CHECK(good == (test.at("result") == "valid"));
  });
}

TEST_CASE("only an RSA key of a usual size is read") {
  const auto good = tests::make_rsa_key();
  CHECK(rsa_public_key::from_pem(public_pem(good)));
  CHECK_FALSE(rsa_public_key::from_pem(public_pem(tests::make_rsa_key(1024))));
  CHECK_FALSE(rsa_public_key::from_pem(public_pem(tests::make_p256_key())));
  CHECK_FALSE(rsa_public_key::from_pem(""));
  CHECK_FALSE(rsa_public_key::from_pem("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"));
  CHECK_FALSE(rsa_public_key::from_pem(std::string(20'000, ' ') + public_pem(good)));
  CHECK_FALSE(rsa_public_key::from_handle(nullptr));
}
