#include "storage/ledger.hpp"

#include "storage/array_text.hpp"
#include "storage/record_columns.hpp"
#include "storage/soci_session.hpp"

#include <unordered_set>

namespace sluice::storage {
namespace {

/// The stored time of a trashed row is when it was first written so; live rows have none.
constexpr std::string_view sqlite_insert =
    "INSERT INTO outbound_deliveries (rule_id, source_id, status, target_state, remote_id, "
    "delivered_content_changed_at, seen_content_changed_at, seen_revision, attempts, next_attempt_at, "
    "error_class, error, create_generation, row_version, updated_at, deleted_at) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) "
    "ON CONFLICT (rule_id, source_id) DO NOTHING";

constexpr std::string_view sqlite_update =
    "UPDATE outbound_deliveries SET status = ?3, target_state = ?4, remote_id = ?5, "
    "delivered_content_changed_at = ?6, seen_content_changed_at = ?7, seen_revision = ?8, attempts = ?9, "
    "next_attempt_at = ?10, error_class = ?11, error = ?12, create_generation = ?13, row_version = ?14, "
    "updated_at = ?15, deleted_at = CASE WHEN ?16 IS NULL THEN NULL ELSE coalesce(deleted_at, ?16) END "
    "WHERE rule_id = ?1 AND source_id = ?2 AND row_version = ?14 - 1";

class sqlite_writer {
public:
  sqlite_writer(session& db, core::rule_id rule, core::timestamp now)
      : insert_(db, sqlite_insert), update_(db, sqlite_update), now_(now) {
    insert_.bind(1, rule.value).bind(15, now);
    update_.bind(1, rule.value).bind(15, now);
  }

  std::int64_t write(const core::ledger_row& row) {
    auto& statement = row.row_version == 1 ? insert_ : update_;
    statement.bind(2, row.source_id)
        .bind(3, core::to_string(row.status))
        .bind(4, core::to_string(row.target))
        .bind(5, row.remote_id)
        .bind(6, row.delivered_content_changed_at)
        .bind(7, row.seen_content_changed_at)
        .bind(8, row.seen_revision)
        .bind(9, std::int64_t{row.attempts})
        .bind(10, row.next_attempt_at)
        .bind(11, row.error_class)
        .bind(12, row.error)
        .bind(13, std::int64_t{row.create_generation})
        .bind(14, row.row_version)
        .bind(16, row.trashed ? std::optional(now_) : std::nullopt);
    return statement.run();
  }

private:
  direct_statement insert_;
  direct_statement update_;
  core::timestamp now_;
};

/// New rows are inserted where none is, others updated where the version fits; a row to update that is gone
/// is not made again. One statement, driven by the key alone, whatever the planner believes of the table.
constexpr std::string_view postgresql_write =
    "INSERT INTO outbound_deliveries AS o (rule_id, source_id, status, target_state, remote_id, "
    "delivered_content_changed_at, seen_content_changed_at, seen_revision, attempts, next_attempt_at, "
    "error_class, error, create_generation, row_version, updated_at, deleted_at) "
    "SELECT CAST(:rule AS bigint), i.source_id, i.status, i.target_state, i.remote_id, i.delivered, i.seen, "
    "i.revision, i.attempts, i.next_attempt, i.error_class, i.error, i.generation, i.version, "
    "CAST(:now AS bigint), CASE i.trashed WHEN 1 THEN CAST(:now AS bigint) END "
    "FROM unnest(CAST(:source_ids AS text[]), CAST(:statuses AS text[]), CAST(:targets AS text[]), "
    "CAST(:remote_ids AS text[]), CAST(:delivered AS bigint[]), CAST(:seen AS bigint[]), "
    "CAST(:revisions AS bigint[]), CAST(:attempts AS bigint[]), CAST(:next_attempts AS bigint[]), "
    "CAST(:error_classes AS text[]), CAST(:errors AS text[]), CAST(:generations AS bigint[]), "
    "CAST(:versions AS bigint[]), CAST(:trashed AS bigint[])) AS i (source_id, status, target_state, "
    "remote_id, delivered, seen, revision, attempts, next_attempt, error_class, error, generation, version, "
    "trashed) "
    "WHERE i.version = 1 OR (SELECT TRUE FROM outbound_deliveries x WHERE x.rule_id = :rule "
    "AND x.source_id = i.source_id LIMIT 1) "
    "ON CONFLICT (rule_id, source_id) DO UPDATE SET status = excluded.status, "
    "target_state = excluded.target_state, remote_id = excluded.remote_id, "
    "delivered_content_changed_at = excluded.delivered_content_changed_at, "
    "seen_content_changed_at = excluded.seen_content_changed_at, seen_revision = excluded.seen_revision, "
    "attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at, "
    "error_class = excluded.error_class, error = excluded.error, "
    "create_generation = excluded.create_generation, row_version = excluded.row_version, "
    "updated_at = excluded.updated_at, deleted_at = CASE WHEN excluded.deleted_at IS NULL THEN NULL "
    "ELSE coalesce(o.deleted_at, excluded.deleted_at) END "
    "WHERE o.row_version = excluded.row_version - 1";

/// The rows of one statement, column by column.
class row_arrays {
public:
  void add(const core::ledger_row& row) {
    source_ids_.add(std::string_view(row.source_id));
    statuses_.add(core::to_string(row.status));
    targets_.add(core::to_string(row.target));
    remote_ids_.add(std::string_view(row.remote_id));
    delivered_.add(row.delivered_content_changed_at);
    seen_.add(row.seen_content_changed_at);
    revisions_.add(row.seen_revision);
    attempts_.add(std::int64_t{row.attempts});
    next_attempts_.add(row.next_attempt_at);
    error_classes_.add(std::string_view(row.error_class));
    errors_.add(std::string_view(row.error));
    generations_.add(std::int64_t{row.create_generation});
    versions_.add(row.row_version);
    trashed_.add(std::int64_t{row.trashed});
  }

