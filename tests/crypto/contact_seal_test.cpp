#include "crypto/contact_seal.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace sluice::crypto;

namespace {

key_ring ring_of(std::vector<named_key> keys) {
  auto ring = key_ring::read(keys);
  REQUIRE(ring);
  return *ring;
}

const named_key first{"k1", std::string(64, '1')};
const named_key second{"k2", std::string(64, '2')};

} // namespace

TEST_CASE("an address opens for the tenant and the contact point it was sealed for, and for no other") {
  const auto keys = ring_of({first});
  const auto sealed = seal_contact(keys, "jane@example.com", "acme", "c-1");
  REQUIRE(sealed);
  CHECK(sealed->find("jane") == std::string::npos);
  CHECK(open_contact(keys, *sealed, "acme", "c-1") == "jane@example.com");
  for (const auto& [tenant, id] :
       {std::pair{"acme", "c-2"}, {"other", "c-1"}, {"acm", "ec-1"}, {"acmec", "-1"}, {"", "acmec-1"}})
    CHECK(open_contact(keys, *sealed, tenant, id).error() == seal_error::not_authentic);
  CHECK(open(keys, *sealed, "").error() == seal_error::not_authentic);
}

TEST_CASE("an address that was sealed with an older key still opens, and needs to be sealed anew") {
  const auto old = ring_of({first});
  const auto sealed = *seal_contact(old, "jane@example.com", "acme", "c-1");
  CHECK_FALSE(needs_resealing(old, sealed));

  const auto rotated = ring_of({second, first});
  CHECK(open_contact(rotated, sealed, "acme", "c-1") == "jane@example.com");
  CHECK(needs_resealing(rotated, sealed));
  const auto anew = *seal_contact(rotated, "jane@example.com", "acme", "c-1");
  CHECK_FALSE(needs_resealing(rotated, anew));
  CHECK(open_contact(ring_of({second}), anew, "acme", "c-1") == "jane@example.com");
  CHECK(open_contact(ring_of({second}), sealed, "acme", "c-1").error() == seal_error::unknown_key);
}

TEST_CASE("what is no sealed value needs sealing, unless there is no key to seal with") {
  const auto keys = ring_of({first});
  for (const char* text : {"", "jane@example.com", "v1.", "v2.k1.AAAA", "v1.k11.AAAA"})
    CHECK(needs_resealing(keys, text));
  CHECK_FALSE(needs_resealing({}, "jane@example.com"));
}
