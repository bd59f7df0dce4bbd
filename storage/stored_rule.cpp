#include "storage/stored_rule.hpp"

#include "storage/soci_session.hpp"

namespace sluice::storage {
namespace {

std::vector<stored_rule> read_rows(session& db, std::string_view condition,
                                   const std::function<void(query&)>& bind) {
  query rows(
      db, "SELECT r.id, r.public_id, r.name, r.source_connection_id, r.target_connection_id, r.domain, "
          "r.direction, r.active, r.update_mode, r.delete_policy, r.mapping, r.filter, r.revision, "
          "r.anchor_domain, r.anchor_pointer, r.updated_at, r.deleted_at, s.name, t.name, st.name, tt.name, "
          "c.rule_id FROM sync_rules AS r "
          "JOIN connections AS s ON s.id = r.source_connection_id "
          "JOIN connections AS t ON t.id = r.target_connection_id "
          "JOIN tenants AS st ON st.id = s.tenant_id JOIN tenants AS tt ON tt.id = t.tenant_id "
          "LEFT JOIN delivery_cursors AS c ON c.rule_id = r.id"
              + std::string(condition) + " ORDER BY r.name");
  stored_rule one;
  auto& rule = one.rule;
  std::string direction;
  std::string updates;
  std::string deletes;
  std::optional<std::int64_t> cursor;
  bind(rows);
  rows.into(rule.id).into(rule.public_id).into(rule.name).into(rule.source).into(rule.target);
  rows.into(rule.domain).into(direction).into(rule.active).into(updates).into(deletes).into(rule.mapping);
  rows.into(rule.filter).into(rule.revision).into(rule.anchor_domain).into(rule.anchor_pointer);
  rows.into(one.updated_at).into(one.deleted_at).into(one.source_name).into(one.target_name);
  rows.into(one.source_tenant).into(one.target_tenant);
  rows.into(cursor);
  std::vector<stored_rule> found;
  while (rows.next()) {
    rule.direction = known(core::parse_rule_direction(direction), "sync_rules.direction");
    rule.updates = known(core::parse_update_mode(updates), "sync_rules.update_mode");
    rule.deletes = known(core::parse_delete_policy(deletes), "sync_rules.delete_policy");
    one.has_cursor = cursor.has_value();
    found.push_back(one);
  }
  return found;
}

std::optional<stored_rule> first(std::vector<stored_rule> rows) {
  if (rows.empty())
    return std::nullopt;
  return std::move(rows.front());
}

} // namespace

result<std::vector<stored_rule>> read_rules(session& db) {
  return guarded(db, "Reading rules", [&] { return read_rows(db, "", [](query&) {}); });
}

result<std::optional<stored_rule>> read_rule(session& db, std::string_view name) {
  return guarded(db, "Reading a rule", [&] {
    return first(read_rows(db, " WHERE r.name = :name", [&](query& row) { row.use("name", name); }));
  });
}

result<std::optional<stored_rule>> read_rule(session& db, core::rule_id id) {
  return guarded(db, "Reading a rule", [&] {
    return first(read_rows(db, " WHERE r.id = :id", [&](query& row) { row.use("id", id); }));
  });
}

} // namespace sluice::storage
