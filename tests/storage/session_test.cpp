#include "storage/lease.hpp"
#include "storage/node_state.hpp"
#include "storage/runs.hpp"
#include "storage/schema.hpp"
#include "tests/storage/world.hpp"

#include <filesystem>

using namespace sluice;
using namespace sluice::tests;

TEST_CASE("a database is named by its engine and place") {
  CHECK(storage::parse_database("sqlite:/var/lib/sluice/sluice.db")->target == "/var/lib/sluice/sluice.db");
  CHECK(storage::parse_database("postgresql:host=/run dbname=x")->target == "host=/run dbname=x");
  const auto uri = storage::parse_database("postgresql://db.internal/sluice?sslmode=require");
  REQUIRE(uri.has_value());
  CHECK(uri->kind == storage::engine::postgresql);
  CHECK(uri->target == "postgresql://db.internal/sluice?sslmode=require");
  CHECK_FALSE(storage::parse_database("sqlite:").has_value());
  CHECK_FALSE(storage::parse_database("mysql://x").has_value());
  CHECK_FALSE(storage::parse_database("sqlite:/tmp/a\"b").has_value());
}

TEST_CASE("a database that cannot be reached is unavailable, without the engine's words") {
  const storage::database nowhere{storage::engine::sqlite, "/nowhere/canary-folder/x.db", {}};
  const auto sqlite = storage::session::open(nowhere, storage::access::write);
  REQUIRE_FALSE(sqlite.has_value());
  CHECK(sqlite.error().code == storage::error::unavailable);
  CHECK_THAT(sqlite.error().detail, !Catch::Contains("canary"));

  const storage::database closed{
      storage::engine::postgresql, "host=127.0.0.1 port=1 password=canary-password user=canary-user", {}};
  const auto postgresql = storage::session::open(closed, storage::access::write);
  REQUIRE_FALSE(postgresql.has_value());
  CHECK(postgresql.error().code == storage::error::unavailable);
  CHECK_THAT(postgresql.error().detail, !Catch::Contains("canary"));
}

TEST_CASE("a SQLite file may have blanks and signs in its path") {
  world here(storage::engine::sqlite);
  auto where = here.where();
  where.target += " of = this, 'node' 100%";
  auto db = must(storage::session::open(where, storage::access::write));
  must(storage::migrate(db, at()));
  CHECK(std::filesystem::exists(where.target));
}

TEST_CASE("what a transaction wrote is there after commit and gone after rollback") {
  world here(GENERATE(from_range(engines())));
  auto other = here.session(storage::access::read);
  must(here.db().begin());
  must(storage::write_heartbeat(here.db(), "dispatcher", at(1)));
  CHECK(here.db().in_transaction());
  CHECK_FALSE(must(storage::read_heartbeat(other, "dispatcher")).has_value());
  here.db().rollback();
  CHECK_FALSE(here.db().in_transaction());
  CHECK_FALSE(must(storage::read_heartbeat(here.db(), "dispatcher")).has_value());

  must(here.db().begin());
  must(storage::write_heartbeat(here.db(), "dispatcher", at(2)));
  must(here.db().commit());
  CHECK(must(storage::read_heartbeat(other, "dispatcher")) == at(2));
}

TEST_CASE("a session that goes in the middle of a transaction leaves nothing behind") {
  world here(GENERATE(from_range(engines())));
  {
    auto brief = here.session();
    must(brief.begin());
    must(storage::write_heartbeat(brief, "dispatcher", at(1)));
  }
  CHECK_FALSE(must(storage::read_heartbeat(here.db(), "dispatcher")).has_value());
  committed(here.db(),
            [](storage::session& db) { return storage::write_heartbeat(db, "dispatcher", at(2)); });
  CHECK(must(storage::read_heartbeat(here.db(), "dispatcher")) == at(2));
}

TEST_CASE("a reader's transaction sees one state whatever is committed meanwhile") {
  world here(GENERATE(from_range(engines())));
  must(storage::write_heartbeat(here.db(), "dispatcher", at(1)));
  auto reader = here.session(storage::access::read);
  must(reader.begin());
  CHECK(must(storage::read_heartbeat(reader, "dispatcher")) == at(1));
  must(storage::write_heartbeat(here.db(), "dispatcher", at(2)));
  CHECK(must(storage::read_heartbeat(reader, "dispatcher")) == at(1));
  must(reader.commit());
  CHECK(must(storage::read_heartbeat(reader, "dispatcher")) == at(2));
}

TEST_CASE("an error inside a transaction abandons it, and commit says so") {
  world here(GENERATE(from_range(engines())));
  must(here.db().begin());
  must(storage::write_heartbeat(here.db(), "dispatcher", at(1)));
  const auto opened = storage::open_run(here.db(), core::rule_id{404}, at());
  REQUIRE_FALSE(opened.has_value());
  CHECK(opened.error().code == storage::error::constraint);
  CHECK_FALSE(storage::write_heartbeat(here.db(), "other", at(1)).has_value());
  const auto commit = here.db().commit();
  REQUIRE_FALSE(commit.has_value());
  CHECK(commit.error().code == storage::error::constraint);
  CHECK_FALSE(here.db().in_transaction());
  CHECK_FALSE(must(storage::read_heartbeat(here.db(), "dispatcher")).has_value());
}

