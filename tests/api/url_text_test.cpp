#include "api/url_text.hpp"

#include <catch2/catch.hpp>

namespace sluice::api {
namespace {

TEST_CASE("a request target is taken apart and decoded") {
  const auto target = split_target("/a%20b/c?external_id=x+y%2Bz&external_id=last&flag");
  REQUIRE(target);
  CHECK(target->segments == std::vector<std::string>{"a b", "c"});
  CHECK(target->query.at("external_id") == "last");
  CHECK(target->query.at("flag").empty());
  CHECK(split_target("/a?q=x+y%2Bz")->query.at("q") == "x y+z");
  CHECK(split_target("/")->segments.empty());
  CHECK_FALSE(split_target("a"));
  CHECK_FALSE(split_target("/%zz"));
  CHECK_FALSE(split_target("/a?x=%1"));
  CHECK_FALSE(split_target("//a"));
}

TEST_CASE("what is encoded is decoded to the same, whatever bytes it has") {
  std::string all;
  for (int byte = 1; byte < 256; ++byte)
    all += static_cast<char>(byte);
  CHECK(percent_encode("a/b c?&%") == "a%2Fb%20c%3F%26%25");
  CHECK(split_target("/" + percent_encode(all) + "?q=" + percent_encode(all))->segments.front() == all);
  CHECK(split_target("/x?q=" + percent_encode(all))->query.at("q") == all);
}

} // namespace
} // namespace sluice::api
