#include "storage/waiting_rows.hpp"

#include "storage/record_columns.hpp"
#include "storage/soci_session.hpp"

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

} // namespace sluice::storage
