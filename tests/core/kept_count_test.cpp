#include "core/kept_count.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;
using namespace std::chrono_literals;

TEST_CASE("a cheap count is taken anew for whoever asks") {
  CHECK(use_of({1ms, 19ms}) == count_use::await);
  CHECK(use_of({0ms, 0ms}) == count_use::await);
}

TEST_CASE("a dear count is told again, and taken anew for at most a tenth of the time") {
  CHECK(use_of({0ms, 300ms}) == count_use::tell);
  CHECK(use_of({2999ms, 300ms}) == count_use::tell);
  CHECK(use_of({3000ms, 300ms}) == count_use::tell_and_renew);
}

TEST_CASE("an old count is not told, however dear a new one is") {
  CHECK(use_of({30s, 20s}) == count_use::tell);
  CHECK(use_of({30s + 1us, 20s}) == count_use::await);
}
