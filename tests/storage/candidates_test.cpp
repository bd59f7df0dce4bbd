#include "storage/candidates.hpp"
#include "tests/storage/delivery_world.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::tests;
using core::delivery_status;
using core::target_state;

namespace {

/// How a row that the table below speaks of is made.
struct row_case {
  delivery_status status;
  target_state target = target_state::active;
  bool older = true; ///< an older version than the record's was seen
  bool next_attempt = false;
  bool trashed = false;
  bool kept_live = false; ///< with a live record
  bool kept_live_dependent = false;
  bool kept_tombstone = false; ///< with a tombstone of the source's making, under a propagating policy
  bool kept_tombstone_dependent = false;
};

// status, target, older, next attempt, trashed | live, live dependent, tombstone, tombstone dependent
constexpr row_case table[] = {
    {delivery_status::delivered, target_state::active, true, false, false, true, true, true, true},
    {delivery_status::delivered, target_state::active, false, false, false, false, false, false, false},
    {delivery_status::delivered, target_state::active, true, false, true, false, false, false, false},
    {delivery_status::delivered, target_state::inactive, true, false, false, true, true, true, true},
    {delivery_status::suppressed, target_state::active, true, false, false, true, true, true, true},
    {delivery_status::suppressed, target_state::active, false, false, false, false, false, false, false},
    {delivery_status::suppressed, target_state::absent, true, false, false, true, true, false, false},
    {delivery_status::withdrawn, target_state::absent, true, false, false, true, true, false, false},
    {delivery_status::withdrawn, target_state::inactive, true, false, false, true, true, false, false},
    {delivery_status::withdrawn, target_state::absent, false, false, false, false, false, false, false},
    {delivery_status::failed, target_state::active, true, false, false, true, true, true, true},
    {delivery_status::failed, target_state::active, false, false, false, true, true, true, true},
    {delivery_status::failed, target_state::absent, false, false, false, true, true, false, false},
    {delivery_status::failed, target_state::active, true, true, false, false, false, false, false},
    {delivery_status::failed, target_state::active, false, true, false, false, false, false, false},
    {delivery_status::failed, target_state::active, false, false, true, false, false, false, false},
    {delivery_status::undeliverable, target_state::absent, true, false, false, true, true, false, false},
    {delivery_status::undeliverable, target_state::active, true, false, false, true, true, true, true},
    {delivery_status::undeliverable, target_state::absent, false, false, false, false, false, false, false},
    {delivery_status::held, target_state::active, true, false, false, false, false, false, false},
    {delivery_status::held, target_state::active, true, true, false, false, false, false, false},
    {delivery_status::awaiting_anchor, target_state::absent, true, false, false, true, true, false, false},
    {delivery_status::awaiting_anchor, target_state::absent, false, false, false, false, false, false, false},
    {delivery_status::filtered, target_state::absent, true, false, false, true, true, false, false},
    {delivery_status::filtered, target_state::active, true, false, false, true, true, true, true},
    {delivery_status::filtered, target_state::absent, false, false, false, false, false, false, false},
    {delivery_status::ambiguous, target_state::absent, true, false, false, false, false, false, false},
    {delivery_status::ambiguous, target_state::active, true, false, false, false, false, false, false},
    {delivery_status::remote_gone, target_state::active, true, false, false, false, true, false, true},
    {delivery_status::remote_gone, target_state::active, false, false, false, false, false, false, false},
    {delivery_status::exhausted, target_state::active, true, false, false, false, false, false, false},
    {delivery_status::exhausted, target_state::active, false, false, false, false, false, false, false},
};

core::ledger_row row_of(const row_case& one, const std::string& source_id, core::timestamp changed) {
  auto row = delivered_row(source_id, one.older ? changed - core::duration{1} : changed);
  row.status = one.status;
  row.target = one.target;
  if (one.target == target_state::absent)
    row.remote_id.clear();
  if (one.next_attempt)
    row.next_attempt_at = at(60);
  row.trashed = one.trashed;
  return row;
}

std::string name_of(std::size_t place) {
  return "case-" + std::to_string(100 + place);
}

/// Which of the table's cases a delta brings.
std::vector<std::string> expected(bool row_case::* kept) {
  std::vector<std::string> ids;
  for (std::size_t place = 0; place < std::size(table); ++place)
    if (table[place].*kept)
      ids.push_back(name_of(place));
  return ids;
}

std::vector<std::string> delta(delivery_world& world, core::delete_policy deletes, bool dependent) {
  auto query = world.scan();
  query.deletes = deletes;
  query.dependent = dependent;
  const auto batch = must(storage::read_delta(world.db(), query));
  CHECK(batch.through);
  CHECK(batch.examined == std::int64_t{std::size(table)});
  return source_ids(batch.candidates);
}

void fill_table(delivery_world& world, bool tombstones) {
  std::vector<std::string> ids;
  for (std::size_t place = 0; place < std::size(table); ++place)
    ids.push_back(name_of(place));
  world.put(ids, at(1));
  if (tombstones)
    world.bury(ids, at(2));
  std::vector<core::ledger_row> rows;
  for (std::size_t place = 0; place < std::size(table); ++place)
    rows.push_back(row_of(table[place], ids[place], world.record(ids[place]).content_changed_at));
  CHECK(world.write(rows) == std::int64_t{std::size(table)});
}

/// Reads to the end and returns every candidate once seen, checking that positions only go forward.
std::vector<std::string> read_all(storage::session& db, storage::scan_query query, bool backfill,
                                  std::int64_t& examined) {
  std::vector<std::string> ids;
  examined = 0;
  for (int calls = 0; calls < 1000; ++calls) {
    const auto batch = must(backfill ? storage::read_backfill(db, query) : storage::read_delta(db, query));
    for (const auto& id : source_ids(batch.candidates))
      ids.push_back(id);
    examined += batch.examined;
    if (batch.through)
      return ids;
    REQUIRE(batch.examined_to > query.after);
    query.after = batch.examined_to;
  }
  FAIL("the scan does not end");
  return ids;
}

} // namespace

