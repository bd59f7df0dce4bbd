#include "storage/subscription_changes.hpp"

#include "storage/dialect.hpp"
#include "storage/soci_session.hpp"
#include "storage/subscription_columns.hpp"
#include "storage/subscriptions.hpp"
#include "storage/tenant_changes.hpp"

#include <set>

namespace sluice::storage {
namespace {

/// The word before an event type's first dot; "*" for every one. A type without a dot is no mirror change's.
std::string domain_of(const std::string& pattern) {
  return pattern.substr(0, pattern.find('.'));
}

std::set<std::string> wanted_domains(session& db, std::int64_t tenant) {
  std::set<std::string> domains;
  std::string event_types;
  query rows(db, "SELECT DISTINCT event_types FROM subscriptions WHERE tenant_id = :tenant "
                 "AND deleted_at IS NULL");
  rows.use("tenant", tenant).into(event_types);
  while (rows.next())
    for (const auto& pattern : read_text_list(event_types, "subscriptions.event_types"))
      domains.insert(domain_of(pattern));
  return domains;
}

/// Of one that is live.
void need_stored_revision(session& db, const core::subscription_removal& wanted) {
  std::string name;
  std::int64_t stored = 0;
  query row(db, "SELECT name, revision FROM subscriptions WHERE id = :id AND deleted_at IS NULL");
  row.use("id", wanted.subscription).into(name).into(stored);
  if (row.next())
    need_revision("Subscription", name, *wanted.revision, stored);
}

/// Removed for good, or nothing: it was removed already.
std::optional<std::int64_t> bury_subscription(session& db, core::subscription_id subscription,
                                              core::timestamp now) {
  std::optional<std::int64_t> tenant;
  query(db,
        "UPDATE subscriptions SET deleted_at = :now, updated_at = :now, headers = '', refused_position = 0 "
        "WHERE id = :id AND deleted_at IS NULL RETURNING tenant_id")
      .use("now", now)
      .use("id", subscription)
      .into(tenant)
      .run();
  return tenant;
}

void end_stop_of(session& db, const core::subscription_removal& removed, core::timestamp now) {
  query(db, "UPDATE delivery_stops SET ended_at = :now, ended_by = :by, resolution = 'resumed' "
            "WHERE scope = 'subscription' AND subscription_id = :id AND ended_at IS NULL")
      .use("now", now)
      .use("by", removed.by)
      .use("id", removed.subscription)
      .run();
}

std::string tenant_of(session& db, core::subscription_id subscription) {
  std::string name;
  query(db, "SELECT t.name FROM subscriptions AS s JOIN tenants AS t ON t.id = s.tenant_id WHERE s.id = :id")
      .use("id", subscription)
      .into(name)
      .run();
  return name;
}

void write_secrets(session& db, const core::subscription& of,
                   const std::vector<core::signing_secret>& secrets, const crypto::key_ring& keys) {
  query(db, "DELETE FROM subscription_secrets WHERE subscription_id = :id").use("id", of.id).run();
  for (auto one = secrets.rbegin(); one != secrets.rend(); ++one)
    query(db, "INSERT INTO subscription_secrets (subscription_id, secret, expires_at) "
              "VALUES (:id, :secret, :expires_at)")
        .use("id", of.id)
        .use("secret", seal_secret(of.public_id, one->text, keys))
        .use("expires_at", one->expires_at)
        .run();
}

} // namespace

std::int64_t lock_subscriptions(session& db, const std::string& tenant) {
  return lock_tenant(db, tenant).id;
}

void raise_subscriptions_version(session& db) {
  query(db, "UPDATE subscriptions_version SET version = version + 1").run();
}

void end_subscription_change(session& db, std::int64_t tenant) {
  query(db, "DELETE FROM wanted_domains WHERE tenant_id = :tenant").use("tenant", tenant).run();
  for (const auto& domain : wanted_domains(db, tenant))
    query(db, "INSERT INTO wanted_domains (tenant_id, domain) VALUES (:tenant, :domain)")
        .use("tenant", tenant)
        .use("domain", domain)
        .run();
  raise_subscriptions_version(db);
}

std::vector<core::signing_secret> read_secrets(session& db, const core::subscription& of,
                                               const crypto::key_ring& keys) {
  std::vector<core::signing_secret> secrets;
  core::signing_secret one;
  query rows(db, "SELECT secret, expires_at FROM subscription_secrets WHERE subscription_id = :id "
                 "ORDER BY id DESC");
  rows.use("id", of.id).into(one.text).into(one.expires_at);
  while (rows.next())
    secrets.push_back({open_secret(of.public_id, one.text, keys), one.expires_at});
  return secrets;
}

result<bool> remove_subscription(session& db, const core::subscription_removal& wanted, core::timestamp now) {
  return guarded(db, "Removing a subscription", [&] {
    const auto subscription = wanted.subscription;
    const auto owner = tenant_of(db, subscription);
    if (owner.empty())
      return false;
    const auto tenant = lock_subscriptions(db, owner);
    if (wanted.revision)
      need_stored_revision(db, wanted);
    if (!bury_subscription(db, subscription, now))
      return false;
    query(db, "DELETE FROM subscription_secrets WHERE subscription_id = :id").use("id", subscription).run();
    end_stop_of(db, wanted, now);
    end_subscription_change(db, tenant);
    return true;
  });
}

result<std::int64_t> prune_subscriptions(session& db, core::timestamp removed_until, std::int64_t limit) {
  return guarded(db, "Pruning subscriptions", [&] {
    return query(db, "DELETE FROM subscriptions WHERE id IN (SELECT s.id FROM subscriptions AS s "
                     "WHERE s.deleted_at < :until AND NOT EXISTS (SELECT 1 FROM event_deliveries AS d "
                     "WHERE d.subscription_id = s.id) ORDER BY s.id LIMIT :limit)")
        .use("until", removed_until)
        .use("limit", limit)
        .run();
  });
}

result<std::int64_t> subscriptions_version(session& db) {
  return guarded(db, "Reading the subscriptions' version", [&] {
    std::int64_t version = 0;
    query(db, "SELECT version FROM subscriptions_version").into(version).run();
    return version;
  });
}

result<bool> set_subscription_status(session& db, const core::subscription_status_change& change,
                                     core::timestamp now) {
  return guarded(db, "Setting a subscription's status", [&] {
    const bool enables = change.from == core::subscription_status::disabled;
    query set(db, "UPDATE subscriptions SET status = :to, status_cause = :cause, status_reason = :reason, "
                  "consecutive_dead = CASE WHEN :enables = 1 THEN 0 ELSE consecutive_dead END, "
                  "updated_at = :now WHERE id = :id AND status = :from AND deleted_at IS NULL");
    set.use("to", core::to_string(change.to)).use("reason", change.reason).use("enables", enables);
    set.use("cause",
            change.cause ? std::optional(std::string(core::to_string(*change.cause))) : std::nullopt);
    set.use("now", now).use("id", change.subscription).use("from", core::to_string(change.from));
    const bool written = set.run() == 1;
    if (written)
      raise_subscriptions_version(db);
    return written;
  });
}

result<std::vector<core::signing_secret>> rotate_secret(session& db, core::subscription_id subscription,
                                                        const std::string& fresh, core::duration overlap,
                                                        const crypto::key_ring& keys, core::timestamp now) {
  return guarded(db, "Rotating a secret", [&] {
    core::subscription of;
    query(db, "SELECT id, public_id FROM subscriptions WHERE id = :id AND deleted_at IS NULL"
                  + std::string(dialect::for_update(db.kind())))
        .use("id", subscription)
        .into(of.id)
        .into(of.public_id)
        .run();
    if (!of.id)
      throw abandoned{{error::not_found, "The subscription does not exist."}};
    auto rotated = core::rotate_secret(read_secrets(db, of, keys), fresh, now, overlap);
    if (!rotated)
      throw abandoned{{error::refused, std::move(rotated.error())}};
    write_secrets(db, of, *rotated, keys);
    raise_subscriptions_version(db);
    return std::move(*rotated);
  });
}

} // namespace sluice::storage
