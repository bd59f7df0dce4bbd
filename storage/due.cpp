#include "storage/anchors.hpp"
#include "storage/array_text.hpp"
#include "storage/candidates.hpp"
#include "storage/connections.hpp"
#include "storage/due_sql.hpp"
#include "storage/record_columns.hpp"
#include "storage/soci_session.hpp"
#include "storage/stops.hpp"
#include "storage/volume.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

/// Both questions are answered by the first entry of an index: a drain with nothing to do costs this alone,
/// however many rows wait for later.
struct due_work {
  std::optional<core::timestamp> next_attempt;
  std::optional<std::int64_t> revision; ///< the oldest under which a row was refused or filtered
};

constexpr std::string_view oldest_revision =
    "SELECT min(seen_revision) FROM outbound_deliveries WHERE rule_id = :rule "
    "AND status IN ('undeliverable', 'filtered') AND deleted_at IS NULL AND seen_revision > :beyond";

due_work find_work(session& db, core::rule_id rule) {
  due_work found;
  query rows(db, "SELECT (SELECT min(next_attempt_at) FROM outbound_deliveries WHERE rule_id = :rule "
                 "AND next_attempt_at IS NOT NULL AND deleted_at IS NULL), ("
                     + std::string(oldest_revision) + ")");
  rows.use("rule", rule).use("beyond", std::int64_t{-1});
  rows.into(found.next_attempt).into(found.revision).run();
  return found;
}

std::optional<std::int64_t> next_revision(session& db, core::rule_id rule, std::int64_t beyond) {
  std::optional<std::int64_t> found;
  query rows(db, oldest_revision);
  rows.use("rule", rule).use("beyond", beyond).into(found).run();
  return found;
}

/// `chosen` names the ledger rows; SQLite is told the index, since the key of the table would do for the
/// order as well and reads every row of the rule.
std::string chunk_sql(engine kind, std::string_view index, std::string_view chosen) {
  std::string text = "SELECT " + std::string(mirror_columns) + ", " + std::string(ledger_columns)
                     + " FROM (SELECT * FROM outbound_deliveries ";
  if (kind == engine::sqlite)
    text += "INDEXED BY " + std::string(index) + " ";
  text += "WHERE rule_id = :rule AND " + std::string(chosen)
          + " AND deleted_at IS NULL AND source_id > :after ORDER BY source_id LIMIT :limit) r LEFT JOIN ";
  if (kind == engine::sqlite)
    text += "mirror_records m ON m.source_connection_id = :source AND m.domain = :domain "
            "AND m.source_id = r.source_id";
  else
    text += mirror_lookup("r.source_id")
            + " m ON m.source_id = r.source_id AND m.domain = :domain AND m.source_connection_id = :source";
  return text + " ORDER BY r.source_id";
}

void read_candidates(query& rows, std::vector<core::candidate>& found) {
  mirror_target record;
  ledger_target row;
  record.bind(rows);
  row.bind(rows);
  while (rows.next())
    found.push_back({record.take(), row.take()});
}

void read_chunk(session& db, const drain_query& wanted, const std::string& text, const char* parameter,
                std::int64_t value, std::vector<core::candidate>& found) {
  query rows(db, text);
  rows.use("rule", wanted.rule).use("source", wanted.source).use("domain", wanted.domain);
  rows.use("after", wanted.after_source_id).use("limit", wanted.limit).use(parameter, value);
  read_candidates(rows, found);
}

std::optional<core::rule_id> parent_of(session& db, const drain_query& wanted) {
  core::sync_rule child;
  child.source = wanted.source;
  child.target = wanted.target;
  child.anchor_domain = wanted.anchor_domain;
  return needed(find_parent_rule(db, child));
}

void read_by_state(session& db, const drain_query& wanted, const std::string& text,
                   std::optional<core::rule_id> parent, std::vector<core::candidate>& found) {
  query rows(db, text);
  rows.use("rule", wanted.rule).use("source", wanted.source).use("domain", wanted.domain);
  rows.use("after", wanted.after_source_id).use("limit", wanted.limit);
  if (parent)
    rows.use("parent", *parent);
  read_candidates(rows, found);
}

/// What of every part comes first in source id order, each row once.
void merge(std::vector<core::candidate>& found, std::int64_t limit) {
  std::ranges::sort(found, {},
                    [](const core::candidate& one) -> const std::string& { return one.row->source_id; });
  const auto repeated = std::ranges::unique(
      found, {}, [](const core::candidate& one) -> const std::string& { return one.row->source_id; });
  found.erase(repeated.begin(), repeated.end());
  if (std::ssize(found) > limit)
    found.erase(found.begin() + limit, found.end());
}

} // namespace

result<core::due_batch> read_due(session& db, const drain_query& query) {
  return in_snapshot(db, "Reading what is due", [&] {
    needed(require_connected(db, query.source));
    core::due_batch batch;
    auto& found = batch.candidates;
    const auto work = find_work(db, query.rule);
    if (work.next_attempt && *work.next_attempt <= query.now)
      read_chunk(db, query,
                 chunk_sql(db.kind(), "outbound_deliveries_waiting",
                           "next_attempt_at IS NOT NULL AND next_attempt_at <= :now"),
                 "now", core::to_us(query.now), found);
    for (auto revision = work.revision; revision && *revision < query.revision;
         revision = next_revision(db, query.rule, *revision))
      read_chunk(db, query,
                 chunk_sql(db.kind(), "outbound_deliveries_revision",
                           "status IN ('undeliverable', 'filtered') AND seen_revision = :revision"),
                 "revision", *revision, found);
    if (!needed(live_hold(db, query.rule)))
      read_by_state(db, query, unheld_chunk_sql(db.kind()), std::nullopt, found);
    if (const auto parent = parent_of(db, query))
      read_by_state(db, query, anchored_chunk_sql(db.kind()), parent, found);
    merge(found, query.limit);
    if (query.volume_window)
      batch.volume = needed(count_drain_volume(db, query));
    return batch;
  });
}

result<std::vector<core::candidate>> read_candidates(session& db, core::rule_id rule,
                                                     const std::vector<core::record_id>& records) {
  return guarded(db, "Reading candidates", [&] {
    std::vector<core::candidate> found;
    const std::string columns = "SELECT " + std::string(mirror_columns) + ", " + std::string(ledger_columns);
    if (db.kind() == engine::sqlite) {
      for (const auto record : records) {
        query rows(db, columns
                           + " FROM mirror_records m LEFT JOIN outbound_deliveries r ON r.rule_id = :rule "
                             "AND r.source_id = m.source_id WHERE m.id = :record");
        rows.use("rule", rule).use("record", record);
        read_candidates(rows, found);
      }
      return found;
    }
    array_text ids;
    for (const auto record : records)
      ids.add(record.value);
    query rows(db, columns
                       + " FROM unnest(CAST(:ids AS bigint[])) WITH ORDINALITY AS i (id, place) "
                         "CROSS JOIN LATERAL (SELECT * FROM mirror_records WHERE id = i.id LIMIT 1) m "
                         "LEFT JOIN LATERAL (SELECT * FROM outbound_deliveries WHERE rule_id = :rule "
                         "AND source_id = m.source_id LIMIT 1) r ON TRUE ORDER BY i.place");
    rows.use("ids", ids.take()).use("rule", rule);
    read_candidates(rows, found);
    return found;
  });
}

} // namespace sluice::storage
