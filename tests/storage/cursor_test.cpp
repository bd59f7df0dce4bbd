#include "storage/cursor.hpp"
#include "storage/rule_lifecycle.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using storage::cursor_move;

namespace {

constexpr core::record_id big_id{9007199254740993};

core::delivery_cursor cursor(delivery_world& world) {
  const auto found = must(storage::find_cursor(world.db(), world.rule.id));
  REQUIRE(found);
  return *found;
}

bool move(delivery_world& world, const cursor_move& step, core::timestamp now = at(50)) {
  return committed(world.db(),
                   [&](storage::session& db) { return storage::move_cursor(db, world.rule.id, step, now); });
}

std::vector<storage::touched_rule> consume(delivery_world& world) {
  return committed(world.db(), [](storage::session& db) { return storage::consume_markers(db); });
}

cursor_move backfill_move(const core::delivery_cursor& seen, std::optional<core::position> to,
                          bool finished = false) {
  cursor_move step;
  step.backfill = core::backfill_step{*seen.backfill_until, seen.backfill_generation, to, finished};
  return step;
}

} // namespace

TEST_CASE("a cursor is opened once and keeps every value") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto first = cursor(world);
  auto second = core::open_cursor(world.rule.id, at(100));
  CHECK(must(storage::open_cursor(world.db(), second)) == first);
  CHECK(cursor(world) == first);
  CHECK_FALSE(must(storage::find_cursor(world.db(), core::rule_id{9999})));
}

TEST_CASE("positions move forward by time, then by id, and never back") {
  delivery_world world(GENERATE(from_range(engines())));
  cursor_move step;
  step.delta = core::position{at(10.000001), big_id};
  step.pass_began_at = at(10);
  CHECK(move(world, step, at(51)));
  CHECK(cursor(world).delta == *step.delta);
  CHECK(cursor(world).previous_pass_at == at(10));
  CHECK(cursor(world).updated_at == at(51));
  for (const auto& older : {core::position{at(9), core::record_id{big_id.value + 5}},
                            core::position{at(10.000001), core::record_id{big_id.value - 1}}}) {
    cursor_move back;
    back.delta = older;
    back.pass_began_at = at(9);
    CHECK(move(world, back));
    CHECK(cursor(world).delta == *step.delta);
    CHECK(cursor(world).previous_pass_at == at(10));
  }
  step.delta = core::position{at(10.000001), core::record_id{big_id.value + 1}};
  CHECK(move(world, step));
  CHECK(cursor(world).delta == *step.delta);
}

TEST_CASE("what a move leaves out stays as it is, but for the heartbeat") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a"}, at(1));
  consume(world);
  auto before = cursor(world);
  CHECK(move(world, {}, at(77)));
  before.updated_at = at(77);
  CHECK(cursor(world) == before);
}

TEST_CASE("a backfill moves forward and ends in the generation the step had read") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto seen = cursor(world);
  REQUIRE(seen.backfill_until);
  CHECK(move(world, backfill_move(seen, core::position{at(-10), core::record_id{5}})));
  CHECK(move(world, backfill_move(seen, core::position{at(-20), core::record_id{9}})));
  CHECK(cursor(world).backfill == core::position{at(-10), core::record_id{5}});
  CHECK(move(world, backfill_move(seen, {}, true)));
  CHECK_FALSE(cursor(world).backfill_until);
  CHECK(cursor(world).backfill == core::position{at(-10), core::record_id{5}});
}

TEST_CASE("a backfill step of another generation or bound is dropped, the rest of its move is not") {
  delivery_world world(GENERATE(from_range(engines())));
  auto stale = cursor(world);
  const auto before = stale;
  SECTION("generation") {
    ++stale.backfill_generation;
  }
  SECTION("bound") {
    stale.backfill_until = *stale.backfill_until + core::duration{1};
  }
  auto step = backfill_move(stale, core::position{at(-10), core::record_id{5}}, true);
  step.delta = core::position{at(10), core::record_id{1}};
  CHECK_FALSE(move(world, step));
  CHECK(cursor(world).backfill_until == before.backfill_until);
  CHECK(cursor(world).backfill == before.backfill);
  CHECK(cursor(world).delta == *step.delta);
}

