#include "core/custom_header.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;

TEST_CASE("a header is masked when it was said to be secret or its name carries credentials in any case") {
  const auto shown = masked({{"X-Team", "blue"},
                             {"X-Key", "k1", true},
                             {"AUTHORIZATION", "Bearer k2"},
                             {"cookie", "k3"},
                             {"x-Api-Key", "k4"}});
  REQUIRE(shown.size() == 5);
  CHECK(shown[0] == custom_header{"X-Team", "blue", false});
  for (std::size_t index = 1; index < shown.size(); ++index) {
    CAPTURE(shown[index].name);
    CHECK(shown[index].value == masked_value);
    CHECK(shown[index].secret);
  }
}

TEST_CASE("headers that a push may have with it have no fault") {
  CHECK(custom_header_faults({}).empty());
  CHECK(
      custom_header_faults({{"X-Team", "blue"}, {"Authorization", "Basic Zm9vOmJhcg=="}, {"User-Agent", ""}})
          .empty());
  CHECK(custom_header_faults({{"X-Long", std::string(custom_header_bytes_max, 'x')}}).empty());
}

TEST_CASE("a header that could break or forge a push is refused") {
  for (const std::string name :
       {"", "X Y", "X:Y", "X\r\nY", "Host", "content-LENGTH", "Transfer-Encoding", "connection", "expect",
        "TE", "Webhook-Id", "webhook-signature", "WEBHOOK-anything", "Content-Type", "content-encoding"}) {
    CAPTURE(name);
    CHECK(custom_header_faults({{name, "v"}}).size() == 1);
  }
  for (const std::string& value : {std::string{"a\r\nX: y"}, std::string{"a\0b", 3}, std::string{"\xc3\xa4"},
                                   std::string{"a\tb"}, std::string(custom_header_bytes_max + 1, 'x')}) {
    const auto faults = custom_header_faults({{"X-Secret-Thing", value}});
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].find(value) == std::string::npos);
  }
}

TEST_CASE("a header named twice, in whatever case, and a list that is too long are refused") {
  const auto faults = custom_header_faults({{"X-Team", "a"}, {"x-TEAM", "b"}});
  CHECK(faults == std::vector<std::string>{"\"x-TEAM\" is named twice"});
  CHECK(custom_header_faults(std::vector<custom_header>(custom_headers_max + 1, {"X", "y"})).size() == 1);
}
