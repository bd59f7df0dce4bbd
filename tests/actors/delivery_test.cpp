#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using tests::catch_world;

TEST_CASE("three records of a source become three objects at the target") {
  catch_world w;
  w.add_rule();
  w.put_records(3);

  w.settle();

  auto& crm = w.target();
  CHECK(crm.objects().size() == 3);
  CHECK(crm.count("POST") == 3);
  for (const auto* id : {"c-1", "c-2", "c-3"}) {
    CHECK(w.status(id) == "delivered");
    CHECK(crm.object_of(id));
  }
  REQUIRE(w.runs().size() == 1);
  CHECK(w.runs().front().ending == core::run_ending::completed);
  CHECK(w.runs().front().counts.created == 3);
  CHECK(w.intents().empty());
}