TEST_CASE("microseconds and integers past a double's reach survive") {
  world here(GENERATE(from_range(engines())));
  const auto instant = core::from_us((std::int64_t{1} << 53) + 1);
  must(storage::write_heartbeat(here.db(), "exact", instant));
  CHECK(must(storage::read_heartbeat(here.db(), "exact")) == instant);
  const auto rule = here.add_rule();
  const auto run = must(storage::open_run(here.db(), rule.id, at(0.123456)));
  must(storage::count_run(here.db(), run, {.examined = (std::int64_t{1} << 53) + 1}));
  const auto listed = must(storage::list_runs(here.db(), rule.id, 1));
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].counts.examined == (std::int64_t{1} << 53) + 1);
  CHECK(listed[0].started_at == at(0.123456));
}

TEST_CASE("text comes back byte for byte") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  for (const std::string text : {"", "'\"\\ :name $1 ?", "Grüße, 東京 \xF0\x9F\x9A\xB0", "a\nb\tc"}) {
    must(storage::save_window(here.db(), rule.target, text, at()));
    CHECK(must(storage::load_window(here.db(), rule.target)) == text);
  }
}

TEST_CASE("no failure shows a value that was bound") {
  world here(GENERATE(from_range(engines())));
  const std::string canary = "canary-5f1e";
  const auto foreign = storage::save_window(here.db(), core::connection_id{404}, canary, at());
  REQUIRE_FALSE(foreign.has_value());
  CHECK(foreign.error().code == storage::error::constraint);
  CHECK_THAT(foreign.error().detail, !Catch::Contains("canary"));
  CHECK_THAT(foreign.error().detail, Catch::Contains("SQL"));

  here.execute("ALTER TABLE heartbeats RENAME TO elsewhere");
  const auto missing = storage::write_heartbeat(here.db(), canary, at());
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().code == storage::error::schema);
  CHECK_THAT(missing.error().detail, !Catch::Contains("canary"));
}

TEST_CASE("a locked row or database is busy once the busy timeout is over") {
  world here({.kind = GENERATE(from_range(engines())), .busy_timeout = std::chrono::milliseconds{50}});
  must(storage::write_heartbeat(here.db(), "dispatcher", at(1)));
  must(here.db().begin());
  must(storage::write_heartbeat(here.db(), "dispatcher", at(2)));
  auto other = here.session();
  const auto blocked = storage::write_heartbeat(other, "dispatcher", at(3));
  REQUIRE_FALSE(blocked.has_value());
  CHECK(blocked.error().code == storage::error::busy);
  must(here.db().commit());
  must(storage::write_heartbeat(other, "dispatcher", at(3)));
}

TEST_CASE("a session whose connection was lost is unavailable until it is reopened") {
  const auto kinds = engines();
  if (kinds.size() < 2)
    return;
  world here(storage::engine::postgresql);
  must(storage::write_heartbeat(here.db(), "dispatcher", at(1)));
  here.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
      "WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%heartbeats%'");
  for (int round = 0; round < 2; ++round) {
    const auto lost = storage::write_heartbeat(here.db(), "dispatcher", at(2));
    REQUIRE_FALSE(lost.has_value());
    CHECK(lost.error().code == storage::error::unavailable);
  }
  must(here.db().reopen());
  must(storage::write_heartbeat(here.db(), "dispatcher", at(3)));
  CHECK(must(storage::read_heartbeat(here.db(), "dispatcher")) == at(3));
}

TEST_CASE("an in-memory database is shared by the sessions of its name and goes with the last") {
  const storage::database where{storage::engine::sqlite, "memory:session-test", {}};
  {
    auto writer = must(storage::session::open(where, storage::access::write));
    must(storage::migrate(writer, at()));
    auto reader = must(storage::session::open(where, storage::access::read));
    must(storage::write_heartbeat(writer, "dispatcher", at(1)));
    CHECK(must(storage::read_heartbeat(reader, "dispatcher")) == at(1));

    must(writer.begin());
    must(storage::write_heartbeat(writer, "dispatcher", at(2)));
    const auto meanwhile = storage::read_heartbeat(reader, "dispatcher");
    REQUIRE_FALSE(meanwhile.has_value()); // readers and the writer take turns here: there is no WAL
    CHECK(meanwhile.error().code == storage::error::busy);
    must(writer.commit());
    CHECK(must(storage::read_heartbeat(reader, "dispatcher")) == at(2));
  }
  auto again = must(storage::session::open(where, storage::access::write));
  CHECK_FALSE(storage::check_schema(again).has_value());
}
