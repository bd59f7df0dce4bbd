#include "storage/waiting_rows.hpp"

#include "storage/record_columns.hpp"
#include "storage/soci_session.hpp"
#include "storage/tenant_sql.hpp"

#include <string>

namespace sluice::storage {
namespace {

/// The intent of an ambiguous row, which is found by its record.
struct intent_target {
  core::intent made;
  std::optional<std::int64_t> record;

  void bind(query& rows) {
    rows.into(record).into(made.content_changed_at).into(made.create_generation).into(made.run);
    rows.into(made.made_at).into(made.idempotency_key).into(made.settle_at).into(made.settle_attempts);
  }

  [[nodiscard]] std::optional<core::intent> take(const std::string& source_id) {
    if (!record)
      return std::nullopt;
    made.record = core::record_id{*record};
    made.source_id = source_id;
    return made;
  }
};

/// Unknown creates `i` of rules `u`, and whether only a person can end them.
std::string unknown_creates(const core::tenant_scope& tenants) {
  return " FROM delivery_intents AS i JOIN sync_rules AS u ON u.id = i.rule_id "
         "LEFT JOIN outbound_deliveries AS d ON d.rule_id = i.rule_id AND d.source_id = i.source_id WHERE 1 "
         "= 1"
         + only_tenants(tenants, "u.source_connection_id, u.target_connection_id");
}

constexpr std::string_view for_person = "i.settle_at IS NULL AND d.status = 'ambiguous'";
constexpr std::string_view is_for_person =
    "CAST(CASE WHEN i.settle_at IS NULL AND d.status = 'ambiguous' THEN 1 ELSE 0 END AS BIGINT)";

} // namespace

result<std::vector<core::ambiguous_row>> list_ambiguous(session& db, const core::ambiguous_page& page) {
  return guarded(db, "Listing ambiguous rows", [&] {
    query rows(db, "SELECT " + std::string(ledger_columns)
                       + ", r.updated_at, i.record_id, i.content_changed_at, i.create_generation, i.run_id, "
                         "i.made_at, i.idempotency_key, i.settle_at, i.settle_attempts "
                         "FROM outbound_deliveries AS r LEFT JOIN delivery_intents AS i "
                         "ON i.rule_id = r.rule_id AND i.source_id = r.source_id "
                         "WHERE r.rule_id = :rule AND r.status = 'ambiguous' AND r.deleted_at IS NULL "
                         "AND r.source_id > :after ORDER BY r.source_id LIMIT :limit");
    rows.use("rule", page.rule).use("after", page.after_source_id).use("limit", page.limit);
    ledger_target target;
    core::timestamp since{};
    intent_target made;
    target.bind(rows);
    rows.into(since);
    made.bind(rows);
    std::vector<core::ambiguous_row> listed;
    while (rows.next()) {
      auto row = target.take();
      auto of_it = made.take(row->source_id);
      listed.push_back({std::move(*row), since, std::move(of_it)});
    }
    return listed;
  });
}

result<std::vector<core::unknown_create>> list_unknown_creates(session& db,
                                                               const core::unknown_create_page& page) {
  return guarded(db, "Listing unknown creates", [&] {
    auto text =
        "SELECT i.rule_id, i.record_id, u.name, i.source_id, i.made_at, i.settle_attempts, i.settle_at, "
        + std::string(is_for_person) + unknown_creates(page.tenants)
        + " AND (i.rule_id > :rule OR (i.rule_id = :rule AND i.record_id > :record))";
    if (page.for_people)
      text += " AND " + std::string(for_person);
    query rows(db, text + " ORDER BY i.rule_id, i.record_id LIMIT :limit");
    use_tenants(rows, page.tenants);
    rows.use("rule", page.after.rule).use("record", page.after.record).use("limit", page.limit);
    core::unknown_create one;
    std::int64_t needs_person = 0;
    rows.into(one.rule).into(one.record).into(one.rule_name).into(one.source_id).into(one.since);
    rows.into(one.looks).into(one.next_look).into(needs_person);
    std::vector<core::unknown_create> found;
    while (rows.next()) {
      one.needs_person = needs_person != 0;
      found.push_back(one);
    }
    return found;
  });
}

core::unsettled_counts::of_kind count_unknown_creates(session& db, const core::tenant_scope& tenants) {
  core::unsettled_counts::of_kind counted;
  query row(db, "SELECT count(*), CAST(coalesce(sum(" + std::string(is_for_person)
                    + "), 0) AS BIGINT), min(i.made_at), min(i.settle_at)" + unknown_creates(tenants));
  use_tenants(row, tenants);
  row.into(counted.targets).into(counted.for_people).into(counted.since).into(counted.next_look).run();
  return counted;
}

} // namespace sluice::storage
