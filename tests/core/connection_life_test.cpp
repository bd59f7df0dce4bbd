#include "core/connection_life.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;

TEST_CASE("a connection's host is that of its base_url, with the port and without credentials") {
  CHECK(host_of(R"({"base_url": "https://crm.example:8443/api?x=1"})") == "crm.example:8443");
  CHECK(host_of(R"({"base_url": "https://user:secret@crm.example"})") == "crm.example");
  CHECK(host_of(R"({"base_url": 7})").empty());
  CHECK(host_of("{}").empty());
  CHECK(host_of("no JSON").empty());
}
