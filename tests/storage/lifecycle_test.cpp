#include "storage/connections.hpp"
#include "storage/cursor.hpp"
#include "storage/lifecycle.hpp"
#include "storage/rule_lifecycle.hpp"
#include "storage/rules.hpp"
#include "storage/stored_rule.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;

namespace {

constexpr auto grace = std::chrono::hours{24 * 30};

struct lifecycle_world : delivery_world {
  using delivery_world::delivery_world;

  auto disconnect(const std::string& name, double seconds = 100, std::int64_t batch = 2) {
    return storage::disconnect_connection(db(), name, at(seconds), batch);
  }
  auto reconnect(const std::string& name, double seconds = 200, std::int64_t batch = 2) {
    return storage::reconnect_connection(db(), name, grace, at(seconds), batch);
  }
  bool rule_is_live(const std::string& name) { return must(storage::find_rule(db(), name)).has_value(); }

  /// Every column of what no disconnect or reconnect may touch.
  std::string delivery_state() const {
    return rows("delivery_cursors",
                "rule_id, delta_at, delta_id, previous_pass_at, rescan_from, change_counter, "
                "completed_counter, backfill_until, backfill_at, backfill_id, "
                "backfill_generation, activated_at, known_records, backfill_resend, updated_at")
           + rows(
               "outbound_deliveries",
               "source_id, status, target_state, remote_id, delivered_content_changed_at, "
               "seen_content_changed_at, seen_revision, attempts, next_attempt_at, row_version, updated_at")
           + rows("mirror_records", "id, content_changed_at, payload");
  }

  std::string rows(const std::string& table, const std::string& columns) const {
    const bool sqlite = where().kind == storage::engine::sqlite;
    const auto joined = [&] {
      std::string text;
      for (std::size_t begin = 0; begin < columns.size();) {
        const auto end = std::min(columns.find(", ", begin), columns.size());
        text += (text.empty() ? "" : " || '|' || ") + std::string("coalesce(CAST(")
                + columns.substr(begin, end - begin) + " AS TEXT), '-')";
        begin = end + 2;
      }
      return text;
    }();
    return value("SELECT " + std::string(sqlite ? "group_concat(line, '/')" : "string_agg(line, '/')")
                 + " FROM (SELECT " + joined + " AS line FROM " + table + " ORDER BY 1) AS lines");
  }
};

} // namespace

TEST_CASE(
    "a disconnect takes the connection, its rules and its live records, whatever the size of its batches") {
  lifecycle_world w(GENERATE(from_range(engines())));
  w.put({"a", "b", "c", "d", "e"}, at(1));
  w.bury({"c"}, at(2));
  const auto version = must(storage::configuration_version(w.db()));
  const auto batch = GENERATE(1, 2, 4, 5, 100);
  const auto report = must(w.disconnect("shop", 100, batch));
  CHECK(report.rules == 1);
  CHECK(report.records == 4);
  CHECK(report.disconnected_at == at(100));
  CHECK(must(storage::configuration_version(w.db())) == version + 1);
  CHECK_FALSE(w.rule_is_live(w.rule.name));
  CHECK_FALSE(must(storage::find_connection(w.db(), "shop")));
  CHECK(must(storage::find_connection(w.db(), "crm")));
  CHECK(w.record("a").reason == core::deletion_reason::disconnect);
  CHECK(w.record("a").deleted_at == at(100));
  CHECK(w.record("c").reason == core::deletion_reason::source_event);
  CHECK(w.record("c").deleted_at == at(2));
}

TEST_CASE("disconnect and reconnect leave cursor, ledger and change signals byte for byte") {
  lifecycle_world w(GENERATE(from_range(engines())));
  w.put({"a", "b", "c"}, at(1));
  w.write({delivered_row("a", at(1))});
  const auto before = w.delivery_state();
  must(w.disconnect("shop"));
  CHECK(w.delivery_state() == before);
  CHECK_FALSE(must(storage::purge_expired(w.db(), at(99), 10, at(150))) > 0);
  must(w.reconnect("shop"));
  CHECK(w.delivery_state() == before);
}

TEST_CASE("delivery, disconnect, reconnect, scan: what was delivered stays, what waits is offered") {
  lifecycle_world w(GENERATE(from_range(engines())), {.deletes = core::delete_policy::delete_record});
  w.put({"delivered", "pending", "retried"}, at(1));
  auto failed = delivered_row("retried", at(1));
  failed.status = core::delivery_status::failed;
  failed.next_attempt_at = at(50);
  w.write({delivered_row("delivered", at(1)), failed});
  must(w.disconnect("shop"));
  const auto report = must(w.reconnect("shop"));
  CHECK(report.rules == 1);
  CHECK(report.records == 3);
  CHECK(w.rule_is_live(w.rule.name));
  CHECK_FALSE(w.record("pending").is_tombstone());
  CHECK(w.record("pending").reason == core::deletion_reason::none);
  const auto batch = must(storage::read_delta(w.db(), w.scan()));
  CHECK(source_ids(batch.candidates) == std::vector<std::string>{"pending"});
  storage::drain_query due;
  due.rule = w.rule.id;
  due.source = w.rule.source;
  due.domain = w.rule.domain;
  due.now = at(300);
  CHECK(source_ids(must(storage::read_due(w.db(), due)).candidates) == std::vector<std::string>{"retried"});
}

