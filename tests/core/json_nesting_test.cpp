#include "core/json_nesting.hpp"

#include <catch2/catch.hpp>

#include <string>

using sluice::core::nests_deeper;

TEST_CASE("a text nests as deep as the brackets it has open at once") {
  CHECK_FALSE(nests_deeper("", 0));
  CHECK_FALSE(nests_deeper(R"({"a":[1,2]})", 2));
  CHECK(nests_deeper(R"({"a":[1,2]})", 1));
  CHECK_FALSE(nests_deeper("[][][]{}{}", 1));
  CHECK_FALSE(nests_deeper(std::string(64, '['), 64));
  CHECK(nests_deeper(std::string(65, '['), 64));
}

TEST_CASE("brackets within strings count for nothing, whatever is escaped there") {
  CHECK_FALSE(nests_deeper(R"(["[[[[", "\"[[[["])", 1));
  CHECK(nests_deeper(R"(["\\",[[]]])", 2));
  CHECK_FALSE(nests_deeper(R"("\)", 0));
}

TEST_CASE("brackets that close what was never opened hide none that are opened") {
  CHECK(nests_deeper("]]]]}}}[[[", 2));
}