TEST_CASE("a delta keeps of the live records exactly what its table says") {
  delivery_world world(GENERATE(from_range(engines())));
  fill_table(world, false);
  CHECK(delta(world, core::delete_policy::ignore, false) == expected(&row_case::kept_live));
  CHECK(delta(world, core::delete_policy::delete_record, true) == expected(&row_case::kept_live_dependent));
}

TEST_CASE("a delta keeps of the tombstones exactly what its table says") {
  delivery_world world(GENERATE(from_range(engines())));
  fill_table(world, true);
  CHECK(delta(world, core::delete_policy::ignore, false).empty());
  CHECK(delta(world, core::delete_policy::ignore, true).empty());
  CHECK(delta(world, core::delete_policy::delete_record, false) == expected(&row_case::kept_tombstone));
  CHECK(delta(world, core::delete_policy::deactivate, true) == expected(&row_case::kept_tombstone_dependent));
}

TEST_CASE("a delta keeps a live record without a row and no tombstone without one") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"live", "gone"}, at(1));
  world.bury({"gone"}, at(2));
  auto query = world.scan();
  query.deletes = core::delete_policy::delete_record;
  const auto batch = must(storage::read_delta(world.db(), query));
  CHECK(source_ids(batch.candidates) == std::vector<std::string>{"live"});
  CHECK_FALSE(batch.candidates[0].row);
}

TEST_CASE("a candidate carries its record and its row whole") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a"}, at(0.000001), "{\"id\":9007199254740993}");
  auto row = delivered_row("a", at(0));
  row.status = delivery_status::failed;
  row.seen_revision = 9007199254740993;
  row.attempts = 3;
  row.error_class = "http_422";
  row.error = "the target's \"words\"";
  row.create_generation = 2;
  world.write({row});
  const auto batch = must(storage::read_delta(world.db(), world.scan()));
  REQUIRE(batch.candidates.size() == 1);
  CHECK(batch.candidates[0].record.payload == "{\"id\":9007199254740993}");
  CHECK(batch.candidates[0].record.content_changed_at == at(0.000001));
  CHECK(batch.candidates[0].row == row);
}

