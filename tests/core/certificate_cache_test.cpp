#include "core/certificate_cache.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice;
using namespace std::chrono_literals;
using standing = core::certificate_cache::standing;

TEST_CASE("a certificate is held for its time and is to be fetched afterwards") {
  core::certificate_cache cache{{.entries_max = 4, .held_for = 1h, .failed_for = 10s}};
  CHECK(cache.find("a", 0s) == standing::unknown);
  cache.keep("a", "pem", 0s);
  CHECK(cache.find("a", 59min) == standing::held);
  CHECK(cache.text("a", 59min) == "pem");
  CHECK(cache.find("a", 1h) == standing::unknown);
  CHECK_FALSE(cache.text("a", 1h));
}

TEST_CASE("a fetch that came to nothing is not made again for a while") {
  core::certificate_cache cache{{.entries_max = 4, .held_for = 1h, .failed_for = 10s}};
  cache.fail("a", standing::missing, 0s);
  cache.fail("b", standing::unreachable, 0s);
  CHECK(cache.find("a", 9s) == standing::missing);
  CHECK(cache.find("b", 9s) == standing::unreachable);
  CHECK_FALSE(cache.text("a", 9s));
  CHECK(cache.find("a", 10s) == standing::unknown);
}

TEST_CASE("however many are named, so many are kept, and one that proved a callback genuine is not pushed "
          "out") {
  core::certificate_cache cache{{.entries_max = 3, .held_for = 1h, .failed_for = 10s}};
  cache.keep("genuine", "pem", 0s);
  cache.prove("genuine", 1s);
  for (int i = 0; i < 100; ++i) {
    cache.keep("forged " + std::to_string(i), "pem", 2s);
    cache.fail("missing " + std::to_string(i), standing::missing, 2s);
  }
  CHECK(cache.size() == 3);
  CHECK(cache.text("genuine", 3s) == "pem");
}

TEST_CASE("where all have proven something, the one that did so longest ago goes") {
  core::certificate_cache cache{{.entries_max = 2, .held_for = 1h, .failed_for = 10s}};
  cache.keep("a", "pem", 0s);
  cache.keep("b", "pem", 0s);
  cache.prove("a", 3s);
  cache.prove("b", 2s);
  cache.keep("c", "pem", 4s);
  CHECK(cache.find("a", 5s) == standing::held);
  CHECK(cache.find("b", 5s) == standing::unknown);
  CHECK(cache.find("c", 5s) == standing::held);
}

TEST_CASE("what is kept again under its URL pushes nothing out") {
  core::certificate_cache cache{{.entries_max = 2, .held_for = 1h, .failed_for = 10s}};
  cache.keep("a", "old", 0s);
  cache.keep("b", "pem", 0s);
  cache.keep("a", "new", 1s);
  CHECK(cache.text("a", 2s) == "new");
  CHECK(cache.text("b", 2s) == "pem");
}
