#include "storage/stops.hpp"

#include "crypto/random.hpp"
#include "storage/dialect.hpp"
#include "storage/soci_session.hpp"
#include "storage/stop_columns.hpp"
#include "storage/tenant_sql.hpp"

#include <limits>

namespace sluice::storage {
namespace {

/// Which rows lie in the scope of a target; takes :connection, :rule, :subscription or :profile where the
/// scope has one.
std::string in_scope(core::stop_scope scope) {
  switch (scope) {
  case core::stop_scope::global:
    return "scope = 'global'";
  case core::stop_scope::connection:
    return "scope = 'connection' AND connection_id = :connection";
  case core::stop_scope::rule:
    return "scope = 'rule' AND rule_id = :rule";
  case core::stop_scope::subscription:
    return "scope = 'subscription' AND subscription_id = :subscription";
  case core::stop_scope::profile:
    return "scope = 'profile' AND profile_id = :profile";
  }
  return "1 = 0";
}

void use_scope(query& rows, const core::stop_target& target) {
  if (target.scope == core::stop_scope::connection)
    rows.use("connection", target.connection);
  if (target.scope == core::stop_scope::rule)
    rows.use("rule", target.rule);
  if (target.scope == core::stop_scope::subscription)
    rows.use("subscription", target.subscription);
  if (target.scope == core::stop_scope::profile)
    rows.use("profile", target.profile);
}

std::optional<core::delivery_stop> live_manual_stop(session& db, const core::stop_target& target) {
  query rows(db, "SELECT " + std::string(stop_columns) + " FROM delivery_stops WHERE "
                     + in_scope(target.scope) + " AND cause = 'manual' AND ended_at IS NULL");
  use_scope(rows, target);
  return stop_row::first(rows);
}

/// A subscription is not removed, and with it its stop ended, until the transaction ends; nor is a profile,
/// which is not removed within a stop.
std::string target_text(engine kind, core::stop_scope scope) {
  switch (scope) {
  case core::stop_scope::connection:
    return "SELECT 1 FROM connections WHERE id = :connection";
  case core::stop_scope::rule:
    return "SELECT 1 FROM sync_rules WHERE id = :rule";
  case core::stop_scope::profile:
    return "SELECT 1 FROM provider_profiles WHERE id = :profile AND deleted_at IS NULL"
           + std::string(dialect::for_update(kind));
  default:
    return "SELECT 1 FROM subscriptions WHERE id = :subscription AND deleted_at IS NULL"
           + std::string(dialect::for_update(kind));
  }
}

void need_target(session& db, const core::stop_target& target) {
  if (target.scope == core::stop_scope::global)
    return;
  std::int64_t found = 0;
  query rows(db, target_text(db.kind(), target.scope));
  use_scope(rows, target);
  rows.into(found).run();
  if (found == 0)
    throw abandoned{
        {error::not_found, "The " + std::string{core::to_string(target.scope)} + " to stop does not exist."}};
}

/// Nothing: one is live there already.
std::optional<core::delivery_stop> insert_manual_stop(session& db, const core::stop_request& wanted,
                                                      core::timestamp now) {
  const auto& target = wanted.target;
  query rows(
      db, "INSERT INTO delivery_stops (public_id, scope, cause, connection_id, rule_id, subscription_id, "
          "profile_id, "
          "reason, set_by, set_at) VALUES (:public_id, :scope, 'manual', :connection, :rule, :subscription, "
          ":profile, :reason, :by, :now) "
          "ON CONFLICT DO NOTHING RETURNING "
              + std::string(stop_columns));
  rows.use("public_id", crypto::uuid_v7(now)).use("scope", core::to_string(target.scope));
  rows.use("reason", wanted.reason).use("by", wanted.by).use("now", now);
  use_scope(rows, target);
  if (target.scope != core::stop_scope::connection)
    rows.use_null("connection");
  if (target.scope != core::stop_scope::rule)
    rows.use_null("rule");
  if (target.scope != core::stop_scope::subscription)
    rows.use_null("subscription");
  if (target.scope != core::stop_scope::profile)
    rows.use_null("profile");
  return stop_row::first(rows);
}

/// Compare-and-set on being live; nothing where it is not.
std::optional<core::delivery_stop> resume(session& db, std::int64_t id, std::string_view by,
                                          core::timestamp now) {
  query rows(db, "UPDATE delivery_stops SET ended_at = :now, ended_by = :by, resolution = 'resumed' "
                 "WHERE id = :id AND cause = 'manual' AND ended_at IS NULL RETURNING "
                     + std::string(stop_columns));
  rows.use("now", now).use("by", by).use("id", id);
  return stop_row::first(rows);
}

std::optional<core::delivery_stop> of_public_id(session& db, std::string_view public_id) {
  query rows(db, "SELECT " + std::string(stop_columns) + " FROM delivery_stops WHERE public_id = :public_id");
  rows.use("public_id", public_id);
  return stop_row::first(rows);
}

core::delivery_stop ended(std::optional<core::delivery_stop> stop) {
  if (!stop)
    throw abandoned{{error::not_found, "No such stop is in force: it has ended, or there was none."}};
  return std::move(*stop);
}

} // namespace

result<core::stop_in_force> set_stop(session& db, const core::stop_request& wanted, core::timestamp now) {
  return guarded(db, "Setting a stop", [&] {
    need_target(db, wanted.target);
    constexpr int tries = 3; // whoever holds the place may end it between the two looks
    for (int i = 0; i < tries; ++i) {
      if (auto made = insert_manual_stop(db, wanted, now))
        return core::stop_in_force{std::move(*made), false};
      if (auto live = live_manual_stop(db, wanted.target))
        return core::stop_in_force{std::move(*live), true};
    }
    throw abandoned{{error::busy, "The stop is being set and ended by others at this moment."}};
  });
}

result<core::delivery_stop> end_stop(session& db, std::string_view public_id, std::string_view by,
                                     core::timestamp now) {
  return guarded(db, "Ending a stop", [&] {
    const auto found = of_public_id(db, public_id);
    return ended(found ? resume(db, found->id, by, now) : std::nullopt);
  });
}

result<core::delivery_stop> end_stop(session& db, const core::stop_target& target, std::string_view by,
                                     core::timestamp now) {
  return guarded(db, "Ending a stop", [&] {
    const auto found = live_manual_stop(db, target);
    return ended(found ? resume(db, found->id, by, now) : std::nullopt);
  });
}

result<std::vector<core::delivery_stop>> live_stops(session& db) {
  return guarded(db, "Listing live stops", [&] {
    query rows(db, "SELECT " + std::string(stop_columns)
                       + " FROM delivery_stops WHERE ended_at IS NULL ORDER BY set_at, id");
    return stop_row::all(rows);
  });
}

result<std::optional<core::delivery_stop>> find_stop(session& db, std::string_view public_id) {
  return guarded(db, "Finding a stop", [&] { return of_public_id(db, public_id); });
}

result<std::vector<core::delivery_stop>> stop_history(session& db, const core::stop_page& page) {
  return guarded(db, "Listing stops", [&] {
    std::string text = "SELECT " + std::string(stop_columns) + " FROM delivery_stops WHERE id < :before";
    if (page.cause)
      text += " AND cause = :cause";
    if (page.rule)
      text += " AND rule_id = :rule";
    if (page.connection)
      text += " AND connection_id = :connection";
    text += only_tenants(page.tenants, "delivery_stops.connection_id, "
                                       "(SELECT source_connection_id FROM sync_rules WHERE id = rule_id), "
                                       "(SELECT target_connection_id FROM sync_rules WHERE id = rule_id)");
    text += only_owned_by(page.tenants, "subscriptions", "delivery_stops.subscription_id");
    text += only_owned_by(page.tenants, "provider_profiles", "delivery_stops.profile_id");
    if (!page.tenants
             .everything()) // whose it was nobody knows once the subscription's or profile's row is gone
      text += " AND (scope <> 'subscription' OR subscription_id IS NOT NULL) "
              "AND (scope <> 'profile' OR profile_id IS NOT NULL)";
    query rows(db, text + " ORDER BY id DESC LIMIT :limit");
    use_tenants(rows, page.tenants);
    rows.use("before", page.before_id > 0 ? page.before_id : std::numeric_limits<std::int64_t>::max())
        .use("limit", page.limit);
    if (page.cause)
      rows.use("cause", core::to_string(*page.cause));
    if (page.rule)
      rows.use("rule", *page.rule);
    if (page.connection)
      rows.use("connection", *page.connection);
    return stop_row::all(rows);
  });
}

} // namespace sluice::storage
