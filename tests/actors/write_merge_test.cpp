#include "actors/write_merge.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using sluice::actors::merge;
namespace m = sluice::messages;

namespace {

m::record_outcomes outcomes(std::size_t rows, core::run_id run = {1}) {
  m::record_outcomes made;
  made.run = run;
  made.rows.resize(rows);
  made.counts.created = static_cast<std::int64_t>(rows);
  return made;
}

core::backfill_step step(std::int64_t generation, std::int64_t to) {
  core::backfill_step made;
  made.until = core::from_us(1000);
  made.generation = generation;
  made.to = core::position{core::from_us(to), {}};
  return made;
}

} // namespace

TEST_CASE("outcomes of one run become one write, in their order and with all counts") {
  auto into = outcomes(2);
  auto more = outcomes(3);
  into.rows[1].source_id = "b";
  more.rows[0].source_id = "c";
  more.intents_done = {core::record_id{5}};
  into.known_delta = 2;
  more.known_delta = -3;
  into.withdrawn = 1;
  more.withdrawn = 4;
  REQUIRE(merge(into, more));
  CHECK(into.rows.size() == 5);
  CHECK(into.rows[1].source_id == "b");
  CHECK(into.rows[2].source_id == "c");
  CHECK(into.counts.created == 5);
  CHECK(into.known_delta == -1);
  CHECK(into.withdrawn == 5);
  CHECK(into.intents_done == std::vector{core::record_id{5}});
}

TEST_CASE("the later cursor counts, and a backfill once finished stays finished") {
  auto into = outcomes(1);
  auto more = outcomes(1);
  into.cursor.delta = core::position{core::from_us(1), {}};
  into.cursor.backfill = step(1, 10);
  into.cursor.backfill->finished = true;
  more.cursor.delta = core::position{core::from_us(2), {}};
  more.cursor.backfill = step(1, 20);
  REQUIRE(merge(into, more));
  CHECK(into.cursor.delta->changed_at == core::from_us(2));
  CHECK(into.cursor.backfill->to->changed_at == core::from_us(20));
  CHECK(into.cursor.backfill->finished);
}

TEST_CASE("what cannot be one write is left as it was") {
  auto into = outcomes(600);
  SECTION("another run") {
    auto more = outcomes(1, {2});
    CHECK_FALSE(merge(into, more));
    CHECK(more.rows.size() == 1);
  }
  SECTION("another backfill") {
    auto more = outcomes(1);
    into.cursor.backfill = step(1, 10);
    more.cursor.backfill = step(2, 20);
    CHECK_FALSE(merge(into, more));
  }
  SECTION("too many rows") {
    auto more = outcomes(600);
    CHECK_FALSE(merge(into, more));
    CHECK(into.rows.size() == 600);
  }
}
