#include "app/doctor_database.hpp"

#include "app/output.hpp"

namespace sluice::app {
namespace {

constexpr std::int64_t wal_bytes_max = std::int64_t{1} << 30; ///< the node cuts it back to 64 MiB when it can
constexpr std::int64_t postgresql_least = 150000;
constexpr std::int64_t sessions_beside = 10; ///< the writers, the watch, the API's own, and those of commands

std::string version_of(std::int64_t number) {
  return std::to_string(number / 10'000) + "." + std::to_string(number % 10'000);
}

std::string_view word(storage::schema_deviation::kind what) {
  switch (what) {
  case storage::schema_deviation::kind::missing:
    return "missing";
  case storage::schema_deviation::kind::disabled:
    return "disabled";
  case storage::schema_deviation::kind::altered:
    return "altered";
  }
  return "unknown";
}

finding judge_sessions(const storage::postgresql_facts& facts, const config::settings& settings) {
  const auto wanted = settings.database.readers + sessions_beside;
  const auto says = std::to_string(facts.free_sessions)
                    + " further sessions may be opened, a node opens up to " + std::to_string(wanted);
  if (facts.free_sessions < wanted)
    return wrong("sessions", says, "raise max_connections, or lower database.readers");
  return well("sessions", says);
}

finding judge_unsafe(const storage::postgresql_facts& facts) {
  if (facts.unsafe.empty())
    return well("durability", "what PostgreSQL acknowledges survives a power cut");
  return wrong("durability",
               joined(facts.unsafe, ", ")
                   + ": what was acknowledged may be lost, or changes go unnoticed, and records are "
                     "then sent twice or not at all",
               "set them back to their defaults for this database and its user");
}

} // namespace

finding judge_schema(const storage::schema_versions& versions) {
  const auto says = "the database has schema version " + std::to_string(versions.applied) + ", this program "
                    + std::to_string(versions.known);
  if (versions.applied > versions.known)
    return wrong("schema", says + ": it is newer, and no command of this program will touch it",
                 "use the version of sluice this database belongs to");
  if (versions.applied < versions.known)
    return wrong("schema", says, "run `sluice migrate`; a node does so when it starts");
  return well("schema", says);
}

findings judge_sqlite(const storage::sqlite_facts& facts) {
  findings found;
  if (facts.journal_mode == "wal")
    found.push_back(well("journal", "the journal mode is wal"));
  else
    found.push_back(wrong("journal",
                          "the journal mode is " + facts.journal_mode
                              + ", not wal: readers and the node stand in each other's way",
                          "put the database on a local disk; a network file system has no wal"));
  const auto wal = "the write-ahead log has " + grouped(facts.wal_bytes) + " bytes";
  if (facts.wal_bytes > wal_bytes_max)
    found.push_back(wrong("log", wal + ": something reads without an end and keeps it from being taken over",
                          "end the program that has a read transaction open on the database"));
  else
    found.push_back(well("log", wal));
  if (facts.damage.empty())
    found.push_back(well("integrity", "the database file is whole"));
  else
    found.push_back(wrong("integrity", "the database file is damaged: " + joined(facts.damage, ", "),
                          "stop the node and restore a backup, then run `sluice doctor --after-restore`"));
  return found;
}

findings judge_postgresql(const storage::postgresql_facts& facts, const config::settings& settings) {
  findings found;
  const auto server = "PostgreSQL is version " + version_of(facts.version);
  if (facts.version < postgresql_least)
    found.push_back(
        wrong("server", server + ", older than 15", "move the database to PostgreSQL 15 or newer"));
  else
    found.push_back(well("server", server));
  if (facts.read_only)
    found.push_back(wrong("writable", "the database takes no writes: it is a standby, or set to read only",
                          "name the primary in database.url, or set default_transaction_read_only to off"));
  if (facts.encoding == "UTF8" && facts.sorts_by_bytes)
    found.push_back(well("texts", "texts are UTF-8 and keys are sorted by their bytes"));
  else
    found.push_back(
        wrong("texts",
              facts.encoding == "UTF8" ? "the mirror's keys no longer have the collation \"C\""
                                       : "the database's encoding is " + facts.encoding + ", not UTF8",
              facts.encoding == "UTF8" ? "give mirror_records.domain and source_id COLLATE \"C\" again"
                                       : "make the database anew with ENCODING 'UTF8'"));
  if (facts.pooled)
    found.push_back(noted("pooler",
                          "a connection pooler stands before the database: changes are polled for once a "
                          "second instead of listened for"));
  found.push_back(judge_sessions(facts, settings));
  found.push_back(judge_unsafe(facts));
  return found;
}

finding judge_deviations(const std::vector<storage::schema_deviation>& deviations) {
  if (deviations.empty())
    return well("triggers", "the schema's triggers are there and as they were made");
  std::vector<std::string> texts;
  for (const auto& one : deviations)
    texts.push_back(one.name + " is " + std::string{word(one.what)});
  return wrong(
      "triggers", joined(texts, ", ") + ": changes may go unnoticed",
      "enable them again, or restore the schema's own from a fresh database; then start a backfill of the "
      "rules concerned");
}

bool node_facts::running() const {
  return lock_holder || (lease && !lease->released && lease->remaining > core::duration{});
}

finding judge_node(const node_facts& node, const config::settings& settings) {
  const auto stale = settings.delivery.heartbeat_stale_after;
  if (!node.running()) {
    const bool crashed = node.lease && !node.lease->released;
    return noted("node", crashed ? "no node works on this database; the last one, " + node.lease->node
                                       + ", ended without giving its lease back"
                                 : std::string{"no node works on this database"});
  }
  const auto who = node.lock_holder ? "process " + *node.lock_holder : "node " + node.lease->node;
  if (node.heartbeat && *node.heartbeat > stale)
    return wrong("node",
                 who + " holds the database, but its dispatcher gave no sign of life for "
                     + core::to_text(*node.heartbeat),
                 "look at its log, then restart it");
  return well("node", who + " works on this database");
}

} // namespace sluice::app