TEST_CASE("a backfill that has ended takes no further step") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto seen = cursor(world);
  CHECK(move(world, backfill_move(seen, {}, true)));
  CHECK_FALSE(move(world, backfill_move(seen, core::position{at(-1), core::record_id{1}})));
}

TEST_CASE("moving the cursor of a rule without one is refused") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto refused = storage::move_cursor(world.db(), core::rule_id{9999}, {}, at(1));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == storage::error::not_found);
}

TEST_CASE("markers raise the counters of the rules they name and lower where they scan again") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto second = world.add_rule({.name = "second", .target = "mailer"});
  const auto elsewhere = world.add_rule({.name = "elsewhere", .domain = "orders"});
  const auto before = cursor(world);
  CHECK_FALSE(must(storage::has_markers(world.db())));
  world.put({"a"}, at(20));
  world.put({"b"}, at(30));
  CHECK(must(storage::has_markers(world.db())));
  const auto touched = consume(world);
  REQUIRE(touched.size() == 2);
  CHECK(touched[0].rule == world.rule.id);
  CHECK(touched[1].rule == second.id);
  CHECK(touched[0].change_counter > before.change_counter);
  CHECK(cursor(world).change_counter == touched[0].change_counter);
  CHECK(cursor(world).rescan_from == at(20));
  CHECK_FALSE(must(storage::find_cursor(world.db(), elsewhere.id))->rescan_from);
  CHECK_FALSE(must(storage::has_markers(world.db())));
  CHECK(consume(world).empty());
  world.put({"c"}, at(40));
  CHECK(consume(world).size() == 2);
  CHECK(cursor(world).rescan_from == at(20));
}

TEST_CASE("a first delta does not read what its backfill is for, and other rules keep their markers") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a"}, at(20));
  const auto before = cursor(world);
  const auto second = world.add_rule({.name = "second", .target = "mailer"});
  consume(world);
  CHECK_FALSE(must(storage::find_cursor(world.db(), second.id))->rescan_from);
  CHECK(cursor(world).rescan_from == at(20));
  CHECK(cursor(world).change_counter > before.change_counter);

  const auto id = std::to_string(second.id.value);
  world.execute("DELETE FROM delivery_cursors WHERE rule_id = " + id);
  world.execute("UPDATE sync_rules SET active = 0 WHERE id = " + id);
  world.put({"b"}, at(30));
  static_cast<void>(committed(world.db(), [](storage::session& within) {
    return storage::switch_rule(within, "second", storage::rule_switch::on, at(40));
  }));
  world.put({"c"}, at(50));
  consume(world);
  CHECK(must(storage::find_cursor(world.db(), second.id))->rescan_from == at(50));
}

TEST_CASE("a rescan is cleared only while no marker came meanwhile") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a"}, at(20));
  consume(world);
  const auto seen = cursor(world);
  world.put({"b"}, at(30));
  consume(world);
  cursor_move step;
  step.rescanned_counter = seen.change_counter;
  step.completed_counter = seen.change_counter;
  CHECK(move(world, step));
  CHECK(cursor(world).rescan_from == at(20));
  CHECK(cursor(world).completed_counter == seen.change_counter);
  step.rescanned_counter = cursor(world).change_counter;
  CHECK(move(world, step));
  CHECK_FALSE(cursor(world).rescan_from);
}

TEST_CASE("a rolled back write leaves no marker") {
  delivery_world world(GENERATE(from_range(engines())));
  const std::vector<storage::incoming_record> batch{{"a", "{}"}};
  must(world.db().begin());
  must(storage::upsert_records(world.db(), world.rule.source, world.rule.domain, batch, at(1)));
  world.db().rollback();
  CHECK_FALSE(must(storage::has_markers(world.db())));
}