  std::int64_t write(session& db, core::rule_id rule, core::timestamp now) {
    query statement(db, postgresql_write);
    statement.use("rule", rule).use("now", now);
    statement.use("source_ids", source_ids_.take()).use("statuses", statuses_.take());
    statement.use("targets", targets_.take()).use("remote_ids", remote_ids_.take());
    statement.use("delivered", delivered_.take()).use("seen", seen_.take());
    statement.use("revisions", revisions_.take()).use("attempts", attempts_.take());
    statement.use("next_attempts", next_attempts_.take()).use("error_classes", error_classes_.take());
    statement.use("errors", errors_.take()).use("generations", generations_.take());
    statement.use("versions", versions_.take()).use("trashed", trashed_.take());
    return statement.run();
  }

private:
  array_text source_ids_, statuses_, targets_, remote_ids_, delivered_, seen_, revisions_, attempts_,
      next_attempts_, error_classes_, errors_, generations_, versions_, trashed_;
};

/// PostgreSQL refuses a statement that names a row twice: such a batch goes in parts, one after the other,
/// as it would on SQLite.
std::int64_t write_postgresql(session& db, core::rule_id rule, std::span<const core::ledger_row> rows,
                              core::timestamp now) {
  std::int64_t written = 0;
  row_arrays part;
  std::unordered_set<std::string_view> named;
  for (const auto& row : rows) {
    if (!named.insert(row.source_id).second) {
      written += part.write(db, rule, now);
      named = {row.source_id};
    }
    part.add(row);
  }
  return written + part.write(db, rule, now);
}

} // namespace

result<std::int64_t> write_ledger(session& db, core::rule_id rule, std::span<const core::ledger_row> rows,
                                  core::timestamp now) {
  return guarded(db, "Writing the ledger", [&]() -> std::int64_t {
    if (rows.empty())
      return 0;
    if (db.kind() == engine::postgresql)
      return write_postgresql(db, rule, rows, now);
    sqlite_writer writer(db, rule, now);
    std::int64_t written = 0;
    for (const auto& row : rows)
      written += writer.write(row);
    return written;
  });
}

} // namespace sluice::storage
