#include "storage/waiting_rows.hpp"

#include "storage/record_columns.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>
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

std::string rows_to_reopen(const core::reopening& which) {
  std::string text = "SELECT source_id FROM outbound_deliveries WHERE rule_id = :rule "
                     "AND status IN ('remote_gone', 'exhausted') AND deleted_at IS NULL";
  if (which.source_id)
    return text + " AND source_id = :source_id";
  text += " AND source_id > :after";
  if (!which.error_class.empty())
    text += " AND error_class = :error_class";
  if (which.from)
    text += " AND updated_at >= :from";
  if (which.until)
    text += " AND updated_at < :until";
  return text + " ORDER BY source_id LIMIT :limit";
}

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

result<core::reopened> reopen_rows(session& db, const core::reopening& which, core::timestamp now) {
  return guarded(db, "Reopening rows", [&] {
    query rows(db, "UPDATE outbound_deliveries SET status = 'failed', attempts = 0, next_attempt_at = :now, "
                   "row_version = row_version + 1, updated_at = :now WHERE rule_id = :rule AND source_id IN ("
                       + rows_to_reopen(which)
                       + ") AND status IN ('remote_gone', 'exhausted') RETURNING source_id");
    rows.use("now", now).use("rule", which.rule);
    if (which.source_id) {
      rows.use("source_id", *which.source_id);
    } else {
      rows.use("after", which.after_source_id).use("limit", which.limit);
      if (!which.error_class.empty())
        rows.use("error_class", which.error_class);
      if (which.from)
        rows.use("from", *which.from);
      if (which.until)
        rows.use("until", *which.until);
    }
    core::reopened answer;
    std::string source_id;
    rows.into(source_id);
    while (rows.next()) {
      ++answer.rows;
      answer.last_source_id = std::max(answer.last_source_id, source_id);
    }
    if (which.source_id && answer.rows == 0)
      throw abandoned{{error::not_found, "The rule has no terminal row of this record: only what is "
                                         "remote_gone or exhausted can be offered again."}};
    answer.through = which.source_id || answer.rows < which.limit;
    return answer;
  });
}

} // namespace sluice::storage
