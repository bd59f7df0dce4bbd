#include "storage/due_sql.hpp"
#include "storage/health_sql.hpp"
#include "storage/volume_sql.hpp"
#include "tests/storage/delivery_world.hpp"

#include <algorithm>
#include <cctype>

using namespace sluice;
using namespace sluice::tests;

namespace {

constexpr auto postgresql = storage::engine::postgresql;

/// One rule owns a ledger that is large enough for a plan to matter; 1 record in 200 is a tombstone.
struct large_world : delivery_world {
  explicit large_world(bool analysed) : delivery_world(postgresql) {
    const auto source = std::to_string(rule.source.value);
    execute(
        "INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, content_changed_at) "
        "SELECT "
        + source + ", 'customers', 'r' || n, '{}', n FROM generate_series(1, 40000) n");
    execute("UPDATE mirror_records SET deleted_at = 1, deletion_reason = 'source_event' WHERE id % 200 = 0");
    execute("INSERT INTO outbound_deliveries (rule_id, source_id, status, target_state, remote_id, "
            "seen_content_changed_at, seen_revision, row_version, updated_at) SELECT "
            + std::to_string(rule.id.value)
            + ", 'r' || n, CASE WHEN n % 500 = 0 THEN 'held' WHEN n % 501 = 0 THEN 'awaiting_anchor' "
              "ELSE 'delivered' END, 'active', 'x', 0, 1, 1, 1 FROM generate_series(1, 40000) n");
    if (analysed)
      execute("VACUUM ANALYZE mirror_records");
    if (analysed)
      execute("VACUUM ANALYZE outbound_deliveries");
  }

  /// What a rule leaves behind in months: runs, of which two are open, and stops that have ended.
  void leave_history() const {
    const auto id = std::to_string(rule.id.value);
    execute(
        "INSERT INTO delivery_runs (public_id, rule_id, ending, started_at, ended_at) SELECT 'run-' || n, "
        + id
        + ", CASE WHEN n > 2 THEN 'completed' END, n, CASE WHEN n > 2 THEN n END "
          "FROM generate_series(1, 20000) n");
    execute("INSERT INTO delivery_stops (public_id, scope, rule_id, cause, set_at, ended_at, resolution) "
            "SELECT 'stop-' || n, 'rule', "
            + id + ", 'manual', n, n, 'resumed' FROM generate_series(1, 20000) n");
    execute("VACUUM ANALYZE delivery_runs");
    execute("VACUUM ANALYZE delivery_stops");
  }

  /// The plan of a statement as the server makes it for a prepared one, of unknown or of known values.
  [[nodiscard]] std::string plan(const std::string& text, bool generic) const {
    return value("SET plan_cache_mode = " + std::string(generic ? "force_generic_plan" : "force_custom_plan")
                 + "; PREPARE looked_at AS " + numbered(text) + "; EXPLAIN (FORMAT JSON) EXECUTE looked_at"
                 + arguments);
  }

  /// The text with $1, $2, … for its names; their values are kept for EXECUTE.
  [[nodiscard]] std::string numbered(const std::string& text) const {
    std::vector<std::string> names;
    std::string made;
    for (std::size_t i = 0; i < text.size();) {
      const auto end = name_end(text, i);
      if (end == i) {
        made += text[i++];
        continue;
      }
      const auto name = text.substr(i + 1, end - i - 1);
      auto found = std::ranges::find(names, name);
      if (found == names.end())
        found = names.insert(names.end(), name);
      made += "$" + std::to_string(found - names.begin() + 1);
      i = end;
    }
    arguments.clear();
    for (const auto& name : names)
      arguments += (arguments.empty() ? "(" : ", ") + value_of(name);
    arguments += arguments.empty() ? "" : ")";
    return made;
  }

