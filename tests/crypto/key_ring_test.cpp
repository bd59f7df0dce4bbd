#include "crypto/encoding.hpp"
#include "crypto/key_ring.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace sluice::crypto;

namespace {

const std::string bytes = "0123456789abcdef0123456789ABCDEF";

[[nodiscard]] std::string_view bytes_of(const secret_key& key) {
  return {reinterpret_cast<const char*>(key.data()), secret_key::size};
}

[[nodiscard]] std::string error_of(const std::vector<named_key>& keys) {
  const auto ring = key_ring::read(keys);
  return ring ? std::string{} : ring.error();
}

} // namespace

TEST_CASE("the first key seals and every key is found by its name") {
  const std::vector<named_key> keys{{"new", to_hex(bytes)}, {"2024_old-1", to_base64(std::string(32, 'o'))}};
  const auto ring = key_ring::read(keys);
  REQUIRE(ring);
  REQUIRE(ring->sealing_key() != nullptr);
  CHECK(ring->sealing_key()->name() == "new");
  CHECK(bytes_of(*ring->sealing_key()) == bytes);
  REQUIRE(ring->find("2024_old-1") != nullptr);
  CHECK(bytes_of(*ring->find("2024_old-1")) == std::string(32, 'o'));
  CHECK(ring->find("other") == nullptr);
  CHECK_FALSE(ring->empty());
}

TEST_CASE("a ring without keys neither seals nor finds") {
  const key_ring ring;
  CHECK(ring.empty());
  CHECK(ring.sealing_key() == nullptr);
  CHECK(ring.find("") == nullptr);
  CHECK(error_of({}) == "At least one key is needed.");
}

TEST_CASE("a key that is not 32 bytes is refused by name and never shown") {
  const std::string short_key(31, 'q');
  for (const std::string& text : {std::string{}, to_base64(short_key), to_hex(short_key),
                                  to_base64(short_key + "qq"), to_hex(short_key + "qq"), std::string(64, 'q'),
                                  std::string(44, '!'), to_base64url(short_key + "q")}) {
    const std::string error = error_of({{"main", text}});
    INFO(error);
    CHECK(error.find("\"main\"") != std::string::npos);
    if (!text.empty())
      CHECK(error.find(text.substr(0, 12)) == std::string::npos);
  }
}

TEST_CASE("a name that is none is refused and not shown, for it may be a key in the wrong place") {
  for (const std::string& name :
       {std::string{}, std::string{"a.b"}, std::string{"a b"}, std::string(33, 'n'), to_hex(bytes)}) {
    const std::string error = error_of({{"good", to_hex(bytes)}, {name, to_hex(bytes)}});
    CHECK(error == "The name of key 2 must be 1 to 32 letters, digits, '-' or '_'.");
  }
}

TEST_CASE("a name used twice is refused") {
  CHECK(error_of({{"a", to_hex(bytes)}, {"a", to_hex(bytes)}}) == "The key name \"a\" is used twice.");
}
