#pragma once

#include "core/ledger.hpp"
#include "storage/candidates.hpp"
#include "storage/ledger.hpp"
#include "storage/mirror.hpp"
#include "tests/storage/world.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::tests {

/// A world with one rule, its mirror and its ledger.
struct delivery_world : world {
  explicit delivery_world(storage::engine kind, const rule_options& options = {})
      : world(kind), rule(add_rule(options)) {}

  storage::upsert_counts put(const std::vector<std::string>& source_ids, core::timestamp now,
                             const std::string& payload = "{}") {
    std::vector<storage::incoming_record> batch;
    for (const auto& id : source_ids)
      batch.push_back({id, payload});
    return committed(db(), [&](storage::session& within) {
      return storage::upsert_records(within, rule.source, rule.domain, batch, now);
    });
  }

  std::int64_t bury(const std::vector<std::string>& source_ids, core::timestamp now) {
    return committed(db(), [&](storage::session& within) {
      return storage::delete_records(within, rule.source, rule.domain, source_ids, now);
    });
  }

  core::mirror_record record(const std::string& source_id) {
    auto found = must(storage::find_record(db(), rule.source, rule.domain, source_id));
    REQUIRE(found);
    return *found;
  }

  std::int64_t write(const std::vector<core::ledger_row>& rows, core::timestamp now = at()) {
    return committed(
        db(), [&](storage::session& within) { return storage::write_ledger(within, rule.id, rows, now); });
  }

  [[nodiscard]] storage::scan_query scan(core::position after = {}) const {
    storage::scan_query query;
    query.rule = rule.id;
    query.source = rule.source;
    query.domain = rule.domain;
    query.after = after;
    query.deletes = rule.deletes;
    return query;
  }

  core::sync_rule rule;
};

/// A row that was delivered in the version seen; tests change what they are about.
inline core::ledger_row delivered_row(const std::string& source_id, core::timestamp seen) {
  core::ledger_row row;
  row.source_id = source_id;
  row.status = core::delivery_status::delivered;
  row.target = core::target_state::active;
  row.remote_id = "remote-" + source_id;
  row.delivered_content_changed_at = seen;
  row.seen_content_changed_at = seen;
  row.seen_revision = 1;
  row.row_version = 1;
  return row;
}

inline std::vector<std::string> source_ids(const std::vector<core::candidate>& candidates) {
  std::vector<std::string> ids;
  for (const auto& one : candidates)
    ids.push_back(one.record.id ? one.record.source_id : one.row->source_id);
  return ids;
}

} // namespace sluice::tests
