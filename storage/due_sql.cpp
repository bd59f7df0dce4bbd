#include "storage/due_sql.hpp"

#include "storage/parent_sql.hpp"
#include "storage/record_columns.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

/// What the rows of one rule are joined with; the expressions come from parameters or from the rule's row.
struct rule_terms {
  std::string rule;
  std::string parent;
  std::string source;
  std::string domain;
};

const rule_terms by_parameters{":rule", ":parent", ":source", ":domain"};
const rule_terms by_row{"c.id", "p.id", "c.source_connection_id", "c.domain"};

/// The mirror row of ledger row `r`; on PostgreSQL by the lookup that has one index only.
std::string mirror_of_row(engine kind, const rule_terms& of) {
  const std::string same = "m.source_connection_id = " + of.source + " AND m.domain = " + of.domain
                           + " AND m.source_id = r.source_id";
  if (kind == engine::postgresql)
    return " CROSS JOIN " + mirror_lookup(of.source, of.domain, "r.source_id") + " AS m WHERE " + same
           + " AND ";
  return " CROSS JOIN mirror_records AS m ON " + same + " WHERE ";
}

std::string rows_in(engine kind, std::string_view index) {
  std::string text = " FROM outbound_deliveries AS r";
  if (kind == engine::sqlite)
    text.append(" INDEXED BY ").append(index);
  return text;
}

/// A row whose record is a tombstone would be dropped by the drain and offered again for ever.
std::string anchored(engine kind, const rule_terms& of) {
  const std::string parents = "outbound_deliveries AS o WHERE o.rule_id = " + of.parent
                              + " AND o.source_id = r.anchor_source_id AND o.target_state <> 'absent' "
                                "AND o.deleted_at IS NULL";
  return rows_in(kind, "outbound_deliveries_awaiting") + mirror_of_row(kind, of) + "r.rule_id = " + of.rule
         + " AND r.status = 'awaiting_anchor' AND r.deleted_at IS NULL AND m.deleted_at IS NULL "
           "AND (SELECT 1 FROM "
         + parents + " LIMIT 1) = 1";
}

std::string unheld(engine kind, const rule_terms& of) {
  return rows_in(kind, "outbound_deliveries_held") + mirror_of_row(kind, of) + "r.rule_id = " + of.rule
         + " AND r.status = 'held' AND r.deleted_at IS NULL AND (m.deleted_at IS NULL "
           "OR (m.deletion_reason = 'source_event' "
           "AND (SELECT delete_policy FROM sync_rules WHERE id = "
         + of.rule + ") <> 'ignore'))";
}

std::string chunk(const std::string& rows) {
  return "SELECT " + std::string(mirror_columns) + ", " + std::string(ledger_columns) + rows
         + " AND r.source_id > :after ORDER BY r.source_id LIMIT :limit";
}

std::string exists(const std::string& rows) {
  return "(SELECT 1" + rows + " LIMIT 1) = 1";
}

/// Of every rule, those that have a held row at all are found first: there are few, however many rules.
std::string due_by_state(engine kind, due_of which) {
  const bool one = which == due_of::one_rule;
  const std::string only = one ? " AND c.id = :rule" : "";
  const std::string holders =
      one ? "sync_rules AS c"
          : "(SELECT DISTINCT rule_id FROM outbound_deliveries WHERE status = 'held') AS h "
            "JOIN sync_rules AS c ON c.id = h.rule_id";
  return "SELECT c.id AS rule_id, 0 AS at FROM " + holders + " WHERE c.deleted_at IS NULL" + only
         + " AND NOT EXISTS (SELECT 1 FROM delivery_stops AS d WHERE d.scope = 'rule' AND d.rule_id = c.id "
           "AND d.cause = 'volume_breaker' AND d.ended_at IS NULL) AND "
         + exists(unheld(kind, by_row))
         + " UNION ALL SELECT c.id, 0 FROM sync_rules AS c JOIN sync_rules AS p ON " + parent_of("c")
         + " WHERE c.deleted_at IS NULL" + only + " AND " + exists(anchored(kind, by_row));
}

struct statements {
  explicit statements(engine kind)
      : anchored_chunk(chunk(anchored(kind, by_parameters))),
        unheld_chunk(chunk(unheld(kind, by_parameters))), due_of_one(due_by_state(kind, due_of::one_rule)),
        due_of_every(due_by_state(kind, due_of::every_rule)) {}

  std::string anchored_chunk;
  std::string unheld_chunk;
  std::string due_of_one;
  std::string due_of_every;
};

const statements& of(engine kind) {
  static const statements sqlite(engine::sqlite);
  static const statements postgresql(engine::postgresql);
  return kind == engine::postgresql ? postgresql : sqlite;
}

} // namespace

const std::string& anchored_chunk_sql(engine kind) {
  return of(kind).anchored_chunk;
}

const std::string& unheld_chunk_sql(engine kind) {
  return of(kind).unheld_chunk;
}

const std::string& due_by_state_sql(engine kind, due_of which) {
  return which == due_of::one_rule ? of(kind).due_of_one : of(kind).due_of_every;
}

} // namespace sluice::storage
