#include "crypto/encoding.hpp"
#include "crypto/rsa_private_key.hpp"
#include "tests/rsa_example.hpp"

#include <catch2/catch.hpp>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <memory>
#include <string>

using namespace sluice;
using crypto::rsa_private_key;

namespace {

using key_pair = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

key_pair rsa_key(unsigned bits) {
  key_pair made{EVP_RSA_gen(bits), EVP_PKEY_free};
  REQUIRE(made);
  return made;
}

enum class form { pkcs8, pkcs1, encrypted };

std::string pem_of(const key_pair& key, form form) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> out{BIO_new(BIO_s_mem()), BIO_free};
  const std::string password = "secret";
  const auto* word = reinterpret_cast<const unsigned char*>(password.data());
  const auto size = static_cast<int>(password.size());
  if (form == form::pkcs1)
    REQUIRE(
        PEM_write_bio_PrivateKey_traditional(out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr));
  else if (form == form::pkcs8)
    REQUIRE(PEM_write_bio_PrivateKey(out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr));
  else
    REQUIRE(PEM_write_bio_PrivateKey(out.get(), key.get(), EVP_aes_256_cbc(), word, size, nullptr, nullptr));
  char* data = nullptr;
  const auto length = BIO_get_mem_data(out.get(), &data);
  return {data, static_cast<std::size_t>(length)};
}

bool verifies(const key_pair& key, const std::string& bytes, const std::string& signature) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
  REQUIRE(EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1);
  return EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()),
                          signature.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                          bytes.size())
         == 1;
}

} // namespace

TEST_CASE("an RSA key signs as RFC 7515 appendix A.2 says") {
  const auto key = rsa_private_key::from_pem(tests::rsa_example_key);
  REQUIRE(key);
  const auto signature = key->sign_sha256(tests::rsa_example_input);
  REQUIRE(signature);
  CHECK(crypto::to_base64url(*signature) == tests::rsa_example_signature);
}

TEST_CASE("a key in PKCS#8 and the same key in PKCS#1 give the signature OpenSSL verifies") {
  const auto pair = rsa_key(3072);
  for (const auto form : {form::pkcs8, form::pkcs1}) {
    const auto key = rsa_private_key::from_pem(pem_of(pair, form));
    REQUIRE(key);
    for (const auto& bytes : {std::string{}, std::string{"\0\xff", 2}, std::string(100'000, 'x')}) {
      const auto signature = key->sign_sha256(bytes);
      REQUIRE(signature);
      CHECK(signature->size() == 384);
      CHECK(verifies(pair, bytes, *signature));
      CHECK_FALSE(verifies(pair, bytes + " ", *signature));
    }
  }
}

TEST_CASE("what is no RSA key of a usual size, not encrypted, is none") {
  CHECK_FALSE(rsa_private_key::from_pem(""));
  CHECK_FALSE(rsa_private_key::from_pem("no key"));
  CHECK_FALSE(rsa_private_key::from_pem(tests::rsa_example_key.substr(0, 400)));
  CHECK_FALSE(rsa_private_key::from_pem(std::string(20'000, ' ') + tests::rsa_example_key));
  CHECK_FALSE(rsa_private_key::from_pem(pem_of(rsa_key(1024), form::pkcs8)));
  CHECK_FALSE(rsa_private_key::from_pem(pem_of({EVP_EC_gen("P-256"), EVP_PKEY_free}, form::pkcs8)));
  CHECK_FALSE(rsa_private_key::from_pem(pem_of(rsa_key(2048), form::encrypted))); // and asks nobody
}
