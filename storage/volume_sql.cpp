#include "storage/volume_sql.hpp"

#include "storage/record_columns.hpp"
#include "storage/scan_sql.hpp"

#include <array>

namespace sluice::storage {
namespace {

std::string counted(const std::string& rows) {
  return "SELECT count(*) FROM (SELECT 1 FROM " + rows + " LIMIT :most) AS counted";
}

/// Tombstones of the range from their own index, each with its ledger row. On PostgreSQL the LIMIT keeps the
/// planner from reading the whole ledger into a hash; SQLite is told index and order.
std::string tombstones_with_rows(engine kind) {
  const std::string range = "source_connection_id = :source AND domain = :domain "
                            "AND deletion_reason = 'source_event' AND content_changed_at < :until AND ";
  if (kind == engine::postgresql)
    return "(SELECT source_id, content_changed_at FROM mirror_records WHERE " + range
           + "(content_changed_at, id) > (:after_time, :after_id)) AS m CROSS JOIN LATERAL (SELECT * FROM "
             "outbound_deliveries o WHERE o.rule_id = :rule AND o.source_id = m.source_id LIMIT 1) AS r "
             "WHERE ";
  return "(SELECT source_id, content_changed_at FROM mirror_records INDEXED BY mirror_records_tombstones "
         "WHERE "
         + range
         + "content_changed_at >= :after_time AND (content_changed_at > :after_time OR id > :after_id)) AS m "
           "CROSS JOIN outbound_deliveries AS r ON r.rule_id = :rule AND r.source_id = m.source_id WHERE ";
}

std::string pending_in_delta(engine kind, bool dependent) {
  return counted(tombstones_with_rows(kind) + offered_by_delta(dependent) + " AND "
                 + std::string(withdrawable));
}

/// As core::decide has it. A row that is terminal has nothing at the target, save an exhausted one.
std::string pending_in_backfill(engine kind) {
  return counted(tombstones_with_rows(kind) + "r.deleted_at IS NULL AND " + std::string(withdrawable)
                 + " AND r.status NOT IN ('held', 'ambiguous', 'exhausted', 'remote_gone') "
                   "AND (r.status <> 'failed' OR r.next_attempt_at IS NULL OR r.next_attempt_at <= :now)");
}

std::string held(engine kind) {
  const std::string condition = "r.rule_id = :rule AND r.status = 'held' AND r.deleted_at IS NULL "
                                "AND m.deletion_reason = 'source_event'";
  if (kind == engine::postgresql)
    return counted("outbound_deliveries AS r CROSS JOIN " + mirror_lookup("r.source_id")
                   + " AS m WHERE m.source_id = r.source_id AND m.domain = :domain "
                     "AND m.source_connection_id = :source AND "
                   + condition);
  return counted(
      "outbound_deliveries AS r INDEXED BY outbound_deliveries_held CROSS JOIN mirror_records AS m "
      "ON m.source_connection_id = :source AND m.domain = :domain AND m.source_id = r.source_id "
      "WHERE "
      + condition);
}

struct statements {
  explicit statements(engine kind)
      : in_delta{pending_in_delta(kind, false), pending_in_delta(kind, true)},
        in_backfill(pending_in_backfill(kind)), of_held(held(kind)) {}

  std::array<std::string, 2> in_delta;
  std::string in_backfill;
  std::string of_held;
};

const statements& of(engine kind) {
  static const statements sqlite(engine::sqlite);
  static const statements postgresql(engine::postgresql);
  return kind == engine::postgresql ? postgresql : sqlite;
}

} // namespace

const std::string& pending_in_delta_sql(engine kind, bool dependent) {
  return of(kind).in_delta[dependent ? 1U : 0U];
}

const std::string& pending_in_backfill_sql(engine kind) {
  return of(kind).in_backfill;
}

const std::string& held_sql(engine kind) {
  return of(kind).of_held;
}

} // namespace sluice::storage
