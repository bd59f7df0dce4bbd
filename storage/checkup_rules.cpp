#include "crypto/seal.hpp"
#include "storage/candidates.hpp"
#include "storage/checkup.hpp"
#include "storage/connections.hpp"
#include "storage/cursor.hpp"
#include "storage/rules.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sluice::storage {
namespace {

constexpr std::size_t examples_max = 3; ///< of counted records
constexpr std::int64_t batch = 500;

/// How each active rule's ends stand, by its id.
std::map<core::rule_id, rule_between> read_ends(session& db) {
  std::map<core::rule_id, rule_between> found;
  core::rule_id id{};
  rule_between one;
  std::string source_status;
  std::string target_status;
  query rows(db, "SELECT r.id, s.name, t.name, s.status, t.status, t.status_reason, "
                 "CASE WHEN s.deleted_at IS NULL THEN 1 ELSE 0 END, "
                 "CASE WHEN t.deleted_at IS NULL THEN 1 ELSE 0 END, "
                 "CASE WHEN EXISTS (SELECT 1 FROM mirror_records AS m WHERE m.source_connection_id = s.id "
                 "AND m.domain = r.domain) THEN 1 ELSE 0 END FROM sync_rules AS r "
                 "JOIN connections AS s ON s.id = r.source_connection_id "
                 "JOIN connections AS t ON t.id = r.target_connection_id "
                 "WHERE r.direction = 'push_out' AND r.active = 1 AND r.deleted_at IS NULL");
  rows.into(id).into(one.source).into(one.target).into(source_status).into(target_status);
  rows.into(one.target_reason).into(one.source_connected).into(one.target_connected).into(one.has_records);
  while (rows.next()) {
    one.source_status = known(core::parse_connection_status(source_status), "connections.status");
    one.target_status = known(core::parse_connection_status(target_status), "connections.status");
    found.emplace(id, one);
  }
  return found;
}

/// Everything of the rule between T0, or the bound a backfill still works towards, and where delta begins.
scan_query passed_by(const core::sync_rule& rule, const core::delivery_cursor& cursor,
                     core::duration overlap) {
  scan_query wanted;
  wanted.rule = rule.id;
  wanted.source = rule.source;
  wanted.domain = rule.domain;
  wanted.after = {std::max(cursor.activated_at, cursor.backfill_until.value_or(cursor.activated_at)), {}};
  wanted.until = core::delta_pass_floor(cursor, overlap);
  wanted.deletes = rule.deletes;
  wanted.dependent = rule.dependent();
  wanted.limit = batch;
  return wanted;
}

sealed_credentials look_into(core::connection connection, const crypto::key_ring& keys) {
  sealed_credentials found;
  found.connection = connection.name;
  found.key = crypto::sealing_key_of(connection.credentials).value_or("");
  if (auto opened = open_credentials(connection, keys); !opened)
    found.fault = opened.error().detail;
  return found;
}

} // namespace

void counted_records::add(const std::string& source_id) {
  ++count;
  if (examples.size() < examples_max)
    examples.push_back(source_id);
}

result<std::vector<sealed_credentials>> read_sealed_credentials(session& db, const crypto::key_ring& keys) {
  auto connections = read_connections(db);
  if (!connections)
    return std::unexpected{connections.error()};
  std::vector<sealed_credentials> found;
  for (auto& one : *connections)
    if (!one.connection.credentials.empty())
      found.push_back(look_into(std::move(one.connection), keys));
  return found;
}

result<std::vector<rule_between>> read_rules_between(session& db) {
  const auto rules = list_rules(db);
  if (!rules)
    return std::unexpected{rules.error()};
  return guarded(db, "Reading what rules stand between", [&] {
    auto ends = read_ends(db);
    std::vector<rule_between> found;
    for (const auto& rule : *rules) {
      auto end = ends.find(rule.id);
      if (end == ends.end())
        continue;
      end->second.rule = rule;
      found.push_back(std::move(end->second));
    }
    return found;
  });
}

result<counted_records> read_late_records(session& db, const core::sync_rule& rule, core::duration overlap) {
  const auto cursor = find_cursor(db, rule.id);
  if (!cursor)
    return std::unexpected{cursor.error()};
  counted_records late;
  if (!*cursor)
    return late;
  auto wanted = passed_by(rule, **cursor, overlap);
  while (wanted.after.changed_at < *wanted.until && late.count < late_records_max) {
    const auto read = read_delta(db, wanted);
    if (!read)
      return std::unexpected{read.error()};
    for (const auto& candidate : read->candidates)
      late.add(candidate.record.source_id);
    if (read->through)
      break;
    wanted.after = read->examined_to;
  }
  return late;
}

} // namespace sluice::storage