  /// Where the parameter that begins at `from` ends; `from` where none does. "::" is a cast.
  static std::size_t name_end(const std::string& text, std::size_t from) {
    if (text[from] != ':' || (from > 0 && text[from - 1] == ':'))
      return from;
    auto end = from + 1;
    while (end < text.size()
           && (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
      ++end;
    return end == from + 1 ? from : end;
  }

  [[nodiscard]] std::string value_of(const std::string& name) const {
    if (name == "rule" || name == "parent")
      return std::to_string(rule.id.value);
    if (name == "source")
      return std::to_string(rule.source.value);
    if (name == "domain")
      return "'customers'";
    if (name == "after")
      return "''";
    return name == "after_time" || name == "after_id" ? "0" : "9000000000000000000";
  }

  mutable std::string arguments;
};

bool reads_whole(const std::string& plan, const std::string& table) {
  for (auto at = plan.find("\"Seq Scan\""); at != std::string::npos; at = plan.find("\"Seq Scan\"", at + 1)) {
    const auto relation = plan.find("\"Relation Name\": \"", at);
    if (relation != std::string::npos && plan.compare(relation + 18, table.size() + 1, table + "\"") == 0)
      return true;
  }
  return false;
}

bool on_postgresql() {
  return std::ranges::count(engines(), postgresql) > 0;
}

} // namespace

TEST_CASE("the volume breaker's count and what is due never read the whole mirror or ledger") {
  if (!on_postgresql())
    return;
  const large_world world(GENERATE(true, false));
  const bool generic = GENERATE(true, false);
  for (const auto& text :
       {storage::pending_in_delta_sql(postgresql, false), storage::pending_in_delta_sql(postgresql, true),
        storage::pending_in_backfill_sql(postgresql), storage::held_sql(postgresql),
        storage::anchored_chunk_sql(postgresql), storage::unheld_chunk_sql(postgresql),
        storage::due_by_state_sql(postgresql, storage::due_of::one_rule)}) {
    const auto plan = world.plan(text, generic);
    INFO(plan);
    CHECK_FALSE(reads_whole(plan, "mirror_records"));
    CHECK_FALSE(reads_whole(plan, "outbound_deliveries"));
  }
}

TEST_CASE("the volume breaker's count finds tombstones and held rows by their own indexes") {
  if (!on_postgresql())
    return;
  const large_world world(GENERATE(true, false));
  const bool generic = GENERATE(true, false);
  const auto uses = [&](const std::string& text, const std::string& index) {
    return world.plan(text, generic).find("\"Index Name\": \"" + index + "\"") != std::string::npos;
  };
  CHECK(uses(storage::pending_in_delta_sql(postgresql, false), "mirror_records_tombstones"));
  CHECK(uses(storage::pending_in_delta_sql(postgresql, false), "outbound_deliveries_pkey"));
  CHECK(uses(storage::pending_in_backfill_sql(postgresql), "mirror_records_tombstones"));
  CHECK(uses(storage::held_sql(postgresql), "outbound_deliveries_held"));
}

TEST_CASE(
    "the health of all rules reads no ledger and no mirror, and of runs and stops only those in force") {
  if (!on_postgresql())
    return;
  const large_world world(true);
  world.leave_history();
  const bool generic = GENERATE(true, false);
  for (const auto which : {storage::facts_of::every_rule, storage::facts_of::one_rule}) {
    const auto plan = world.plan(storage::rule_facts_sql(which), generic);
    INFO(plan);
    CHECK(plan.find("outbound_deliveries") == std::string::npos);
    CHECK(plan.find("mirror_records") == std::string::npos);
    CHECK_FALSE(reads_whole(plan, "delivery_runs"));
    CHECK_FALSE(reads_whole(plan, "delivery_stops"));
  }
}

TEST_CASE("a plan that reads a whole table is noticed") {
  if (!on_postgresql())
    return;
  const large_world world(true);
  CHECK(reads_whole(world.plan("SELECT count(*) FROM outbound_deliveries WHERE error = 'x'", true),
                    "outbound_deliveries"));
}