TEST_CASE("no step reads the tombstones of a disconnect: the cursor stands and no retry is dropped") {
  lifecycle_world w(GENERATE(from_range(engines())));
  w.put({"a"}, at(1));
  must(w.disconnect("shop"));
  auto backfill = w.scan();
  backfill.until = at(50);
  storage::drain_query due;
  due.rule = w.rule.id;
  due.source = w.rule.source;
  const auto delta = storage::read_delta(w.db(), w.scan());
  const auto filled = storage::read_backfill(w.db(), backfill);
  const auto drained = storage::read_due(w.db(), due);
  REQUIRE((!delta && !filled && !drained));
  for (const auto& failure : {delta.error(), filled.error(), drained.error()})
    CHECK(failure.code == storage::error::not_found);
}

TEST_CASE("a reconnect brings back only what that disconnect took") {
  lifecycle_world w(GENERATE(from_range(engines())));
  w.add_rule({.name = "deleted-by-hand", .domain = "orders"});
  w.put({"a", "b"}, at(1));
  w.bury({"b"}, at(2));
  committed(w.db(), [](storage::session& db) { return storage::delete_rule(db, "deleted-by-hand", at(3)); });
  must(w.disconnect("shop"));
  CHECK(must(w.reconnect("shop")).rules == 1);
  CHECK_FALSE(w.rule_is_live("deleted-by-hand"));
  CHECK(w.rule_is_live(w.rule.name));
  CHECK(w.record("b").reason == core::deletion_reason::source_event);
}

TEST_CASE("a rule between two disconnected connections comes back with the second of them") {
  lifecycle_world w(GENERATE(from_range(engines())));
  const bool source_first = GENERATE(true, false);
  must(w.disconnect("shop", 100));
  CHECK(must(w.disconnect("crm", 100)).rules == 0);
  CHECK(must(w.reconnect(source_first ? "shop" : "crm", 110)).rules == 0);
  CHECK_FALSE(w.rule_is_live(w.rule.name));
  CHECK(must(w.reconnect(source_first ? "crm" : "shop", 120)).rules == 1);
  CHECK(w.rule_is_live(w.rule.name));
}

TEST_CASE("an interrupted disconnect or reconnect is finished by the next call") {
  lifecycle_world w(GENERATE(from_range(engines())));
  w.put({"a", "b", "c"}, at(1));
  must(w.disconnect("shop"));
  w.execute("UPDATE mirror_records SET deleted_at = NULL, deletion_reason = 'none' WHERE source_id = 'b'");
  const auto again = must(w.disconnect("shop", 150));
  CHECK(again.rules == 0);
  CHECK(again.records == 1);
  CHECK(again.disconnected_at == at(100));
  w.execute("UPDATE mirror_records SET deleted_at = NULL, deletion_reason = 'none' WHERE source_id = 'b'");
  CHECK(must(w.reconnect("shop")).records == 2);
}

TEST_CASE("a reconnect wakes its rules") {
  lifecycle_world w(GENERATE(from_range(engines())));
  w.put({"a"}, at(1));
  must(w.disconnect("shop"));
  w.execute("DELETE FROM change_markers");
  const auto counter = must(storage::find_cursor(w.db(), w.rule.id))->change_counter;
  must(w.reconnect("shop"));
  committed(w.db(), [](storage::session& db) { return storage::consume_markers(db); });
  CHECK(must(storage::find_cursor(w.db(), w.rule.id))->change_counter == counter + 1);
}

TEST_CASE("what cannot be disconnected or reconnected is refused by name") {
  lifecycle_world w(GENERATE(from_range(engines())));
  CHECK(w.disconnect("nowhere").error().code == storage::error::not_found);
  CHECK(w.reconnect("nowhere").error().code == storage::error::not_found);
  CHECK_THAT(w.reconnect("shop").error().detail, Catch::Contains("\"shop\" is not disconnected"));
  must(w.disconnect("shop"));
  const auto late = storage::reconnect_connection(w.db(), "shop", grace, at(100) + grace);
  CHECK(late.error().code == storage::error::refused);
  CHECK_THAT(late.error().detail, Catch::Contains("grace period of 30d is over"));
  must(storage::reconnect_connection(w.db(), "shop", grace, at(100) + grace - std::chrono::microseconds{1}));
}
