#include "storage/migrations.hpp"
#include "storage/schema.hpp"
#include "tests/storage/world.hpp"

#include <array>

using namespace sluice;
using namespace sluice::tests;

namespace {

/// An installation as the first schema held it: a connection at either end, a rule half way through its
/// backfill, three records and what became of them.
constexpr const char* first_installation = R"(
INSERT INTO tenants (id, name, created_at) VALUES (1, 'acme', 10);
INSERT INTO connections (id, public_id, tenant_id, name, driver, settings, credentials, status, created_at, updated_at)
  VALUES (1, 'shop-id', 1, 'shop', 'mirror', '{}', '', 'active', 10, 10),
         (2, 'crm-id', 1, 'crm', 'rest', '{"base_url":"http://127.0.0.1:9"}', 'v1.test.sealed', 'active', 10, 10);
INSERT INTO sync_rules (id, public_id, name, source_connection_id, target_connection_id, domain, direction, active,
  update_mode, delete_policy, mapping, filter, revision, created_at, updated_at)
  VALUES (1, 'rule-id', 'to-crm', 1, 2, 'customers', 'push_out', 1, 'overwrite', 'ignore', '{"email":"/email"}', '', 3,
          10, 10);
INSERT INTO mirror_records (id, source_connection_id, domain, source_id, payload, content_changed_at)
  VALUES (1, 1, 'customers', 'a', '{"email":"a@x"}', 20), (2, 1, 'customers', 'b', '{"n":1.0}', 21),
         (3, 1, 'customers', 'c', '{}', 22);
INSERT INTO delivery_cursors (rule_id, delta_at, delta_id, previous_pass_at, change_counter, backfill_until,
  backfill_at, backfill_id, backfill_generation, updated_at) VALUES (1, 30, 2, 30, 4, 30, 21, 2, 1, 40);
INSERT INTO outbound_deliveries (rule_id, source_id, status, target_state, remote_id, delivered_content_changed_at,
  seen_content_changed_at, seen_revision, attempts, next_attempt_at, error_class, error, create_generation,
  row_version, updated_at)
  VALUES (1, 'a', 'delivered', 'active', 'r-1', 20, 20, 3, 0, NULL, '', '', 0, 1, 40),
         (1, 'b', 'failed', 'absent', '', NULL, 21, 3, 2, 99, 'http_503', 'no', 0, 2, 41);
INSERT INTO delivery_runs (id, public_id, rule_id, ending, reason, started_at, ended_at, created)
  VALUES (1, 'run-id', 1, 'completed', '', 35, 40, 1);
)";

/// Each table's columns as the first schema had them, in an order of their own.
constexpr std::array<std::pair<const char*, const char*>, 7> first_columns{{
    {"tenants", "id || '|' || name || '|' || created_at"},
    {"connections",
     "id || '|' || public_id || '|' || name || '|' || settings || '|' || credentials || '|' || status"},
    {"sync_rules",
     "id || '|' || public_id || '|' || name || '|' || domain || '|' || mapping || '|' || revision"},
    {"mirror_records", "id || '|' || source_id || '|' || payload || '|' || content_changed_at"},
    {"delivery_cursors",
     "rule_id || '|' || delta_at || '|' || delta_id || '|' || backfill_until || '|' || backfill_id"},
    {"outbound_deliveries",
     "source_id || '|' || status || '|' || remote_id || '|' || attempts || '|' || row_version"},
    {"delivery_runs", "id || '|' || public_id || '|' || ending || '|' || started_at || '|' || created"},
}};

std::vector<std::string> contents(const world& here) {
  std::vector<std::string> found;
  const auto aggregate = here.where().kind == storage::engine::sqlite
                             ? "SELECT group_concat(line, ';') FROM (SELECT "
                             : "SELECT string_agg(line, ';' ORDER BY line) FROM (SELECT ";
  for (const auto& [table, columns] : first_columns)
    found.push_back(
        here.value(std::string(aggregate) + columns + " AS line FROM " + table + " ORDER BY 1) AS lines"));
  return found;
}

} // namespace

TEST_CASE("an installation of the first schema is brought to this one with everything it holds") {
  world here({.kind = GENERATE(from_range(engines())), .migrated = false});
  must(storage::migrate(here.db(), at(), 1));
  CHECK_FALSE(storage::check_schema(here.db()));
  here.execute(first_installation);
  const auto before = contents(here);
  CHECK_THAT(before[3], Catch::Contains("{\"n\":1.0}"));

  const auto applied = must(storage::migrate(here.db(), at(1)));
  CHECK(applied.size() == storage::migrations().size() - 1);
  must(storage::check_schema(here.db()));
  CHECK(contents(here) == before);
  CHECK(here.value("SELECT known_records FROM delivery_cursors") == "1");
  CHECK(here.value("SELECT ended_run_ending FROM delivery_cursors") == "completed");
  CHECK(here.value("SELECT records FROM ledger_counts WHERE rule_id = 1 AND status = 'delivered'") == "1");
  CHECK(here.value("SELECT records FROM ledger_counts WHERE rule_id = 1 AND status = 'failed'") == "1");
}

TEST_CASE("a delivery that was on its way when the schema changed is interrupted, and due at once") {
  world here({.kind = GENERATE(from_range(engines())), .migrated = false});
  must(storage::migrate(here.db(), at(), 11));
  here.execute(R"(
INSERT INTO delivery_attempts (subscription_id, position, number, started_at, ended_at, ending)
  VALUES (1, 1, 1, 5, 6, 'transient'), (1, 1, 2, 7, NULL, NULL), (1, 2, 1, 5, NULL, NULL), (1, 2, 2, 7, 8, 'gone');
INSERT INTO event_deliveries (subscription_id, position, state, attempts, round_attempts, next_attempt_at, lease_until,
  created_at, updated_at) VALUES (1, 1, 'retrying', 2, 2, NULL, 900, 4, 7), (1, 2, 'dead', 2, 1, NULL, NULL, 4, 8),
         (1, 3, 'pending', 0, 0, 4, NULL, 4, 4);
)");
  must(storage::migrate(here.db(), at(1)));
  const auto count = [&](const std::string& rows) { return here.value("SELECT count(*) FROM " + rows); };
  CHECK(count("event_deliveries WHERE state = 'retrying' AND attempts = 2 AND row_version = 2 "
              "AND error_class = 'interrupted' AND updated_at > 900 AND next_attempt_at > 900")
        == "1");
  CHECK(count("event_deliveries WHERE row_version = 1 AND error_class = ''") == "2");
  CHECK(count("delivery_attempts WHERE ending = 'interrupted' AND number = 2 AND started_at = 7 "
              "AND ended_at > 900")
        == "1");
  CHECK(count("delivery_attempts WHERE ended_at IS NULL") == "1"); // superseded before
  CHECK(here.refuses("SELECT lease_until FROM event_deliveries"));
  CHECK(count("delivery_claims") == "0");
}

TEST_CASE("a migration stops where it is told to, and goes on from there") {
  world here({.kind = GENERATE(from_range(engines())), .migrated = false});
  const auto newest = std::ssize(storage::migrations());
  for (std::int64_t version = 1; version <= newest; ++version) {
    CHECK(must(storage::migrate(here.db(), at(), version)).size() == 1);
    CHECK(must(storage::read_schema_versions(here.db())).applied == version);
  }
  CHECK(must(storage::migrate(here.db(), at(), newest + 5)).empty());
}
