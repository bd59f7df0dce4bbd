#include "storage/anchors.hpp"

#include "storage/array_text.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

/// The target holds what the row is about, active or not.
constexpr std::string_view has_reference = "target_state <> 'absent' AND deleted_at IS NULL";

std::vector<core::anchor> read_sqlite(session& db, core::rule_id parent,
                                      const std::vector<std::string>& source_ids) {
  std::vector<core::anchor> found;
  direct_statement row(db,
                       "SELECT remote_id FROM outbound_deliveries WHERE rule_id = ?1 AND source_id = ?2 AND "
                           + std::string(has_reference));
  row.bind(1, parent.value);
  for (const auto& source_id : source_ids) {
    row.bind(2, std::string_view(source_id));
    while (row.next())
      found.push_back({source_id, std::string(row.text(0))});
    row.reset();
  }
  return found;
}

/// The LIMIT keeps the planner, which may never have seen statistics, from reading the whole ledger.
std::vector<core::anchor> read_postgresql(session& db, core::rule_id parent,
                                          const std::vector<std::string>& source_ids) {
  array_text ids;
  for (const auto& source_id : source_ids)
    ids.add(std::string_view(source_id));
  query rows(db, "SELECT i.source_id, r.remote_id FROM unnest(CAST(:ids AS text[])) AS i (source_id) "
                 "CROSS JOIN LATERAL (SELECT * FROM outbound_deliveries WHERE rule_id = :rule "
                 "AND source_id = i.source_id LIMIT 1) AS r WHERE "
                     + std::string(has_reference));
  core::anchor one;
  rows.use("ids", ids.take()).use("rule", parent).into(one.source_id).into(one.remote_id);
  std::vector<core::anchor> found;
  while (rows.next())
    found.push_back(one);
  return found;
}

} // namespace

result<std::optional<core::rule_id>> find_parent_rule(session& db, const core::sync_rule& rule) {
  return guarded(db, "Finding a parent rule", [&]() -> std::optional<core::rule_id> {
    if (!rule.dependent())
      return std::nullopt;
    core::rule_id parent{};
    query rows(db, "SELECT id FROM sync_rules WHERE source_connection_id = :source "
                   "AND target_connection_id = :target AND domain = :domain AND direction = 'push_out' "
                   "AND deleted_at IS NULL");
    rows.use("source", rule.source).use("target", rule.target).use("domain", rule.anchor_domain);
    rows.into(parent).run();
    return parent ? std::optional{parent} : std::nullopt;
  });
}

result<std::vector<core::anchor>> read_anchors(session& db, core::rule_id parent,
                                               std::span<const std::string> source_ids) {
  return guarded(db, "Reading anchors", [&] {
    std::vector<std::string> wanted(source_ids.begin(), source_ids.end());
    std::ranges::sort(wanted);
    const auto repeated = std::ranges::unique(wanted);
    wanted.erase(repeated.begin(), repeated.end());
    return db.kind() == engine::sqlite ? read_sqlite(db, parent, wanted)
                                       : read_postgresql(db, parent, wanted);
  });
}

} // namespace sluice::storage
