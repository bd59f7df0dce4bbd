#include "storage/runs.hpp"
#include "storage/stops.hpp"
#include "storage/volume.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;
using core::delivery_status;
using core::target_state;

namespace {

struct volume_world : delivery_world {
  explicit volume_world(storage::engine kind)
      : delivery_world(kind, {.deletes = core::delete_policy::delete_record}) {}

  [[nodiscard]] storage::scan_query counting(core::timestamp now, core::position after = {}) const {
    auto query = scan(after);
    query.volume_window = 1h;
    query.now = now;
    return query;
  }

  core::volume_count count(core::timestamp now = at(100)) {
    return *must(storage::read_delta(db(), counting(now))).volume;
  }

  void withdrawn(std::int64_t count, core::timestamp now) {
    committed(db(), [&](storage::session& within) {
      return storage::add_withdrawals(within, rule.id, count, now);
    });
  }

  /// A tombstone whose row is as `change` makes it.
  template <class Change>
  void tombstone(const std::string& id, Change change) {
    put({id}, at(1));
    bury({id}, at(2));
    auto row = delivered_row(id, at(1));
    change(row);
    write({row});
  }

  void tombstone(const std::string& id) {
    tombstone(id, [](core::ledger_row&) {});
  }
};

struct counted_case {
  delivery_status status;
  target_state target = target_state::active;
  bool seen = false; ///< the deletion was looked at before
  std::optional<core::timestamp> next_attempt{};
  bool trashed = false;
  bool in_delta = false;
  bool in_backfill = false;
  bool held = false;
};

/// What counts as pending in each range, and as held.
const counted_case table[] = {
    {.status = delivery_status::delivered, .in_delta = true, .in_backfill = true},
    {.status = delivery_status::delivered, .seen = true, .in_backfill = true},
    {.status = delivery_status::delivered, .trashed = true},
    {.status = delivery_status::delivered,
     .target = target_state::inactive,
     .in_delta = true,
     .in_backfill = true},
    {.status = delivery_status::suppressed, .in_delta = true, .in_backfill = true},
    {.status = delivery_status::suppressed, .target = target_state::absent},
    {.status = delivery_status::withdrawn, .target = target_state::inactive},
    {.status = delivery_status::withdrawn, .target = target_state::absent},
    {.status = delivery_status::failed, .seen = true, .in_delta = true, .in_backfill = true},
    {.status = delivery_status::failed, .next_attempt = at(50), .in_backfill = true},
    {.status = delivery_status::failed, .next_attempt = at(500)},
    {.status = delivery_status::undeliverable, .in_delta = true, .in_backfill = true},
    {.status = delivery_status::filtered, .in_delta = true, .in_backfill = true},
    {.status = delivery_status::held, .held = true},
    {.status = delivery_status::held, .trashed = true},
    {.status = delivery_status::ambiguous, .target = target_state::absent},
    {.status = delivery_status::remote_gone, .target = target_state::absent},
    {.status = delivery_status::exhausted},
};

} // namespace

TEST_CASE("a step counts the tombstones it would withdraw and the rows that are held, and nothing else") {
  volume_world world(GENERATE(from_range(engines())));
  for (std::size_t place = 0; place < std::size(table); ++place) {
    const auto& one = table[place];
    DYNAMIC_SECTION("case " << place) {
      world.tombstone("a", [&](core::ledger_row& row) {
        row.status = one.status;
        row.target = one.target;
        row.seen_content_changed_at = one.seen ? at(2) : at(1);
        row.next_attempt_at = one.next_attempt;
        row.trashed = one.trashed;
      });
      const auto delta = world.count();
      CHECK(delta.pending == (one.in_delta ? 1 : 0));
      CHECK(delta.held == (one.held ? 1 : 0));
      auto query = world.counting(at(100));
      query.until = at(10);
      const auto backfill = *must(storage::read_backfill(world.db(), query)).volume;
      CHECK(backfill.pending == (one.in_backfill ? 1 : 0));
      CHECK(backfill.held == (one.held ? 1 : 0));
    }
  }
}

