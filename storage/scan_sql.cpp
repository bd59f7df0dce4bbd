#include "storage/scan_sql.hpp"

#include "storage/record_columns.hpp"

#include <array>
#include <string_view>

namespace sluice::storage {
namespace {

constexpr bool is_postgresql(engine kind) {
  return kind == engine::postgresql;
}

/// Rows of the range in scan order, from the covering index alone. SQLite uses a row comparison only up to
/// the first column where the second is the row id, which would read an import of one time from its start in
/// every batch; hence two ranges, which it merges.
std::string range(engine kind, std::string_view columns) {
  std::string select = "SELECT ";
  select += columns;
  select += " FROM mirror_records WHERE source_connection_id = :source AND domain = :domain AND ";
  if (is_postgresql(kind))
    return select
           + "(content_changed_at, id) > (:after_time, :after_id) AND content_changed_at < :until"
             " ORDER BY content_changed_at, id";
  return select + "content_changed_at = :after_time AND id > :after_id AND :after_time < :until UNION ALL "
         + select + "content_changed_at > :after_time AND content_changed_at < :until"
         + " ORDER BY content_changed_at, id";
}

constexpr std::string_view scan_columns = "id, source_id, content_changed_at, deleted_at, deletion_reason";

/// PostgreSQL numbers the rows on the way; SQLite would have to store them first.
std::string numbered_range(engine kind) {
  std::string columns{scan_columns};
  columns += is_postgresql(kind) ? ", row_number() OVER (ORDER BY content_changed_at, id) AS examined"
                                 : ", 0 AS examined";
  std::string text = "(";
  text.append(range(kind, columns)).append(" LIMIT :examine_limit");
  return text.append(") m");
}

/// The ledger row of each scanned row. On PostgreSQL the LIMIT keeps the planner, which may never have seen
/// statistics, from reading the whole ledger into a hash.
std::string with_ledger(engine kind) {
  if (is_postgresql(kind))
    return " LEFT JOIN LATERAL (SELECT * FROM outbound_deliveries o WHERE o.rule_id = :rule "
           "AND o.source_id = m.source_id LIMIT 1) r ON TRUE";
  return " LEFT JOIN outbound_deliveries r ON r.rule_id = :rule AND r.source_id = m.source_id";
}

std::string ledger_columns_renamed() {
  std::string columns{ledger_columns};
  columns.replace(columns.find("r.source_id"), 11, "r.source_id AS row_source_id");
  columns.replace(columns.find("r.deleted_at"), 12, "r.deleted_at AS row_deleted_at");
  return columns;
}

/// Fetches the payloads of what is left, and nothing else's. The inner order survives on SQLite, which runs
/// joins from left to right here (a LEFT JOIN and a subquery with a LIMIT leave it no choice).
std::string with_payload(engine kind, const std::string& kept) {
  std::string text =
      "SELECT c.id, c.source_id, c.content_changed_at, c.deleted_at, c.deletion_reason, p.payload, "
      "c.rule_id, "
      "c.row_source_id, c.status, c.target_state, c.remote_id, c.delivered_content_changed_at, "
      "c.seen_content_changed_at, c.seen_revision, c.attempts, c.next_attempt_at, c.error_class, c.error, "
      "c.create_generation, c.anchor_source_id, c.row_version, c.row_deleted_at, c.examined FROM ("
      + kept + ") c ";
  if (is_postgresql(kind))
    return text
           + "CROSS JOIN LATERAL (SELECT payload FROM mirror_records WHERE id = c.id LIMIT 1) p "
             "ORDER BY c.content_changed_at, c.id";
  return text + "CROSS JOIN mirror_records p ON p.id = c.id";
}

/// What a delta keeps, the contract in candidates.hpp.
std::string kept_by_delta(bool propagates_deletions, bool dependent) {
  std::string text = " WHERE (m.deleted_at IS NULL AND r.rule_id IS NULL) OR (r.rule_id IS NOT NULL AND "
                     + offered_by_delta(dependent) + " AND (m.deleted_at IS NULL";
  if (propagates_deletions)
    text += " OR (m.deletion_reason = 'source_event' AND " + std::string(withdrawable) + ")";
  return text + "))";
}

std::string delta(engine kind, bool propagates_deletions, bool dependent) {
  std::string kept = "SELECT m.id, m.source_id, m.content_changed_at, m.deleted_at, m.deletion_reason, "
                     + ledger_columns_renamed() + ", m.examined FROM " + numbered_range(kind)
                     + with_ledger(kind) + kept_by_delta(propagates_deletions, dependent);
  if (is_postgresql(kind))
    kept += " ORDER BY m.content_changed_at, m.id";
  return with_payload(kind, kept + " LIMIT :limit");
}

/// A backfill keeps every row it reads, so on PostgreSQL their payloads come with them.
std::string backfill(engine kind) {
  const std::string record =
      "SELECT m.id, m.source_id, m.content_changed_at, m.deleted_at, m.deletion_reason, ";
  if (is_postgresql(kind)) {
    std::string columns{scan_columns};
    std::string text = record + "m.payload, ";
    text.append(ledger_columns).append(", 0 AS examined FROM (").append(range(kind, columns += ", payload"));
    return text.append(" LIMIT :examine_limit) m")
        .append(with_ledger(kind))
        .append(" ORDER BY m.content_changed_at, m.id LIMIT :limit");
  }
  return with_payload(kind, record + ledger_columns_renamed() + ", m.examined FROM " + numbered_range(kind)
                                + with_ledger(kind) + " LIMIT :limit");
}

struct statements {
  explicit statements(engine kind)
      : deltas{delta(kind, false, false), delta(kind, false, true), delta(kind, true, false),
               delta(kind, true, true)},
        whole(backfill(kind)), window("SELECT count(*), max(content_changed_at) FROM ("
                                      + range(kind, "content_changed_at, id") + " LIMIT :examine_limit) w"),
        window_end("SELECT content_changed_at, id FROM (" + range(kind, "content_changed_at, id")
                   + " LIMIT 1 OFFSET :offset) w") {}

  std::array<std::string, 4> deltas;
  std::string whole;
  std::string window;
  std::string window_end;
};

const statements& of(engine kind) {
  static const statements sqlite(engine::sqlite);
  static const statements postgresql(engine::postgresql);
  return is_postgresql(kind) ? postgresql : sqlite;
}

} // namespace

std::string offered_by_delta(bool dependent) {
  std::string text = "r.deleted_at IS NULL AND CASE r.status WHEN 'failed' THEN r.next_attempt_at IS NULL "
                     "ELSE r.seen_content_changed_at < m.content_changed_at END "
                     "AND r.status NOT IN ('held', 'ambiguous', 'exhausted'";
  return text + (dependent ? ")" : ", 'remote_gone')");
}

const std::string& delta_sql(engine kind, bool propagates_deletions, bool dependent) {
  return of(kind).deltas[(propagates_deletions ? 2U : 0U) + (dependent ? 1U : 0U)];
}

const std::string& backfill_sql(engine kind) {
  return of(kind).whole;
}

const std::string& window_sql(engine kind) {
  return of(kind).window;
}

const std::string& window_end_sql(engine kind) {
  return of(kind).window_end;
}

} // namespace sluice::storage
