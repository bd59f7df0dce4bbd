#include "crypto/aes_128_gcm.hpp"
#include "crypto/encoding.hpp"
#include "wycheproof.hpp"

#include <catch2/catch.hpp>

#include <iostream>
#include <string>

using namespace sluice::crypto;

TEST_CASE("AES-128-GCM gives the ciphertexts and tags of the GCM specification's test cases 1, 2 and 4") {
  const std::string zeros(16, '\0');
  CHECK(to_hex(aes_128_gcm_seal(zeros, zeros.substr(4), "").value()) == "58e2fccefa7e3061367f1d57a4e7455a");
  CHECK(to_hex(aes_128_gcm_seal(zeros, zeros.substr(4), zeros).value())
        == "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf");
  const auto plain = *from_hex("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                               "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39");
  CHECK(to_hex(aes_128_gcm_seal(*from_hex("feffe9928665731c6d6a8f9467308308"),
                                *from_hex("cafebabefacedbaddecaf888"), plain,
                                *from_hex("feedfacedeadbeeffeedfacedeadbeefabaddad2"))
                   .value())
        == "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05"
           "1ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47");
}

TEST_CASE("what AES-128-GCM sealed opens with the same key, nonce and associated data alone") {
  const std::string key(16, 'k');
  const std::string nonce(12, 'n');
  const auto sealed = aes_128_gcm_seal(key, nonce, "plain", "place").value();
  CHECK(sealed.size() == 5 + aes_128_gcm_tag_size);
  CHECK(aes_128_gcm_open(key, nonce, sealed, "place") == "plain");
  CHECK_FALSE(aes_128_gcm_open(std::string(16, 'l'), nonce, sealed, "place"));
  CHECK_FALSE(aes_128_gcm_open(key, std::string(12, 'm'), sealed, "place"));
  CHECK_FALSE(aes_128_gcm_open(key, nonce, sealed, "elsewhere"));
  CHECK_FALSE(aes_128_gcm_open(key, nonce, sealed));
  for (std::size_t at = 0; at < sealed.size(); ++at) {
    auto bent = sealed;
    bent[at] = static_cast<char>(bent[at] ^ 1);
    CHECK_FALSE(aes_128_gcm_open(key, nonce, bent, "place"));
    CHECK_FALSE(aes_128_gcm_open(key, nonce, sealed.substr(0, at), "place"));
  }
}

TEST_CASE("a key or nonce of another size seals and opens nothing") {
  const std::string key(16, 'k');
  const std::string nonce(12, 'n');
  const auto sealed = aes_128_gcm_seal(key, nonce, "plain").value();
  for (const std::size_t size : {0U, 15U, 17U, 32U}) {
    CHECK_FALSE(aes_128_gcm_seal(std::string(size, 'k'), nonce, "plain"));
    CHECK_FALSE(aes_128_gcm_open(std::string(size, 'k'), nonce, sealed));
    CHECK_FALSE(aes_128_gcm_seal(key, std::string(size, 'n'), "plain"));
    CHECK_FALSE(aes_128_gcm_open(key, std::string(size, 'n'), sealed));
  }
}

TEST_CASE("Wycheproof: AES-128-GCM with nonces of 96 bits, and no other ones") {
  std::size_t ours = 0;
  testing::each_case("aes_gcm_test", [&](const auto& group, const auto& test) {
    const bool fits = group.at("keySize") == 128 && group.at("ivSize") == 96;
    ours += fits ? 1U : 0U;
    const auto key = testing::bytes_of(test, "key");
    const auto nonce = testing::bytes_of(test, "iv");
    const auto plain = testing::bytes_of(test, "msg");
    const auto associated = testing::bytes_of(test, "aad");
    const auto sealed = testing::bytes_of(test, "ct") + testing::bytes_of(test, "tag");
    const bool good = fits && test.at("result") == "valid";
    CHECK(aes_128_gcm_open(key, nonce, sealed, associated) == (good ? std::optional{plain} : std::nullopt));
    CHECK((aes_128_gcm_seal(key, nonce, plain, associated) == sealed) == good);
  });
  std::cout << "aes_gcm_test: " << ours << " of the cases have our sizes of key and nonce\n";
}