TEST_CASE("batches go on within one change time and lose and repeat nothing") {
  delivery_world world(GENERATE(from_range(engines())));
  std::vector<std::string> ids;
  for (int n = 0; n < 25; ++n)
    ids.push_back("r" + std::to_string(100 + n));
  world.put({ids.begin(), ids.begin() + 18}, at(1));
  world.put({ids.begin() + 18, ids.end()}, at(2));
  const bool backfill = GENERATE(false, true);
  auto query = world.scan();
  query.limit = GENERATE(1, 7, 25, 200);
  std::int64_t examined = 0;
  CHECK(read_all(world.db(), query, backfill, examined) == ids);
  CHECK(examined == 25);
}

TEST_CASE("a full batch that ends the range says that the scan is through") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b"}, at(1));
  auto query = world.scan();
  query.limit = 2;
  CHECK(must(storage::read_delta(world.db(), query)).through);
  CHECK(must(storage::read_backfill(world.db(), query)).through);
}

TEST_CASE("an empty range is through and stays where it was") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a"}, at(1));
  const auto query = world.scan(world.record("a").at());
  for (const auto& batch :
       {must(storage::read_delta(world.db(), query)), must(storage::read_backfill(world.db(), query))}) {
    CHECK(batch.candidates.empty());
    CHECK(batch.through);
    CHECK(batch.examined == 0);
    CHECK(batch.examined_to == query.after);
  }
}

TEST_CASE("a delta pages through what the join leaves out, examine_limit rows a call") {
  delivery_world world(GENERATE(from_range(engines())));
  std::vector<std::string> ids;
  std::vector<core::ledger_row> rows;
  for (int n = 0; n < 30; ++n) {
    ids.push_back("r" + std::to_string(100 + n));
    if (n != 25)
      rows.push_back(delivered_row(ids.back(), at(1)));
  }
  world.put(ids, at(1));
  world.write(rows);
  auto query = world.scan();
  query.examine_limit = 10;
  const auto first = must(storage::read_delta(world.db(), query));
  CHECK(first.candidates.empty());
  CHECK(first.examined == 10);
  CHECK_FALSE(first.through);
  CHECK(first.examined_to == world.record(ids[9]).at());
  std::int64_t examined = 0;
  CHECK(read_all(world.db(), query, false, examined) == std::vector<std::string>{ids[25]});
  CHECK(examined == 30);
}

TEST_CASE("a backfill reads every record changed before its bound, with its row") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b"}, at(1));
  world.bury({"b"}, at(2));
  world.put({"at-bound"}, at(5));
  world.write({delivered_row("a", at(1))});
  auto query = world.scan();
  query.until = at(5);
  const auto batch = must(storage::read_backfill(world.db(), query));
  CHECK(source_ids(batch.candidates) == std::vector<std::string>{"a", "b"});
  CHECK(batch.candidates[0].row);
  CHECK_FALSE(batch.candidates[1].row);
  CHECK(batch.candidates[1].record.is_tombstone());
  CHECK(batch.through);
}

TEST_CASE("candidates of named records come in the order asked for, without those that are gone") {
  delivery_world world(GENERATE(from_range(engines())));
  world.put({"a", "b"}, at(1));
  world.write({delivered_row("b", at(1))});
  const auto found = must(storage::read_candidates(
      world.db(), world.rule.id, {world.record("b").id, core::record_id{999999}, world.record("a").id}));
  CHECK(source_ids(found) == std::vector<std::string>{"b", "a"});
  CHECK(found[0].row);
  CHECK_FALSE(found[1].row);
}
