#include "crypto/random.hpp"
#include "storage/apply_plan.hpp"
#include "storage/apply_subscriptions.hpp"
#include "storage/cursor.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

void make_tenant(session& db, const std::string& name, core::timestamp now) {
  query(db, "INSERT INTO tenants (public_id, name, created_at) VALUES (:public_id, :name, :now)")
      .use("public_id", crypto::uuid_v7(now))
      .use("name", name)
      .use("now", now)
      .run();
}

/// What both statements of a connection bind.
void bind_connection(query& statement, const core::connection& wish, std::string sealed,
                     core::timestamp now) {
  statement.use("tenant", wish.tenant).use("driver", wish.driver).use("settings", wish.settings);
  statement.use("credentials", std::move(sealed)).use("now", now);
}

result<void> write_connection(session& db, apply_plan::connection& entry, const crypto::key_ring& keys,
                              core::timestamp now) {
  auto& wish = entry.wish;
  if (!entry.stored)
    wish.public_id = crypto::uuid_v7(now);
  auto sealed = seal_credentials(wish, keys);
  if (!sealed)
    return std::unexpected{sealed.error()};
  return guarded(db, "Writing a connection", [&] {
    if (entry.stored) {
      const bool keeps = wish.credentials.empty();
      query update(db, "UPDATE connections SET tenant_id = (SELECT id FROM tenants WHERE name = :tenant), "
                       "driver = :driver, settings = :settings, credentials = :credentials, "
                       "status = CASE status WHEN 'error' THEN 'active' ELSE status END, "
                       "status_reason = CASE status WHEN 'error' THEN '' ELSE status_reason END, "
                       "updated_at = :now WHERE id = :id");
      bind_connection(update, wish, keeps ? entry.stored->connection.credentials : std::move(*sealed), now);
      update.use("id", wish.id).run();
      return;
    }
    query insert(db, "INSERT INTO connections (public_id, tenant_id, name, driver, settings, credentials, "
                     "status, status_reason, created_at, updated_at) "
                     "SELECT CAST(:public_id AS TEXT), t.id, CAST(:name AS TEXT), CAST(:driver AS TEXT), "
                     "CAST(:settings AS TEXT), CAST(:credentials AS TEXT), CAST(:status AS TEXT), "
                     "CAST(:reason AS TEXT), CAST(:now AS BIGINT), CAST(:now AS BIGINT) "
                     "FROM tenants AS t WHERE t.name = :tenant");
    bind_connection(insert, wish, std::move(*sealed), now);
    insert.use("public_id", wish.public_id).use("name", wish.name);
    insert.use("status", core::to_string(wish.status)).use("reason", wish.status_reason).run();
  });
}

/// What both statements of a rule bind.
void bind_rule(query& statement, const apply_plan::rule& entry, core::timestamp now) {
  const auto& rule = entry.wish.rule;
  statement.use("source", entry.wish.source_name).use("target", entry.wish.target_name);
  statement.use("domain", rule.domain).use("direction", core::to_string(rule.direction));
  statement.use("active", rule.active).use("updates", core::to_string(rule.updates));
  statement.use("deletes", core::to_string(rule.deletes)).use("mapping", rule.mapping);
  statement.use("filter", rule.filter).use("revision", rule.revision);
  statement.use("anchor_domain", rule.anchor_domain).use("anchor_pointer", rule.anchor_pointer);
  statement.use("now", now);
}

void update_rule(session& db, const apply_plan::rule& entry, core::timestamp now) {
  query update(db, "UPDATE sync_rules SET "
                   "source_connection_id = (SELECT id FROM connections WHERE name = :source), "
                   "target_connection_id = (SELECT id FROM connections WHERE name = :target), "
                   "domain = :domain, direction = :direction, active = :active, update_mode = :updates, "
                   "delete_policy = :deletes, mapping = :mapping, filter = :filter, revision = :revision, "
                   "anchor_domain = :anchor_domain, anchor_pointer = :anchor_pointer, "
                   "updated_at = :now WHERE id = :id");
  bind_rule(update, entry, now);
  update.use("id", entry.wish.rule.id).run();
}

core::rule_id insert_rule(session& db, const apply_plan::rule& entry, core::timestamp now) {
  core::rule_id made{};
  query insert(db, "INSERT INTO sync_rules (public_id, name, source_connection_id, target_connection_id, "
                   "domain, direction, active, update_mode, delete_policy, mapping, filter, revision, "
                   "anchor_domain, anchor_pointer, created_at, updated_at) "
                   "VALUES (:public_id, :name, (SELECT id FROM connections WHERE name = :source), "
                   "(SELECT id FROM connections WHERE name = :target), :domain, :direction, :active, "
                   ":updates, :deletes, :mapping, :filter, :revision, :anchor_domain, :anchor_pointer, "
                   ":now, :now) RETURNING id");
  bind_rule(insert, entry, now);
  insert.use("public_id", crypto::uuid_v7(now)).use("name", entry.wish.rule.name).into(made).run();
  return made;
}

