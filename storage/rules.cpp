#include "storage/rules.hpp"

#include "storage/anchors.hpp"
#include "storage/connections.hpp"
#include "storage/cursor.hpp"
#include "storage/parent_sql.hpp"
#include "storage/soci_session.hpp"
#include "storage/stored_rule.hpp"

namespace sluice::storage {
namespace {

result<bool> has_ledger(session& db, core::rule_id rule) {
  return guarded(db, "Looking for ledger rows", [&] {
    bool found = false;
    query(db, "SELECT 1 FROM outbound_deliveries WHERE rule_id = :rule LIMIT 1")
        .use("rule", rule)
        .into(found)
        .run();
    return found;
  });
}

/// Fills in the cursor. One that is missing is opened here: a first activation's, unless the ledger says
/// otherwise.
result<void> add_cursor(session& db, rule_context& context, core::timestamp now) {
  const auto& rule = context.rule;
  auto found = find_cursor(db, rule.id);
  if (!found)
    return std::unexpected{found.error()};
  if (*found) {
    context.cursor = **found;
    return {};
  }
  auto ledger = has_ledger(db, rule.id);
  if (!ledger)
    return std::unexpected{ledger.error()};
  auto opened = open_cursor(db, core::open_cursor(rule, now));
  if (!opened)
    return std::unexpected{opened.error()};
  context.cursor = *opened;
  context.cursor_opened = true;
  context.ledger_found = *ledger;
  return {};
}

} // namespace

result<std::vector<route>> list_routes(session& db) {
  return guarded(db, "Listing routes", [&] {
    query rows(db, "SELECT r.id, r.target_connection_id, "
                   "CASE WHEN s.status = 'active' AND s.deleted_at IS NULL AND t.status = 'active' "
                   "AND t.deleted_at IS NULL THEN 1 ELSE 0 END, "
                   "c.change_counter, c.completed_counter, "
                   "CASE WHEN c.backfill_until IS NULL THEN 0 ELSE 1 END, p.id "
                   "FROM sync_rules AS r JOIN connections AS s ON s.id = r.source_connection_id "
                   "JOIN connections AS t ON t.id = r.target_connection_id "
                   "LEFT JOIN delivery_cursors AS c ON c.rule_id = r.id LEFT JOIN sync_rules AS p ON "
                       + parent_of("r")
                       + " WHERE r.active = 1 AND r.direction = 'push_out' AND r.deleted_at IS NULL");
    route one;
    std::optional<std::int64_t> parent;
    rows.into(one.rule).into(one.target).into(one.open).into(one.change_counter).into(one.completed_counter);
    rows.into(one.backfilling).into(parent);
    std::vector<route> routes;
    while (rows.next()) {
      one.parent.reset();
      if (parent)
        one.parent = core::rule_id{*parent};
      routes.push_back(one);
    }
    return routes;
  });
}

result<core::connection> load_connection(session& db, core::connection_id id, const crypto::key_ring& keys) {
  auto row = read_connection(db, id);
  if (!row)
    return std::unexpected{row.error()};
  if (!*row || (*row)->deleted())
    return std::unexpected{failure{error::not_found, "The connection does not exist any more."}};
  auto& connection = (*row)->connection;
  if (auto opened = open_credentials(connection, keys); !opened)
    return std::unexpected{opened.error()};
  return std::move(connection);
}

namespace {

/// Everything but the cursor.
result<rule_context> context_without_cursor(session& db, core::rule_id rule, const crypto::key_ring& keys) {
  auto row = read_rule(db, rule);
  if (!row)
    return std::unexpected{row.error()};
  if (!*row || (*row)->deleted())
    return std::unexpected{failure{error::not_found, "The rule does not exist any more."}};
  rule_context context;
  context.rule = std::move((*row)->rule);
  auto source = load_connection(db, context.rule.source, keys);
  if (!source)
    return std::unexpected{source.error()};
  auto target = load_connection(db, context.rule.target, keys);
  if (!target)
    return std::unexpected{target.error()};
  auto parent = find_parent_rule(db, context.rule);
  if (!parent)
    return std::unexpected{parent.error()};
  context.parent = *parent;
  context.source = std::move(*source);
  context.target = std::move(*target);
  return context;
}

} // namespace

result<rule_context> load_rule(session& db, core::rule_id rule, const crypto::key_ring& keys,
                               core::timestamp now) {
  auto context = context_without_cursor(db, rule, keys);
  if (!context)
    return context;
  if (auto added = add_cursor(db, *context, now); !added)
    return std::unexpected{added.error()};
  return context;
}

result<rule_context> read_rule_context(session& db, core::rule_id rule, const crypto::key_ring& keys,
                                       core::timestamp now) {
  auto context = context_without_cursor(db, rule, keys);
  if (!context)
    return context;
  auto cursor = find_cursor(db, rule);
  if (!cursor)
    return std::unexpected{cursor.error()};
  context->cursor = cursor->value_or(core::open_cursor(context->rule, now));
  return context;
}

result<std::vector<core::sync_rule>> list_rules(session& db) {
  auto rows = read_rules(db);
  if (!rows)
    return std::unexpected{rows.error()};
  std::vector<core::sync_rule> listed;
  for (auto& row : *rows)
    if (!row.deleted())
      listed.push_back(std::move(row.rule));
  return listed;
}

result<std::optional<core::sync_rule>> find_rule(session& db, std::string_view name) {
  auto row = read_rule(db, name);
  if (!row)
    return std::unexpected{row.error()};
  if (!*row || (*row)->deleted())
    return std::nullopt;
  return std::move((*row)->rule);
}

result<std::vector<std::string>> list_tenants(session& db) {
  return guarded(db, "Listing tenants", [&] {
    query rows(db, "SELECT name FROM tenants ORDER BY name");
    std::string one;
    rows.into(one);
    std::vector<std::string> names;
    while (rows.next())
      names.push_back(one);
    return names;
  });
}

} // namespace sluice::storage
