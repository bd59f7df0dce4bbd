#pragma once

#include "core/mirror_fault.hpp"
#include "core/rule.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What a database tells of itself when a person asks whether all is well. Nothing here writes, and nothing
// here judges: `sluice doctor` does.

namespace sluice::storage {

/// Now, by the database's clock.
[[nodiscard]] result<core::timestamp> read_clock(session& db);

struct sqlite_facts {
  std::string journal_mode;        ///< "wal" where all is well
  std::int64_t wal_bytes = 0;      ///< grows while a reader stays open
  std::vector<std::string> damage; ///< the first faults of PRAGMA quick_check, which reads the whole file
};
[[nodiscard]] result<sqlite_facts> read_sqlite_facts(session& db);

struct postgresql_facts {
  std::int64_t version = 0;        ///< 150004 is 15.4
  std::string encoding;            ///< "UTF8" where all is well
  bool read_only = false;          ///< a standby, or set so
  bool pooled = false;             ///< a pooler stands between
  bool sorts_by_bytes = true;      ///< the mirror's text keys have the collation "C"
  std::int64_t free_sessions = 0;  ///< of max_connections
  std::vector<std::string> unsafe; ///< settings that lose what was acknowledged, as "fsync = off"
};
[[nodiscard]] result<postgresql_facts> read_postgresql_facts(session& db);

/// A trigger of the schema, or the function it runs, that is not as the migrations made it.
struct schema_deviation {
  enum class kind : std::uint8_t { missing, disabled, altered };
  std::string name;
  kind what = kind::missing;
};
[[nodiscard]] result<std::vector<schema_deviation>> read_schema_deviations(session& db);

/// Whose credentials are sealed, with which key, and whether they open.
struct sealed_credentials {
  std::string connection;
  std::string key;                  ///< its name
  std::optional<std::string> fault; ///< why they do not open
};
[[nodiscard]] result<std::vector<sealed_credentials>> read_sealed_credentials(session& db,
                                                                              const crypto::key_ring& keys);

/// An active push-out rule and what it stands between.
struct rule_between {
  core::sync_rule rule;
  std::string source;
  std::string target;
  core::connection_status source_status = core::connection_status::active;
  core::connection_status target_status = core::connection_status::active;
  std::string target_reason;
  bool source_connected = true;
  bool target_connected = true;
  bool has_records = true; ///< the mirror has records of the rule's source and domain
};
[[nodiscard]] result<std::vector<rule_between>> read_rules_between(session& db);

/// Some records: how many they are, and the first few.
struct counted_records {
  std::int64_t count = 0;
  std::vector<std::string> examples; ///< source ids

  void add(const std::string& source_id);
};

/// Records a rule would deliver that lie before the place where its delta passes begin: committed later than
/// the overlap and past the triggers, so that no marker told of them. A backfill that is in progress still
/// comes to those before its bound. Reads the rule's mirror records from T0 on, by their index.
inline constexpr std::int64_t late_records_max = 10'000;
[[nodiscard]] result<counted_records> read_late_records(session& db, const core::sync_rule& rule,
                                                        core::duration overlap);

/// Records of a domain that were written otherwise than docs/mirror.md asks.
struct mirror_faults {
  std::string source;
  std::string domain;
  core::mirror_fault what = core::mirror_fault::payload;
  counted_records records;
};
/// Reads the whole mirror, payloads included.
[[nodiscard]] result<std::vector<mirror_faults>> read_mirror_faults(session& db, core::timestamp now);

/// What the mirror has and no rule reads: a name misspelt, or a rule not made yet.
struct unread_domain {
  std::string source;
  std::string domain;
};
[[nodiscard]] result<std::vector<unread_domain>> read_unread_domains(session& db);

/// Records the target holds whose mirror row was deleted instead of made a tombstone.
[[nodiscard]] result<counted_records> read_removed_records(session& db, const core::sync_rule& rule);

} // namespace sluice::storage
