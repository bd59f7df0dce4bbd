#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "crypto/fingerprint.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <vector>

using namespace sluice::crypto;

namespace {

key_ring ring_of(std::vector<named_key> keys) {
  auto ring = key_ring::read(keys);
  REQUIRE(ring);
  return *ring;
}

const named_key first{"f1", std::string(64, '1')};
const named_key second{"f2", std::string(64, '2')};

} // namespace

TEST_CASE("a fingerprint is the HMAC of kind and value, with the name of its key") {
  const auto made = fingerprint(ring_of({first}), "email", "jane@example.com");
  const auto expected = hmac_sha256(std::string(32, '\x11'), "5:emailjane@example.com");
  CHECK(made == "f1.f1." + to_base64url(as_bytes(expected)));
  CHECK(made->find("jane") == std::string::npos);
}

TEST_CASE("the same value has one fingerprint, and another value, kind or key another") {
  const auto keys = ring_of({first});
  CHECK(fingerprint(keys, "email", "a@b.example") == fingerprint(keys, "email", "a@b.example"));
  const std::set<std::string> all{
      *fingerprint(keys, "email", "a@b.example"), *fingerprint(keys, "email", "A@b.example"),
      *fingerprint(keys, "other", "a@b.example"), *fingerprint(keys, "emaila", "@b.example"),
      *fingerprint(keys, "", "emaila@b.example"), *fingerprint(ring_of({second}), "email", "a@b.example")};
  CHECK(all.size() == 6);
}

TEST_CASE("a value is found by every key of the ring, and new fingerprints are the first key's") {
  const auto old = *fingerprint(ring_of({first}), "phone", "+442079460958");
  const auto rotated = ring_of({second, first});
  const auto all = fingerprints(rotated, "phone", "+442079460958");
  REQUIRE(all.size() == 2);
  CHECK(all[0] == fingerprint(rotated, "phone", "+442079460958"));
  CHECK(all[1] == old);
  CHECK(needs_new_fingerprint(rotated, old));
  CHECK_FALSE(needs_new_fingerprint(rotated, all[0]));
  for (const char* text : {"", "f1.", "v1.f2.AAAA", "f1.f22.AAAA"})
    CHECK(needs_new_fingerprint(rotated, text));
}

TEST_CASE("without a key there is no fingerprint") {
  CHECK_FALSE(fingerprint({}, "email", "a@b.example"));
  CHECK(fingerprints({}, "email", "a@b.example").empty());
  CHECK_FALSE(needs_new_fingerprint({}, "f1.f1.AAAA"));
}

TEST_CASE("a key that seals and makes fingerprints is found, whatever it is called") {
  const named_key same{"other", first.text};
  CHECK(shares_a_key(ring_of({second, first}), ring_of({same})) == "other");
  CHECK_FALSE(shares_a_key(ring_of({first}), ring_of({second})));
  CHECK_FALSE(shares_a_key({}, ring_of({first})));
}
