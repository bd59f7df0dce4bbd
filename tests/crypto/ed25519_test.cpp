#include "crypto/ed25519.hpp"
#include "crypto/encoding.hpp"
#include "wycheproof.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice::crypto;

TEST_CASE("Ed25519 gives the keys and signatures of RFC 8032 section 7.1") {
  struct row {
    std::string seed, public_key, message, signature;
  };
  const auto [seed, public_key, message, signature] = GENERATE(values<row>({
      {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
       "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
       "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
       "d25bf5f0595bbe24655141438e7a100b"},
      {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
       "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
       "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
       "387b2eaeb4302aeeb00d291612bb0c00"},
  }));
  CHECK(to_hex(*ed25519_public_key(*from_hex(seed))) == public_key);
  CHECK(to_hex(*ed25519_sign(*from_hex(seed), *from_hex(message))) == signature);
  CHECK(ed25519_verify(*from_hex(public_key), *from_hex(message), *from_hex(signature)));
}

TEST_CASE("a signature is good for its key and its bytes alone") {
  const std::string seed(32, 's');
  const auto key = *ed25519_public_key(seed);
  const auto signature = *ed25519_sign(seed, "message");
  CHECK(ed25519_verify(key, "message", signature));
  CHECK_FALSE(ed25519_verify(key, "messagE", signature));
  CHECK_FALSE(ed25519_verify(*ed25519_public_key(std::string(32, 't')), "message", signature));
  auto bent = signature;
  bent[5] = static_cast<char>(bent[5] ^ 1);
  CHECK_FALSE(ed25519_verify(key, "message", bent));
}

TEST_CASE("a key or signature of another size is none") {
  CHECK_FALSE(ed25519_public_key(std::string(31, 's')));
  CHECK_FALSE(ed25519_public_key(""));
  CHECK_FALSE(ed25519_sign(std::string(64, 's'), "message"));
  const std::string seed(32, 's');
  const auto signature = *ed25519_sign(seed, "m");
  CHECK_FALSE(ed25519_verify("", "m", signature));
  CHECK_FALSE(ed25519_verify(*ed25519_public_key(seed), "m", signature.substr(1)));
  CHECK_FALSE(ed25519_verify(*ed25519_public_key(seed), "m", ""));
}

TEST_CASE("Wycheproof: Ed25519") {
  testing::each_case("ed25519_test", [](const auto& group, const auto& test) {
    CHECK(ed25519_verify(testing::bytes_of(group.at("publicKey"), "pk"), testing::bytes_of(test, "msg"),
                         testing::bytes_of(test, "sig"))
          == (test.at("result") == "valid"));
  });
}
