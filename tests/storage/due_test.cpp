#include "storage/candidates.hpp"
#include "storage/stops.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::delivery_status;

namespace {

storage::drain_query drain(const delivery_world& world, core::timestamp now, std::int64_t revision = 1) {
  storage::drain_query query;
  query.rule = world.rule.id;
  query.source = world.rule.source;
  query.domain = world.rule.domain;
  query.now = now;
  query.revision = revision;
  return query;
}

core::ledger_row waiting_row(const std::string& source_id, core::timestamp due) {
  auto row = delivered_row(source_id, at(1));
  row.status = delivery_status::failed;
  row.next_attempt_at = due;
  return row;
}

core::ledger_row row_under(const std::string& source_id, delivery_status status, std::int64_t revision) {
  auto row = delivered_row(source_id, at(1));
  row.status = status;
  row.seen_revision = revision;
  return row;
}

std::vector<core::candidate> due_of(delivery_world& world, const storage::drain_query& query) {
  return must(storage::read_due(world.db(), query)).candidates;
}

} // namespace

TEST_CASE("a drain offers what is due, to the microsecond, in source id order") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b", "c", "d"}, at(1));
  auto trashed = waiting_row("d", at(1));
  trashed.trashed = true;
  world.write({waiting_row("c", at(10)), waiting_row("b", at(10) + core::duration{1}),
               waiting_row("a", at(5)), trashed});
  const auto due = due_of(world, drain(world, at(10)));
  CHECK(source_ids(due) == std::vector<std::string>{"a", "c"});
  CHECK(due[0].record.payload == "{}");
  CHECK(due[0].row->next_attempt_at == at(5));
  CHECK(due_of(world, drain(world, at(4))).empty());
}

TEST_CASE("a held or awaiting row is offered when its time has come") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b"}, at(1));
  auto held = waiting_row("a", at(2));
  held.status = delivery_status::held;
  auto awaiting = waiting_row("b", at(2));
  awaiting.status = delivery_status::awaiting_anchor;
  world.write({held, awaiting});
  CHECK(source_ids(due_of(world, drain(world, at(2)))) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("a newer revision offers again what an older one refused or filtered") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b", "c", "d", "e"}, at(1));
  world.write({row_under("e", delivery_status::undeliverable, 1),
               row_under("a", delivery_status::filtered, 2), row_under("b", delivery_status::filtered, 3),
               row_under("c", delivery_status::delivered, 1), row_under("d", delivery_status::filtered, 1)});
  CHECK(due_of(world, drain(world, at(9), 1)).empty());
  CHECK(source_ids(due_of(world, drain(world, at(9), 2))) == std::vector<std::string>{"d", "e"});
  CHECK(source_ids(due_of(world, drain(world, at(9), 3))) == std::vector<std::string>{"a", "d", "e"});
}

TEST_CASE("drain chunks of every kind of row go through in one source id order") {
  delivery_world world(GENERATE(from_range(engines())));
  std::vector<std::string> ids;
  std::vector<core::ledger_row> rows;
  for (int n = 0; n < 12; ++n) {
    ids.push_back("r" + std::to_string(100 + n));
    rows.push_back(n % 3 == 0   ? waiting_row(ids.back(), at(1))
                   : n % 3 == 1 ? row_under(ids.back(), delivery_status::filtered, 1)
                                : row_under(ids.back(), delivery_status::undeliverable, 2));
  }
  world.put(ids, at(1));
  world.write(rows);
  auto query = drain(world, at(2), 3);
  query.limit = 5;
  std::vector<std::string> seen;
  for (int chunk = 0; chunk < 10; ++chunk) {
    const auto due = due_of(world, query);
    if (due.empty())
      break;
    CHECK(due.size() <= 5);
    for (const auto& id : source_ids(due))
      seen.push_back(id);
    query.after_source_id = seen.back();
  }
  CHECK(seen == ids);
}

TEST_CASE(
    "held rows are offered and due at once when their hold has ended, be their record deleted or live") {
  delivery_world world(GENERATE(from_range(engines())), {.deletes = core::delete_policy::delete_record});
  world.put({"a", "b"}, at(1));
  world.bury({"a"}, at(2));
  world.write({row_under("a", delivery_status::held, 1), row_under("b", delivery_status::held, 1)});
  const auto hold = must(storage::set_hold(world.db(), world.rule.id, {30, 100, 25}, at(3)));
  CHECK(due_of(world, drain(world, at(9))).empty());
  CHECK_FALSE(must(storage::next_due(world.db(), world.rule.id)));
  CHECK(must(storage::all_next_due(world.db())).empty());
  must(storage::heal_hold(world.db(), hold.stop.id, at(4)));
  CHECK(source_ids(due_of(world, drain(world, at(9)))) == std::vector<std::string>{"a", "b"});
  CHECK(must(storage::next_due(world.db(), world.rule.id)));
  CHECK(must(storage::all_next_due(world.db())).size() == 1);
}

TEST_CASE("a held row with nothing left to deliver is not offered, lest it be so for ever") {
  delivery_world world(GENERATE(from_range(engines())), {.deletes = core::delete_policy::delete_record});
  world.put({"away"}, at(1));
  world.write({row_under("away", delivery_status::held, 1), row_under("lost", delivery_status::held, 1)});
  SECTION("its connection was disconnected, or its record left the mirror") {
    world.execute("UPDATE mirror_records SET deleted_at = 5, deletion_reason = 'disconnect'");
  }
  SECTION("the rule ignores deletions by now") {
    world.bury({"away"}, at(2));
    world.execute("UPDATE sync_rules SET delete_policy = 'ignore'");
  }
  CHECK(due_of(world, drain(world, at(9))).empty());
  CHECK_FALSE(must(storage::next_due(world.db(), world.rule.id)));
}

TEST_CASE("a due row whose record left the mirror has a candidate without record") {
  delivery_world world(GENERATE(from_range(engines())));
  world.write({waiting_row("lost", at(1))});
  const auto due = due_of(world, drain(world, at(2)));
  REQUIRE(due.size() == 1);
  CHECK_FALSE(due[0].record.id);
  CHECK(due[0].row->source_id == "lost");
}
