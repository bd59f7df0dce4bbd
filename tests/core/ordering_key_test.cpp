#include "core/ordering_key.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;

namespace {

std::optional<std::string> key_of(std::string_view pointer, std::string_view body) {
  auto key = ordering_key::compile(pointer);
  REQUIRE(key);
  const auto found = key->of(body);
  REQUIRE(found);
  return *found;
}

} // namespace

TEST_CASE("events are ordered by the value at a pointer, a number by its digits") {
  CHECK(key_of("/id", R"({"id": "c-1"})") == "c-1");
  CHECK(key_of("/data/id", R"({"data": {"id": 1234567890123456789012345678901234567890}})")
        == "1234567890123456789012345678901234567890");
  CHECK(key_of("/id", R"({"id": ""})") == "");
  CHECK(key_of("/id", R"({"id": true})") == "true");
  CHECK(key_of("/tags/1", R"({"tags": ["a", "b"]})") == "b");
}

TEST_CASE("an event without the value has no key and waits for no other") {
  CHECK_FALSE(key_of("/id", R"({"id": null})"));
  CHECK_FALSE(key_of("/id", R"({"name": "x"})"));
  CHECK_FALSE(key_of("/id", "[]"));
}

TEST_CASE("a long key is cut, between two characters") {
  const std::string long_key(1000, 'k');
  CHECK(key_of("/id", R"({"id": ")" + long_key + "\"}") == std::string(ordering_key_bytes_max, 'k'));
  const auto cut = key_of("/id", R"({"id": "x)" + std::string(255, 'k').replace(254, 1, "\xc3\xa4") + "\"}");
  CHECK(cut == "x" + std::string(254, 'k'));
}

TEST_CASE("what is no pointer into a body is no key, and a body that cannot be read is an error") {
  for (const char* pointer : {"", "id", "/a~2"}) {
    CAPTURE(pointer);
    CHECK_FALSE(ordering_key::compile(pointer));
  }
  auto key = ordering_key::compile("/id");
  REQUIRE(key);
  CHECK_FALSE(key->of("{"));
  CHECK(key->of(R"({"id": 1})").value() == "1");
}