result<void> write_rule(session& db, const apply_plan::rule& entry, core::timestamp now) {
  auto written = guarded(db, "Writing a rule", [&] {
    if (!entry.stored)
      return insert_rule(db, entry, now);
    if (!entry.fields.empty())
      update_rule(db, entry, now);
    return entry.stored->rule.id;
  });
  if (!written)
    return std::unexpected{written.error()};
  const auto& rule = entry.wish.rule;
  const bool delivers = rule.active && rule.direction == core::rule_direction::push_out;
  if (!delivers || (entry.stored && entry.stored->has_cursor))
    return {};
  auto activated = rule;
  activated.id = *written;
  if (auto consumed = consume_markers_before(db, activated.id); !consumed)
    return consumed;
  auto opened = open_cursor(db, core::open_cursor(activated, now));
  if (!opened)
    return std::unexpected{opened.error()};
  return {};
}

result<void> write_plan(session& db, apply_plan& plan, const std::string& by, const crypto::key_ring& keys,
                        core::timestamp now) {
  auto tenants = guarded(db, "Writing tenants", [&] {
    for (const auto& tenant : plan.tenants)
      if (!tenant.exists)
        make_tenant(db, tenant.name, now);
  });
  if (!tenants)
    return tenants;
  for (auto& entry : plan.connections) {
    if (entry.stored && entry.fields.empty())
      continue;
    if (auto written = write_connection(db, entry, keys, now); !written)
      return written;
  }
  for (const auto& entry : plan.rules)
    if (auto written = write_rule(db, entry, now); !written)
      return written;
  for (const auto& entry : plan.subscriptions)
    if (auto written = write_subscription(db, entry, by, keys, now); !written)
      return written;
  return {};
}

constexpr auto subscription_kind = "subscription";

const char* word(bool exists, bool changes) {
  if (!exists)
    return "create";
  return changes ? "change" : "same";
}

std::vector<configuration_change> describe(const apply_plan& plan) {
  std::vector<configuration_change> changes;
  changes.reserve(plan.tenants.size() + plan.connections.size() + plan.rules.size()
                  + plan.subscriptions.size());
  for (const auto& tenant : plan.tenants)
    changes.push_back({"tenant", tenant.name, word(tenant.exists, false), {}});
  for (const auto& entry : plan.connections)
    changes.push_back(
        {"connection", entry.wish.name, word(entry.stored.has_value(), !entry.fields.empty()), entry.fields});
  for (const auto& entry : plan.rules)
    changes.push_back(
        {"rule", entry.wish.rule.name, word(entry.stored.has_value(), !entry.fields.empty()), entry.fields});
  for (const auto& entry : plan.subscriptions)
    changes.push_back({subscription_kind, entry.wished.name,
                       word(entry.stored.has_value(), !entry.fields.empty()), entry.fields,
                       entry.wished.tenant});
  return changes;
}

failure refused(const std::vector<std::string>& sentences) {
  failure all{error::refused, {}};
  for (const auto& sentence : sentences)
    all.detail += (all.detail.empty() ? "" : " ") + sentence;
  return all;
}

} // namespace

result<std::vector<configuration_change>> apply_configuration(session& db, const configuration& plan,
                                                              const crypto::key_ring& keys,
                                                              core::timestamp now, bool write) {
  if (write) {
    if (auto locked = lock_configuration(db); !locked)
      return std::unexpected{locked.error()};
    if (auto locked = lock_tenants_of(db, plan.subscriptions); !locked)
      return std::unexpected{locked.error()};
  }
  auto compared = compare_configuration(db, plan, keys);
  if (!compared)
    return std::unexpected{compared.error()};
  if (!compared->refusals.empty())
    return std::unexpected{refused(compared->refusals)};
  auto changes = describe(*compared);
  if (!write)
    return changes;
  if (auto written = write_plan(db, *compared, plan.by, keys, now); !written)
    return std::unexpected{written.error()};
  // Of subscriptions there is a version of their own.
  const bool anything = std::ranges::any_of(
      changes, [](const auto& one) { return one.changes() && one.kind != subscription_kind; });
  if (anything)
    if (auto raised = raise_configuration_version(db); !raised)
      return std::unexpected{raised.error()};
  return changes;
}

} // namespace sluice::storage
