#include "storage/intents.hpp"
#include "storage/ledger.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::delivery_status;

namespace {

core::ledger_row full_row() {
  auto row = delivered_row("a \"b\" \\ {c},ü", at(0.000001));
  row.status = delivery_status::failed;
  row.target = core::target_state::inactive;
  row.seen_revision = 9007199254740993;
  row.attempts = 4;
  row.next_attempt_at = at(60.000001);
  row.error_class = "http_500";
  row.error = "NULL, \"quoted\", back\\slash, {braces}";
  row.create_generation = 7;
  return row;
}

core::ledger_row next(core::ledger_row row) {
  ++row.row_version;
  return row;
}

} // namespace

TEST_CASE("a ledger row comes back as it was written") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto row = full_row();
  CHECK(world.write({row}) == 1);
  CHECK(must(storage::find_ledger_row(world.db(), world.rule.id, row.source_id)) == row);
  auto bare = next(row);
  bare.delivered_content_changed_at.reset();
  bare.next_attempt_at.reset();
  bare.error.clear();
  CHECK(world.write({bare}) == 1);
  CHECK(must(storage::find_ledger_row(world.db(), world.rule.id, row.source_id)) == bare);
  CHECK_FALSE(must(storage::find_ledger_row(world.db(), world.rule.id, "other")));
}

TEST_CASE("a row is written only where the stored version is the one before its own") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto first = delivered_row("a", at(1));
  CHECK(world.write({first}) == 1);
  SECTION("a second first version loses") {
    auto rival = first;
    rival.remote_id = "rival";
    CHECK(world.write({rival}) == 0);
  }
  SECTION("a version too far ahead loses") {
    auto ahead = next(next(first));
    ahead.remote_id = "ahead";
    CHECK(world.write({ahead}) == 0);
  }
  SECTION("a later version of a row that is not there makes none") {
    auto other = next(first);
    other.source_id = "b";
    CHECK(world.write({other}) == 0);
    CHECK_FALSE(must(storage::find_ledger_row(world.db(), world.rule.id, "b")));
  }
  CHECK(must(storage::find_ledger_row(world.db(), world.rule.id, "a")) == first);
}

TEST_CASE("lost races in a batch cost only their own rows") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto a = delivered_row("a", at(1));
  const auto b = delivered_row("b", at(1));
  world.write({a, b});
  auto stale = a;
  stale.remote_id = "stale";
  CHECK(world.write({stale, next(b), delivered_row("c", at(1))}) == 2);
  CHECK(must(storage::find_ledger_row(world.db(), world.rule.id, "a")) == a);
  CHECK(must(storage::find_ledger_row(world.db(), world.rule.id, "b")) == next(b));
}

TEST_CASE("a batch that names a row twice writes its versions one after the other") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto first = delivered_row("a", at(1));
  const auto second = next(first);
  CHECK(world.write({first, delivered_row("b", at(1)), second, next(second)}) == 4);
  CHECK(must(storage::find_ledger_row(world.db(), world.rule.id, "a")) == next(second));
  CHECK(world.write({}) == 0);
}

TEST_CASE("a trashed row stays where it is and is not counted") {
  delivery_world world(GENERATE(from_range(engines())));
  auto row = delivered_row("a", at(1));
  row.trashed = true;
  world.write({row, delivered_row("b", at(1))});
  CHECK(must(storage::find_ledger_row(world.db(), world.rule.id, "a"))->trashed);
  const auto counts = must(storage::count_ledger(world.db(), world.rule.id));
  CHECK(counts == std::map<delivery_status, std::int64_t>{{delivery_status::delivered, 1}});
}

TEST_CASE("the ledger is listed in pages, by status and by error") {
  delivery_world world(GENERATE(from_range(engines())));
  auto failed = delivered_row("b", at(1));
  failed.status = delivery_status::failed;
  failed.error_class = "timed_out";
  auto other = failed;
  other.source_id = "d";
  other.error_class = "http_422";
  world.write({delivered_row("a", at(1)), failed, delivered_row("c", at(1)), other}, at(5));
  const auto list = [&](storage::ledger_filter filter) {
    filter.rule = world.rule.id;
    std::vector<std::string> ids;
    for (const auto& one : must(storage::list_ledger(world.db(), filter))) {
      CHECK(one.updated_at == at(5));
      ids.push_back(one.row.source_id);
    }
    return ids;
  };
  using names = std::vector<std::string>;
  CHECK(list({}) == names{"a", "b", "c", "d"});
  CHECK(
      list({.rule = {}, .status = {}, .error_class = {}, .source_id = {}, .after_source_id = "a", .limit = 2})
      == names{"b", "c"});
  CHECK(list({.rule = {},
              .status = delivery_status::failed,
              .error_class = {},
              .source_id = {},
              .after_source_id = {}})
        == names{"b", "d"});
  CHECK(list({.rule = {},
              .status = delivery_status::failed,
              .error_class = "http_422",
              .source_id = {},
              .after_source_id = {}})
        == names{"d"});
}

TEST_CASE("the next due moment is the earliest of attempts and settlings") {
  delivery_world world(GENERATE(from_range(engines())));
  CHECK_FALSE(must(storage::next_due(world.db(), world.rule.id)));
  CHECK(must(storage::all_next_due(world.db())).empty());
  auto waiting = full_row();
  world.write({waiting});
  CHECK(must(storage::next_due(world.db(), world.rule.id)) == at(60.000001));
  core::intent out;
  out.record = core::record_id{1};
  out.source_id = "x";
  core::intent unsettled = out;
  unsettled.record = core::record_id{2};
  unsettled.settle_at = at(30);
  committed(world.db(), [&](storage::session& db) {
    return storage::write_intents(db, world.rule.id, std::vector{out, unsettled}, world.keys());
  });
  CHECK(must(storage::next_due(world.db(), world.rule.id)) == at(30));
  const auto all = must(storage::all_next_due(world.db()));
  REQUIRE(all.size() == 1);
  CHECK(all[0].rule == world.rule.id);
  CHECK(all[0].at == at(30));
}

TEST_CASE("a step through the ledger passes so many rows of the rule, and ends where the ledger does") {
  delivery_world world(GENERATE(from_range(engines())));
  const auto other = world.add_rule({.name = "orders-to-crm", .domain = "orders"});
  committed(world.db(), [&](storage::session& db) {
    return storage::write_ledger(db, other.id, std::vector{delivered_row("bb", at(1))}, at());
  });
  std::vector<core::ledger_row> rows;
  for (const auto* id : {"a", "b", "c", "d", "e", "é"})
    rows.push_back(delivered_row(id, at(1)));
  rows[3].trashed = true;
  world.write(rows);
  const auto step = [&](const std::string& after, const std::vector<std::int64_t>& steps) {
    std::vector<std::string> found;
    for (const auto& row : must(storage::step_through_ledger(world.db(), world.rule.id, after, steps)))
      found.push_back(row.source_id);
    return found;
  };
  using names = std::vector<std::string>;
  CHECK(step("", {1, 1, 1}) == names{"a", "b", "c"});
  CHECK(step("", {2, 3, 1}) == names{"b", "e", "é"});
  CHECK(step("b", {2}) == names{"d"});
  CHECK(step("bz", {1}) == names{"c"});
  CHECK(step("", {6, 1}) == names{"é"});
  CHECK(step("", {7, 1}).empty());
  CHECK(step("", {}).empty());
  CHECK(must(storage::step_through_ledger(world.db(), world.rule.id, "", std::vector<std::int64_t>{4}))[0]
        == rows[3]);
}
