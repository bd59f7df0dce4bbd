#include "storage/checkup.hpp"
#include "storage/dialect.hpp"
#include "storage/pooler.hpp"
#include "storage/soci_session.hpp"

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sluice::storage {
namespace {

constexpr std::int64_t damage_shown_max = 3;

std::int64_t size_of(const std::string& path) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(path, missing);
  return missing ? 0 : static_cast<std::int64_t>(size);
}

std::string text_of(session& db, const std::string& statement) {
  std::string text;
  query(db, statement).into(text).run();
  return text;
}

std::int64_t number_of(session& db, const std::string& statement) {
  std::int64_t number = 0;
  query(db, statement).into(number).run();
  return number;
}

std::vector<std::string> damage_of(session& db) {
  std::vector<std::string> damage;
  std::string line;
  query rows(db, "PRAGMA quick_check(" + std::to_string(damage_shown_max) + ")");
  rows.into(line);
  while (rows.next())
    if (line != "ok")
      damage.push_back(line);
  return damage;
}

/// Each loses what a commit acknowledged, when the machine or the server stops at the wrong moment.
std::vector<std::string> unsafe_settings(session& db) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> needed{{
      {"fsync", "on"},
      {"full_page_writes", "on"},
      {"synchronous_commit", "on"},
      {"session_replication_role", "origin"},
  }};
  std::vector<std::string> unsafe;
  for (const auto& [name, wanted] : needed) {
    const auto value = text_of(db, "SELECT current_setting('" + std::string(name) + "')");
    const bool stronger = value == "remote_apply" || value == "remote_write";
    if (value != wanted && !stronger)
      unsafe.push_back(std::string(name) + " = " + value);
  }
  return unsafe;
}

} // namespace

result<core::timestamp> read_clock(session& db) {
  return guarded(db, "Reading the database's clock", [&] {
    core::timestamp now{};
    query(db, "SELECT " + std::string(dialect::clock(db.kind()))).into(now).run();
    return now;
  });
}

result<sqlite_facts> read_sqlite_facts(session& db) {
  return guarded(db, "Looking at the SQLite database", [&] {
    sqlite_facts facts;
    facts.journal_mode = text_of(db, "PRAGMA journal_mode");
    facts.wal_bytes = size_of(db.raw().where.target + "-wal");
    facts.damage = damage_of(db);
    return facts;
  });
}

result<postgresql_facts> read_postgresql_facts(session& db) {
  return guarded(db, "Looking at the PostgreSQL database", [&] {
    postgresql_facts facts;
    facts.version = number_of(db, "SELECT CAST(current_setting('server_version_num') AS BIGINT)");
    facts.encoding = text_of(db, "SELECT current_setting('server_encoding')");
    facts.read_only =
        number_of(db, "SELECT CASE WHEN pg_is_in_recovery() "
                      "OR current_setting('default_transaction_read_only') = 'on' THEN 1 ELSE 0 END")
        == 1;
    facts.pooled = needed(behind_pooler(db));
    facts.sorts_by_bytes =
        number_of(db, "SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema() "
                      "AND table_name = 'mirror_records' AND column_name IN ('domain', 'source_id') "
                      "AND collation_name = 'C'")
        == 2;
    facts.free_sessions = number_of(
        db, "SELECT CAST(current_setting('max_connections') AS BIGINT) - (SELECT sum(numbackends) FROM "
            "pg_stat_database)");
    facts.unsafe = unsafe_settings(db);
    return facts;
  });
}

} // namespace sluice::storage
