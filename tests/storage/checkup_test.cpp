#include "storage/checkup.hpp"
#include "storage/lease.hpp"
#include "storage/lifecycle.hpp"
#include "storage/rules.hpp"
#include "storage/schema.hpp"
#include "tests/storage/delivery_world.hpp"

#include <fstream>

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;
using deviation = storage::schema_deviation::kind;

namespace {

bool is_sqlite(const world& here) {
  return here.where().kind == storage::engine::sqlite;
}

std::string number(core::timestamp time) {
  return std::to_string(core::to_us(time));
}

/// A rule whose first pass is over: delta stands at 1000 s after T0, and no backfill is in progress.
struct passed_world : delivery_world {
  explicit passed_world(storage::engine kind) : delivery_world(kind) {
    execute("UPDATE delivery_cursors SET backfill_until = NULL, delta_at = " + number(at(1000))
            + ", previous_pass_at = " + number(at(1000)));
  }

  /// Past the triggers' notice: nobody consumes the marker.
  void put_late(const std::string& source_id, core::timestamp changed_at) {
    put({source_id}, at(1000));
    execute("UPDATE mirror_records SET content_changed_at = " + number(changed_at) + " WHERE source_id = '"
            + source_id + "'");
  }

  storage::counted_records late(core::duration overlap = 300s) {
    return must(storage::read_late_records(db(), rule, overlap));
  }
};

storage::schema_deviation only(const std::vector<storage::schema_deviation>& found) {
  REQUIRE(found.size() == 1);
  return found.front();
}

} // namespace

TEST_CASE("a fresh schema is as the migrations made it") {
  world here(GENERATE(from_range(engines())));
  CHECK(must(storage::read_schema_deviations(here.db())).empty());
}

TEST_CASE("a trigger that was removed is named") {
  world here(GENERATE(from_range(engines())));
  here.execute("DROP TRIGGER mirror_records_inserted"
               + std::string(is_sqlite(here) ? "" : " ON mirror_records"));
  const auto found = only(must(storage::read_schema_deviations(here.db())));
  CHECK(found.name == "mirror_records_inserted");
  CHECK(found.what == deviation::missing);
}

TEST_CASE("a trigger that does something else is named") {
  world here(GENERATE(from_range(engines())));
  here.execute(
      is_sqlite(here)
          ? "DROP TRIGGER mirror_records_updated; CREATE TRIGGER mirror_records_updated AFTER UPDATE ON "
            "mirror_records BEGIN SELECT 1; END;"
          : "CREATE OR REPLACE FUNCTION mirror_records_mark_updated() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RETURN NULL; END $$");
  const auto found = only(must(storage::read_schema_deviations(here.db())));
  CHECK(found.name == (is_sqlite(here) ? "mirror_records_updated" : "mirror_records_mark_updated"));
  CHECK(found.what == deviation::altered);
}

TEST_CASE("a trigger that is switched off is named") {
  const auto kinds = engines();
  if (kinds.size() < 2)
    return;
  world here(storage::engine::postgresql);
  here.execute("ALTER TABLE mirror_records DISABLE TRIGGER mirror_records_updated");
  const auto found = only(must(storage::read_schema_deviations(here.db())));
  CHECK(found.name == "mirror_records_updated");
  CHECK(found.what == deviation::disabled);
}

TEST_CASE("records that were committed later than the overlap are counted, the earliest named first") {
  passed_world here(GENERATE(from_range(engines())));
  CHECK(here.late().count == 0);
  here.put_late("two", at(200));
  here.put_late("one", at(100));
  const auto late = here.late();
  CHECK(late.count == 2);
  CHECK(late.examples == std::vector<std::string>{"one", "two"});
}

TEST_CASE("what delta or a backfill still comes to is not late") {
  passed_world here(GENERATE(from_range(engines())));
  here.put_late("within the overlap", at(800));
  here.put_late("before T0", at(-5));
  CHECK(here.late().count == 0);
  here.put_late("of the backfill", at(100));
  here.execute("UPDATE delivery_cursors SET backfill_until = " + number(at(150)));
  CHECK(here.late().count == 0);
  here.execute("UPDATE delivery_cursors SET backfill_until = NULL");
  CHECK(here.late().count == 1);
  here.execute("UPDATE delivery_cursors SET rescan_from = " + number(at(50))); // a marker told of it
  CHECK(here.late().count == 0);
}

TEST_CASE("a record that the ledger knows of in this version is not late") {
  passed_world here(GENERATE(from_range(engines())));
  here.put_late("known", at(100));
  core::ledger_row row;
  row.source_id = "known";
  row.status = core::delivery_status::delivered;
  row.target = core::target_state::active;
  row.remote_id = "1";
  row.delivered_content_changed_at = row.seen_content_changed_at = at(100);
  row.row_version = 1;
  here.write({row});
  CHECK(here.late().count == 0);
  here.put_late("known", at(120)); // changed meanwhile
  CHECK(here.late().count == 1);
}

TEST_CASE("a rule stands between connections, and the mirror may have nothing of its domain") {
  delivery_world here(GENERATE(from_range(engines())));
  const auto ends = [&] {
    const auto found = must(storage::read_rules_between(here.db()));
    REQUIRE(found.size() == 1);
    return found.front();
  };
  CHECK(ends().rule.name == here.rule.name);
  CHECK_FALSE(ends().has_records);
  here.put({"a"}, at(1));
  CHECK(ends().has_records);
  CHECK(ends().target_status == core::connection_status::active);
  here.execute("UPDATE connections SET status = 'error', status_reason = 'refused' WHERE name = 'crm'");
  CHECK(ends().target_status == core::connection_status::error);
  CHECK(ends().target_reason == "refused");
  here.execute("UPDATE connections SET deleted_at = 1 WHERE name = 'shop'");
  CHECK_FALSE(ends().source_connected);
  CHECK(ends().target_connected);
  here.execute("UPDATE sync_rules SET active = 0");
  CHECK(must(storage::read_rules_between(here.db())).empty());
}