TEST_CASE("records that are live, were never delivered or went with a disconnect are not counted") {
  volume_world world(GENERATE(from_range(engines())));
  world.put({"live", "unknown", "away"}, at(1));
  world.write({delivered_row("live", at(0)), delivered_row("away", at(0))});
  world.bury({"unknown"}, at(2));
  world.execute("UPDATE mirror_records SET deleted_at = 5, deletion_reason = 'disconnect' "
                "WHERE source_id = 'away'");
  CHECK(world.count().pending == 0);
}

TEST_CASE("a count ends at the step's range: strictly after its start, before its bound") {
  volume_world world(GENERATE(from_range(engines())));
  for (const auto* id : {"a", "b", "c"})
    world.tombstone(id);
  const auto after = world.record("a").at();
  CHECK(must(storage::read_delta(world.db(), world.counting(at(100), after))).volume->pending == 2);
  auto query = world.counting(at(100));
  query.until = world.record("c").content_changed_at;
  CHECK(must(storage::read_backfill(world.db(), query)).volume->pending == 2);
  // A pass that is inclusive on time.
  const core::position floor{world.record("b").content_changed_at, {}};
  CHECK(must(storage::read_delta(world.db(), world.counting(at(100), floor))).volume->pending == 2);
}

TEST_CASE("a whole range is counted, however small the batch is") {
  volume_world world(GENERATE(from_range(engines())));
  for (int n = 0; n < 9; ++n)
    world.tombstone("r" + std::to_string(n));
  auto query = world.counting(at(100));
  query.limit = 2;
  query.examine_limit = 4;
  const auto batch = must(storage::read_delta(world.db(), query));
  CHECK(batch.candidates.size() == 2);
  CHECK(batch.volume->pending == 9);
}

TEST_CASE("a batch is counted only where it is asked for") {
  volume_world world(GENERATE(from_range(engines())));
  CHECK_FALSE(must(storage::read_delta(world.db(), world.scan())).volume);
  CHECK_FALSE(must(storage::read_backfill(world.db(), world.scan())).volume);
}

TEST_CASE("count and batch are of one moment, whatever is committed between them") {
  volume_world world(GENERATE(from_range(engines())));
  world.tombstone("a");
  auto reader = world.session(storage::access::read);
  must(reader.begin());
  const auto before = must(storage::read_delta(reader, world.counting(at(100))));
  world.tombstone("b");
  const auto after = must(storage::read_delta(reader, world.counting(at(100))));
  reader.rollback();
  CHECK(before.volume->pending == 1);
  CHECK(after.volume->pending == 1);
  CHECK(after.candidates.size() == 1);
}

TEST_CASE("withdrawals count for the window, a minute that overlaps it whole") {
  volume_world world(GENERATE(from_range(engines())));
  world.withdrawn(3, at(10));
  world.withdrawn(4, at(50));
  world.withdrawn(5, at(90));
  CHECK(world.count(at(100)).withdrawn == 12);
  CHECK(world.count(at(3600 + 59)).withdrawn == 12);
  CHECK(world.count(at(3600 + 60)).withdrawn == 5);
  CHECK(world.count(at(3600 + 121)).withdrawn == 0);
}

TEST_CASE("withdrawals of the running run count however long it has run") {
  volume_world world(GENERATE(from_range(engines())));
  const auto run = must(storage::open_run(world.db(), world.rule.id, at(5)));
  world.withdrawn(3, at(10));
  CHECK(world.count(at(20000)).withdrawn == 3);
  must(storage::close_run(world.db(), run, core::run_ending::completed, "", at(20001)));
  CHECK(world.count(at(20002)).withdrawn == 0);
}

