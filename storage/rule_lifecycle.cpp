#include "storage/rule_lifecycle.hpp"

#include "storage/connections.hpp"
#include "storage/cursor.hpp"
#include "storage/rule_set.hpp"
#include "storage/rules.hpp"
#include "storage/soci_session.hpp"
#include "storage/stored_rule.hpp"

namespace sluice::storage {
namespace {

std::string quoted(std::string_view name) {
  return "Rule \"" + std::string(name) + "\"";
}

[[noreturn]] void refuse(std::string why) {
  throw abandoned{{error::refused, std::move(why)}};
}

/// With the configuration locked until the transaction ends.
stored_rule must_find(session& db, std::string_view name) {
  needed(lock_configuration(db));
  auto found = needed(read_rule(db, name));
  if (!found)
    throw abandoned{{error::not_found, quoted(name) + " does not exist."}};
  return std::move(*found);
}

stored_rule must_live(session& db, std::string_view name) {
  auto found = must_find(db, name);
  if (found.deleted())
    refuse(quoted(name) + " is deleted; restore it first.");
  return found;
}

rule_among_others as_planned(const stored_rule& one, bool planned) {
  return {one.rule, one.source_name, one.target_name, planned};
}

/// Every live rule, and this one.
std::vector<rule_among_others> rules_with(session& db, const stored_rule& mine) {
  std::vector<rule_among_others> rules{as_planned(mine, true)};
  for (const auto& one : needed(read_rules(db)))
    if (!one.deleted() && one.rule.id != mine.rule.id)
      rules.push_back(as_planned(one, false));
  return rules;
}

void refuse_disconnected(session& db, const stored_rule& rule) {
  for (const auto id : {rule.rule.source, rule.rule.target}) {
    const auto connection = needed(read_connection(db, id));
    if (connection && connection->deleted())
      refuse(quoted(rule.rule.name) + " needs connection \"" + connection->connection.name
             + "\", which is disconnected; reconnect it.");
  }
}

void write_deleted_at(session& db, core::rule_id rule, std::optional<core::timestamp> at,
                      core::timestamp now) {
  query(db, "UPDATE sync_rules SET deleted_at = :at, updated_at = :now WHERE id = :id")
      .use("at", at)
      .use("now", now)
      .use("id", rule)
      .run();
  needed(raise_configuration_version(db));
}

bool has_ledger_rows(session& db, core::rule_id rule) {
  std::int64_t one = 0;
  query(db, "SELECT 1 FROM outbound_deliveries WHERE rule_id = :rule LIMIT 1")
      .use("rule", rule)
      .into(one)
      .run();
  return one == 1;
}

} // namespace

result<core::sync_rule> switch_rule(session& db, std::string_view name, rule_switch to, core::timestamp now) {
  return guarded(db, "Switching a rule", [&] {
    auto found = must_live(db, name);
    auto& rule = found.rule;
    const bool active = to == rule_switch::on;
    if (rule.active == active)
      return std::move(rule);
    rule.active = active;
    query(db, "UPDATE sync_rules SET active = :active, updated_at = :now WHERE id = :id")
        .use("active", active)
        .use("now", now)
        .use("id", rule.id)
        .run();
    if (active && rule.direction == core::rule_direction::push_out && !found.has_cursor) {
      needed(consume_markers_before(db, rule.id));
      static_cast<void>(needed(open_cursor(db, core::open_cursor(rule, now))));
    }
    needed(raise_configuration_version(db));
    return std::move(rule);
  });
}

result<void> delete_rule(session& db, std::string_view name, core::timestamp now) {
  return guarded(db, "Deleting a rule", [&] {
    const auto found = must_live(db, name);
    const auto children = dependents_of(as_planned(found, true), rules_with(db, found));
    if (!children.empty())
      refuse(quoted(name) + " delivers the parents of rule \"" + children.front()
             + "\"; delete that one first.");
    write_deleted_at(db, found.rule.id, now, now);
  });
}

result<core::sync_rule> restore_rule(session& db, std::string_view name, core::timestamp now) {
  return guarded(db, "Restoring a rule", [&] {
    auto found = must_find(db, name);
    if (!found.deleted())
      refuse(quoted(name) + " is not deleted.");
    refuse_disconnected(db, found);
    if (const auto faults = rule_set_faults(rules_with(db, found)); !faults.empty())
      refuse(faults.front());
    write_deleted_at(db, found.rule.id, std::nullopt, now);
    return std::move(found.rule);
  });
}

result<void> force_delete_rule(session& db, std::string_view name) {
  return guarded(db, "Deleting a rule for good", [&] {
    const auto found = must_find(db, name);
    const auto children = dependents_of(as_planned(found, true), rules_with(db, found));
    if (!children.empty())
      refuse(quoted(name) + " delivers the parents of rule \"" + children.front()
             + "\"; delete that one first.");
    if (found.has_cursor || has_ledger_rows(db, found.rule.id))
      refuse(quoted(name)
             + " holds delivery state: without it an equal rule would create every record a second time. "
               "Delete it "
               "without --force; its state goes when one of its connections is purged.");
    for (const auto* table : {"delivery_stops", "delivery_runs", "rule_jobs"})
      query(db, std::string("DELETE FROM ") + table + " WHERE rule_id = :rule")
          .use("rule", found.rule.id)
          .run();
    query(db, "DELETE FROM sync_rules WHERE id = :rule").use("rule", found.rule.id).run();
    needed(raise_configuration_version(db));
  });
}

} // namespace sluice::storage
