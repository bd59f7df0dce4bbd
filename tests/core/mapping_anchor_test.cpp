#include "core/mapping.hpp"

#include <catch2/catch.hpp>

namespace sluice::core {
namespace {

mirror_record child_with(std::string_view payload) {
  mirror_record record;
  record.source_id = "c-\"1\"";
  record.payload = payload;
  return record;
}

mapping compiled(std::string_view json) {
  auto made = mapping::compile(json);
  INFO((made ? std::string{} : made.error().front()));
  REQUIRE(made);
  return *std::move(made);
}

TEST_CASE("a field takes the id its parent has in the target, alone or in a template") {
  auto map = compiled(R"({"/customer/id": {"anchor": "customers"}, "n": {"anchor": "customers",
    "transform": "as_number"}, "key": {"template": "{anchor}/{source_id}"}, "plain": "/a"})");
  REQUIRE(map.anchors().size() == 3);
  CHECK(map.anchors()[0].field == "/customer/id");
  CHECK(map.anchors()[0].domain == "customers");
  CHECK(map.anchors()[2].domain.empty());
  std::string out;
  REQUIRE(map.project(child_with(R"({"a": 1})"), out, "77"));
  CHECK(out == R"({"customer":{"id":"77"},"n":77,"key":"77/c-\"1\"","plain":1})");
}

TEST_CASE("a field that takes the parent's id is an error while it is not known, whatever its options") {
  for (const std::string_view field :
       {R"({"anchor": "customers"})", R"({"anchor": "customers", "default": "none"})",
        R"({"template": "x{anchor}"})"}) {
    INFO(field);
    std::string out;
    const auto fault = compiled(R"({"parent": )" + std::string{field} + "}").project(child_with("{}"), out);
    REQUIRE_FALSE(fault);
    CHECK(fault.error().field == "parent");
    CHECK(fault.error().what == "the record's parent has no id in the target yet");
  }
  CHECK(compiled(R"({"a": "/a"})").anchors().empty());
  for (const std::string_view field :
       {R"({"anchor": ""})", R"({"anchor": 1})", R"({"anchor": "a", "from": "/b"})"}) {
    INFO(field);
    CHECK_FALSE(mapping::compile(R"({"parent": )" + std::string{field} + "}"));
  }
}

} // namespace
} // namespace sluice::core
