#include "api/entity_tag.hpp"

#include <catch2/catch.hpp>

namespace sluice::api {
namespace {

TEST_CASE("an entity tag holds a version, and what is no tag of ours holds none") {
  CHECK(entity_tag(17) == "\"17\"");
  CHECK(read_entity_tag(entity_tag(17)) == 17);
  CHECK(read_entity_tag(entity_tag(9'223'372'036'854'775'807)) == 9'223'372'036'854'775'807);
  for (const auto* text : {"", "\"", "\"\"", "17", "\"17", "17\"", "\"1 7\"", "\"17\", \"18\"", "W/\"17\"",
                           "*", "\"x\"", "\"9223372036854775808\""}) {
    INFO(text);
    CHECK_FALSE(read_entity_tag(text));
  }
}

} // namespace
} // namespace sluice::api