TEST_CASE("sealed credentials are opened by the key they name, and by no other ring") {
  world here(GENERATE(from_range(engines())));
  here.add_rule();
  const auto opened = must(storage::read_sealed_credentials(here.db(), here.keys()));
  REQUIRE(opened.size() == 1);
  CHECK(opened.front().connection == "crm");
  CHECK(opened.front().key == "test");
  CHECK_FALSE(opened.front().fault);
  const auto closed = must(storage::read_sealed_credentials(here.db(), {}));
  REQUIRE(closed.size() == 1);
  REQUIRE(closed.front().fault);
  CHECK_THAT(*closed.front().fault, Catch::Contains("crm"));
}

TEST_CASE("the database's clock is read in microseconds of UTC") {
  world here(GENERATE(from_range(engines())));
  const auto before = std::chrono::system_clock::now();
  const auto read = must(storage::read_clock(here.db()));
  CHECK(read > before - 10s);
  CHECK(read < std::chrono::system_clock::now() + 10s);
}

TEST_CASE("a SQLite database that is well has a write-ahead log and no damage") {
  delivery_world here(storage::engine::sqlite);
  here.put({"a", "b"}, at(1));
  const auto facts = must(storage::read_sqlite_facts(here.db()));
  CHECK(facts.journal_mode == "wal");
  CHECK(facts.wal_bytes > 0);
  CHECK(facts.damage.empty());
}

TEST_CASE("a damaged SQLite database is found out") {
  delivery_world here(storage::engine::sqlite);
  std::vector<std::string> ids;
  for (int i = 0; i < 2000; ++i)
    ids.push_back("record-" + std::to_string(i));
  here.put(ids, at(1), R"({"text":")" + std::string(200, 'x') + "\"}");
  here.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  {
    std::fstream file(here.where().target, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(0, std::ios::end);
    file.seekp(file.tellp() / (2 * 4096) * 4096); // among the records: what is before tells of the tables
    file << std::string(20 * 4096, '\x5a');
  }
  auto db = here.session(storage::access::read);
  const auto facts = storage::read_sqlite_facts(db);
  CHECK((!facts || !facts->damage.empty()));
}

TEST_CASE("a SQLite database in memory has no write-ahead log") {
  auto db =
      must(storage::session::open({storage::engine::sqlite, "memory:checkup", {}}, storage::access::write));
  CHECK(must(storage::read_sqlite_facts(db)).journal_mode != "wal");
}

TEST_CASE("a PostgreSQL database tells its version, its texts and what is unsafe") {
  if (engines().size() < 2)
    return;
  world here(storage::engine::postgresql);
  const auto facts = must(storage::read_postgresql_facts(here.db()));
  CHECK(facts.version >= 150000);
  CHECK(facts.encoding == "UTF8");
  CHECK(facts.sorts_by_bytes);
  CHECK_FALSE(facts.read_only);
  CHECK_FALSE(facts.pooled);
  CHECK(facts.free_sessions > 0);
  CHECK_THAT(facts.unsafe, Catch::VectorContains(std::string("synchronous_commit = off"))); // the tests' own
  here.execute("ALTER TABLE mirror_records ALTER COLUMN source_id TYPE TEXT COLLATE \"POSIX\"");
  CHECK_FALSE(must(storage::read_postgresql_facts(here.db())).sorts_by_bytes);
}

TEST_CASE("the schema's versions are told, older and newer ones too") {
  world here({.kind = GENERATE(from_range(engines())), .migrated = false});
  CHECK(must(storage::read_schema_versions(here.db())).applied == 0);
  must(storage::migrate(here.db(), at()));
  const auto current = must(storage::read_schema_versions(here.db()));
  CHECK(current.applied == current.known);
  here.execute("INSERT INTO schema_migrations (version, name, applied_at) VALUES (999, 'later', 0)");
  CHECK(must(storage::read_schema_versions(here.db())).applied == 999);
}

TEST_CASE("a lease tells its node, how long it runs, and whether it was given back") {
  world here(GENERATE(from_range(engines())));
  CHECK_FALSE(must(storage::read_lease(here.db(), "node")));
  const auto granted = committed(
      here.db(), [](storage::session& db) { return storage::acquire_lease(db, "node", "node-a", 60s); });
  const auto held = must(storage::read_lease(here.db(), "node"));
  REQUIRE(held);
  CHECK(held->node == "node-a");
  CHECK(held->epoch == granted.mine.epoch);
  CHECK_FALSE(held->released);
  CHECK(held->remaining > 50s);
  committed(here.db(), [&](storage::session& db) { return storage::release_lease(db, granted.mine); });
  CHECK(must(storage::read_lease(here.db(), "node"))->released);
}

TEST_CASE("who holds a SQLite database's lock can be asked without taking it") {
  world here(storage::engine::sqlite);
  CHECK_FALSE(storage::file_lock::holder(here.where().target));
  {
    const auto lock = must(storage::file_lock::take(here.where().target));
    CHECK(storage::file_lock::holder(here.where().target) == std::to_string(::getpid()));
  }
  CHECK_FALSE(storage::file_lock::holder(here.where().target));
}