TEST_CASE("what was withdrawn since a release is told apart from what went before it in the same minute") {
  volume_world world(GENERATE(from_range(engines())));
  world.withdrawn(25, at(10));
  const auto hold = must(storage::set_hold(world.db(), world.rule.id, {501, 5000, 500}, at(11)));
  CHECK(world.count(at(12)).hold);
  CHECK_FALSE(world.count(at(12)).release);
  const auto release = must(storage::release_hold(world.db(), hold.stop.public_id, 501, "ada", at(13)));
  world.withdrawn(7, at(14));
  world.withdrawn(8, at(70));
  auto count = world.count(at(100));
  CHECK_FALSE(count.hold);
  REQUIRE(count.release);
  CHECK(count.release->id == release.id);
  CHECK(count.withdrawn == 40);
  CHECK(count.withdrawn_since_release == 15);
  must(storage::consume_release(world.db(), release.id, at(101)));
  CHECK(world.count(at(102)).release);
  CHECK(world.count(at(102)).withdrawn_since_release == 15);
  CHECK_FALSE(world.count(at(3600 + 102)).release);
}

TEST_CASE("under a live hold a count says whether anything is left to hold") {
  volume_world world(GENERATE(from_range(engines())));
  must(storage::set_hold(world.db(), world.rule.id, {501, 5000, 500}, at(11)));
  CHECK(world.count().pending + world.count().held == 0);
  world.tombstone("a");
  world.tombstone("b");
  CHECK(world.count().pending == 1);
  world.tombstone("c", [](core::ledger_row& row) { row.status = delivery_status::held; });
  CHECK(world.count().held == 1);
  CHECK(world.count().pending == 0);
}

TEST_CASE("a held row whose record came back live is left out") {
  volume_world world(GENERATE(from_range(engines())));
  world.tombstone("a", [](core::ledger_row& row) { row.status = delivery_status::held; });
  CHECK(world.count().held == 1);
  world.put({"a"}, at(3));
  CHECK(world.count().held == 0);
}

TEST_CASE("a drain counts what is held and what the next delta pass would withdraw") {
  volume_world world(GENERATE(from_range(engines())));
  world.tombstone("a", [](core::ledger_row& row) { row.status = delivery_status::held; });
  world.tombstone("b");
  world.tombstone("c");
  core::drain_query query;
  query.rule = world.rule.id;
  query.source = world.rule.source;
  query.domain = world.rule.domain;
  query.now = at(100);
  CHECK_FALSE(must(storage::read_due(world.db(), query)).volume);
  query.volume_window = 1h;
  query.delta_after = world.record("b").at();
  const auto count = *must(storage::read_due(world.db(), query)).volume;
  CHECK(count.held == 1);
  CHECK(count.pending == 1);
}

TEST_CASE("the records a target holds are kept as a number and can be counted anew") {
  volume_world world(GENERATE(from_range(engines())));
  must(storage::add_known_records(world.db(), world.rule.id, 5));
  must(storage::add_known_records(world.db(), world.rule.id, -2));
  CHECK(world.count().known == 3);
  auto absent = delivered_row("c", at(1));
  absent.target = target_state::absent;
  world.write({delivered_row("a", at(1)), delivered_row("b", at(1)), absent});
  must(storage::recount_known_records(world.db(), world.rule.id));
  CHECK(world.count().known == 2);
}

TEST_CASE("old counts of withdrawals are pruned in bounded batches, but not those a running run needs") {
  volume_world world(GENERATE(from_range(engines())));
  for (int minute = 0; minute < 5; ++minute)
    world.withdrawn(1, at(60 * minute));
  const auto run = must(storage::open_run(world.db(), world.rule.id, at(130)));
  CHECK(must(storage::prune_withdrawals(world.db(), at(240), 1)) == 1);
  CHECK(must(storage::prune_withdrawals(world.db(), at(240), 9)) == 1);
  CHECK(must(storage::prune_withdrawals(world.db(), at(240), 9)) == 0);
  must(storage::close_run(world.db(), run, core::run_ending::completed, "", at(300)));
  CHECK(must(storage::prune_withdrawals(world.db(), at(240), 9)) == 2);
}
