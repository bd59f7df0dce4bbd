#include "storage/rules.hpp"

#include "storage/connections.hpp"
#include "storage/cursor.hpp"
#include "storage/soci_session.hpp"
#include "storage/stored_rule.hpp"

namespace sluice::storage {
namespace {

result<core::connection> load_connection(session& db, core::connection_id id, const crypto::key_ring& keys) {
  auto row = read_connection(db, id);
  if (!row)
    return std::unexpected{row.error()};
  if (!*row || (*row)->deleted)
    return std::unexpected{failure{error::not_found, "A connection of the rule does not exist any more."}};
  auto& connection = (*row)->connection;
  if (auto opened = open_credentials(connection, keys); !opened)
    return std::unexpected{opened.error()};
  return std::move(connection);
}

result<core::delivery_cursor> cursor_of(session& db, core::rule_id rule, core::timestamp now) {
  auto found = find_cursor(db, rule);
  if (!found)
    return std::unexpected{found.error()};
  if (*found)
    return **found;
  return open_cursor(db, core::open_cursor(rule, now));
}

} // namespace

result<std::vector<route>> list_routes(session& db) {
  return guarded(db, "Listing routes", [&] {
    query rows(db, "SELECT r.id, r.target_connection_id, "
                   "CASE WHEN s.status = 'active' AND s.deleted_at IS NULL AND t.status = 'active' "
                   "AND t.deleted_at IS NULL THEN 1 ELSE 0 END, "
                   "c.change_counter, c.completed_counter, "
                   "CASE WHEN c.backfill_until IS NULL THEN 0 ELSE 1 END "
                   "FROM sync_rules AS r JOIN connections AS s ON s.id = r.source_connection_id "
                   "JOIN connections AS t ON t.id = r.target_connection_id "
                   "LEFT JOIN delivery_cursors AS c ON c.rule_id = r.id "
                   "WHERE r.active = 1 AND r.direction = 'push_out' AND r.deleted_at IS NULL");
    route one;
    rows.into(one.rule).into(one.target).into(one.open).into(one.change_counter).into(one.completed_counter);
    rows.into(one.backfilling);
    std::vector<route> routes;
    while (rows.next())
      routes.push_back(one);
    return routes;
  });
}

result<rule_context> load_rule(session& db, core::rule_id rule, const crypto::key_ring& keys,
                               core::timestamp now) {
  auto row = read_rule(db, rule);
  if (!row)
    return std::unexpected{row.error()};
  if (!*row || (*row)->deleted)
    return std::unexpected{failure{error::not_found, "The rule does not exist any more."}};
  rule_context context;
  context.rule = std::move((*row)->rule);
  auto source = load_connection(db, context.rule.source, keys);
  if (!source)
    return std::unexpected{source.error()};
  auto target = load_connection(db, context.rule.target, keys);
  if (!target)
    return std::unexpected{target.error()};
  auto cursor = cursor_of(db, rule, now);
  if (!cursor)
    return std::unexpected{cursor.error()};
  context.source = std::move(*source);
  context.target = std::move(*target);
  context.cursor = *cursor;
  return context;
}

result<std::vector<core::sync_rule>> list_rules(session& db) {
  auto rows = read_rules(db);
  if (!rows)
    return std::unexpected{rows.error()};
  std::vector<core::sync_rule> listed;
  for (auto& row : *rows)
    if (!row.deleted)
      listed.push_back(std::move(row.rule));
  return listed;
}

result<std::optional<core::sync_rule>> find_rule(session& db, std::string_view name) {
  auto row = read_rule(db, name);
  if (!row)
    return std::unexpected{row.error()};
  if (!*row || (*row)->deleted)
    return std::nullopt;
  return std::move((*row)->rule);
}

} // namespace sluice::storage
