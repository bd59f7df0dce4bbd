#include "storage/due_sql.hpp"
#include "storage/ledger.hpp"
#include "storage/record_columns.hpp"
#include "storage/soci_session.hpp"

namespace sluice::storage {
namespace {

/// What follows a rule's own looks at an unknown create is asked for by the reconciler.
constexpr std::int64_t own_looks = core::own_looks_at_create;

} // namespace

result<std::optional<core::ledger_row>> find_ledger_row(session& db, core::rule_id rule,
                                                        std::string_view source_id) {
  return guarded(db, "Finding a ledger row", [&] {
    ledger_target target;
    std::optional<core::ledger_row> found;
    query rows(db, "SELECT " + std::string(ledger_columns)
                       + " FROM outbound_deliveries r WHERE r.rule_id = :rule AND r.source_id = :source_id");
    rows.use("rule", rule).use("source_id", source_id);
    target.bind(rows);
    while (rows.next())
      found = target.take();
    return found;
  });
}

result<std::vector<listed_ledger_row>> list_ledger(session& db, const ledger_filter& filter) {
  return guarded(db, "Listing the ledger", [&] {
    std::string text = "SELECT " + std::string(ledger_columns)
                       + ", r.updated_at FROM outbound_deliveries r WHERE r.rule_id = :rule "
                         "AND r.source_id > :after";
    if (filter.status)
      text += " AND r.status = :status";
    if (!filter.error_class.empty())
      text += " AND r.error_class = :error_class";
    if (filter.source_id)
      text += " AND r.source_id = :source_id";
    query rows(db, text + " ORDER BY r.source_id LIMIT :limit");
    rows.use("rule", filter.rule).use("after", filter.after_source_id).use("limit", filter.limit);
    if (filter.status)
      rows.use("status", core::to_string(*filter.status));
    if (!filter.error_class.empty())
      rows.use("error_class", filter.error_class);
    if (filter.source_id)
      rows.use("source_id", *filter.source_id);
    ledger_target target;
    core::timestamp updated_at{};
    target.bind(rows);
    rows.into(updated_at);
    std::vector<listed_ledger_row> listed;
    while (rows.next())
      if (auto row = target.take())
        listed.push_back({std::move(*row), updated_at});
    return listed;
  });
}

result<std::vector<core::ledger_row>> step_through_ledger(session& db, core::rule_id rule,
                                                          std::string_view after_source_id,
                                                          std::span<const std::int64_t> steps) {
  return guarded(db, "Stepping through the ledger", [&] {
    // The offset is in the inner query, which wants nothing but the key: passed rows are never fetched.
    const auto text = "SELECT " + std::string(ledger_columns)
                      + " FROM outbound_deliveries r WHERE r.rule_id = :rule AND r.source_id = ("
                        "SELECT s.source_id FROM outbound_deliveries s WHERE s.rule_id = :rule "
                        "AND s.source_id > :after ORDER BY s.source_id LIMIT 1 OFFSET :passed)";
    std::vector<core::ledger_row> found;
    std::string after(after_source_id);
    for (const auto step : steps) {
      ledger_target target;
      query rows(db, text);
      rows.use("rule", rule).use("after", after).use("passed", step - 1);
      target.bind(rows);
      std::optional<core::ledger_row> row;
      while (rows.next())
        row = target.take();
      if (!row)
        break;
      after = row->source_id;
      found.push_back(std::move(*row));
    }
    return found;
  });
}

result<std::map<core::delivery_status, std::int64_t>> count_ledger(session& db, core::rule_id rule) {
  return guarded(db, "Counting the ledger", [&] {
    std::map<core::delivery_status, std::int64_t> counts;
    std::string status;
    std::int64_t count = 0;
    query rows(db, "SELECT status, records FROM ledger_counts WHERE rule_id = :rule AND records > 0");
    rows.use("rule", rule).into(status).into(count);
    while (rows.next())
      counts.emplace(known(core::parse_delivery_status(status), "status"), count);
    return counts;
  });
}

result<std::optional<core::timestamp>> next_due(session& db, core::rule_id rule) {
  return guarded(db, "Reading when a rule falls due", [&] {
    std::optional<core::timestamp> due;
    query rows(db, "SELECT min(at) FROM (SELECT min(next_attempt_at) AS at FROM outbound_deliveries "
                   "WHERE rule_id = :rule AND next_attempt_at IS NOT NULL AND deleted_at IS NULL "
                   "UNION ALL SELECT min(settle_at) FROM delivery_intents "
                   "WHERE rule_id = :rule AND settle_at IS NOT NULL AND settle_attempts < :own "
                   "UNION ALL SELECT at FROM ("
                       + due_by_state_sql(db.kind(), due_of::one_rule) + ") AS by_state) AS moments");
    rows.use("rule", rule).use("own", own_looks).into(due).run();
    return due;
  });
}

result<std::vector<core::rule_due>> all_next_due(session& db) {
  return guarded(db, "Reading when rules fall due", [&] {
    std::vector<core::rule_due> all;
    core::rule_due one;
    query rows(db,
               "SELECT rule_id, min(at) FROM (SELECT rule_id, next_attempt_at AS at "
               "FROM outbound_deliveries WHERE next_attempt_at IS NOT NULL AND deleted_at IS NULL "
               "UNION ALL SELECT rule_id, settle_at FROM delivery_intents "
               "WHERE settle_at IS NOT NULL AND settle_attempts < :own "
               "UNION ALL SELECT rule_id, 0 FROM delivery_intent_batches UNION ALL SELECT rule_id, at FROM ("
                   + due_by_state_sql(db.kind(), due_of::every_rule)
                   + ") AS by_state) AS moments GROUP BY rule_id ORDER BY rule_id");
    rows.use("own", own_looks).into(one.rule).into(one.at);
    while (rows.next())
      all.push_back(one);
    return all;
  });
}

} // namespace sluice::storage
