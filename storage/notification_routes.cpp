#include "storage/notification_routes.hpp"

#include "crypto/random.hpp"
#include "storage/profile_columns.hpp"
#include "storage/tenant_changes.hpp"
#include "storage/tenant_sql.hpp"

#include <functional>

namespace sluice::storage {
namespace {

constexpr std::string_view live = " AND r.deleted_at IS NULL";

/// Those whose ids a text behind "SELECT r.id FROM … WHERE …" selects, in the order of their making.
std::vector<core::notification_route> read_routes(session& db, const std::string& condition,
                                                  const std::function<void(query&)>& bind) {
  query rows(db, "SELECT r.id, r.public_id, t.name, r.name, r.revision, r.created_at, r.updated_at, "
                 "p.id, p.name, p.provider FROM notification_routes AS r "
                 "JOIN tenants AS t ON t.id = r.tenant_id "
                 "JOIN notification_route_steps AS s ON s.route_id = r.id "
                 "JOIN provider_profiles AS p ON p.id = s.profile_id WHERE r.id IN (SELECT r.id "
                 "FROM notification_routes AS r JOIN tenants AS t ON t.id = r.tenant_id WHERE "
                     + condition + ") ORDER BY r.id, s.place");
  core::notification_route one;
  core::route_step step;
  std::string provider;
  bind(rows);
  rows.into(one.id).into(one.public_id).into(one.tenant).into(one.name).into(one.revision);
  rows.into(one.created_at).into(one.updated_at).into(step.id).into(step.profile).into(provider);
  std::vector<core::notification_route> found;
  while (rows.next()) {
    if (found.empty() || found.back().id != one.id)
      found.push_back(one);
    step.provider = known(core::parse_provider_kind(provider), "provider_profiles.provider");
    found.back().steps.push_back(step);
  }
  return found;
}

std::optional<core::notification_route> read_route(session& db, const std::string& condition,
                                                   const std::function<void(query&)>& bind) {
  auto found = read_routes(db, condition + std::string(live), bind);
  if (found.empty())
    return std::nullopt;
  return std::move(found.front());
}

std::optional<core::notification_route> live_route(session& db, core::notification_route_id id) {
  return read_route(db, "r.id = :id", [&](query& row) { row.use("id", id); });
}

[[noreturn]] void refuse(std::string why) {
  throw abandoned{{error::refused, std::move(why)}};
}

[[noreturn]] void refuse_name(const core::notification_route& wanted) {
  refuse("Tenant \"" + wanted.tenant + "\" has a route \"" + wanted.name + "\" already.");
}

void refuse_faults(const core::notification_route& written) {
  const auto faults = core::route_faults(written);
  if (!faults.empty())
    refuse("The route is not possible: " + faults.front() + ".");
}

void write_steps(session& db, core::notification_route_id route, const core::notification_route& written,
                 std::int64_t tenant) {
  query(db, "DELETE FROM notification_route_steps WHERE route_id = :route").use("route", route).run();
  std::int64_t place = 0;
  for (const auto& step : written.steps) {
    const auto wrote = query(db, "INSERT INTO notification_route_steps (route_id, place, profile_id) "
                                 "SELECT :route, :place, id FROM provider_profiles "
                                 "WHERE tenant_id = :tenant AND name = :name AND deleted_at IS NULL")
                           .use("route", route)
                           .use("place", place++)
                           .use("tenant", tenant)
                           .use("name", step.profile)
                           .run();
    if (wrote == 0)
      refuse("Tenant \"" + written.tenant + "\" has no provider profile \"" + step.profile + "\".");
  }
}

core::notification_route_id insert_route(session& db, const core::notification_route& wanted,
                                         std::int64_t tenant, core::timestamp now) {
  core::notification_route_id id{};
  query insert(db, "INSERT INTO notification_routes (public_id, tenant_id, name, revision, created_at, "
                   "updated_at) VALUES (:public_id, :tenant, :name, 1, :now, :now) "
                   "ON CONFLICT DO NOTHING RETURNING id");
  insert.use("public_id", crypto::uuid_v7(now)).use("tenant", tenant).use("name", wanted.name);
  insert.use("now", now).into(id).run();
  if (!id)
    refuse_name(wanted);
  return id;
}

void update_route(session& db, const core::notification_route& written, std::int64_t tenant,
                  core::timestamp now) {
  const auto wrote =
      query(db, "UPDATE notification_routes SET name = :name, revision = revision + 1, updated_at = :now "
                "WHERE id = :id AND revision = :revision AND deleted_at IS NULL "
                "AND NOT EXISTS (SELECT 1 FROM notification_routes AS other WHERE other.tenant_id = :tenant "
                "AND other.name = :name AND other.deleted_at IS NULL AND other.id <> :id)")
          .use("name", written.name)
          .use("now", now)
          .use("id", written.id)
          .use("revision", written.revision)
          .use("tenant", tenant)
          .run();
  if (wrote == 0) // its tenant is locked and its revision was looked at: only the name is left
    refuse_name(written);
}

} // namespace

result<core::notification_route> make_notification_route(session& db, const core::notification_route& wanted,
                                                         core::timestamp now) {
  return guarded(db, "Making a route", [&] {
    refuse_faults(wanted);
    const auto tenant = lock_tenant(db, wanted.tenant);
    const auto id = insert_route(db, wanted, tenant.id, now);
    write_steps(db, id, wanted, tenant.id);
    raise_profiles_version(db);
    return known(live_route(db, id), "notification_routes.id");
  });
}

result<core::notification_route>
change_notification_route(session& db, const core::notification_route& written, core::timestamp now) {
  return guarded(db, "Changing a route", [&] {
    refuse_faults(written);
    const auto tenant = lock_tenant(db, written.tenant);
    const auto stored = live_route(db, written.id);
    if (!stored)
      throw abandoned{{error::not_found, "The route does not exist."}};
    need_revision("Route", stored->name, written.revision, stored->revision);
    if (written.tenant != stored->tenant)
      refuse("A route stays its tenant's; make another one.");
    update_route(db, written, tenant.id, now);
    write_steps(db, written.id, written, tenant.id);
    raise_profiles_version(db);
    return known(live_route(db, written.id), "notification_routes.id");
  });
}

result<bool> remove_notification_route(session& db, const core::route_removal& wanted, core::timestamp now) {
  return guarded(db, "Removing a route", [&] {
    const auto seen = live_route(db, wanted.route);
    if (!seen)
      return false;
    static_cast<void>(lock_tenant(db, seen->tenant));
    const auto stored = live_route(db, wanted.route);
    if (!stored)
      return false;
    if (wanted.revision)
      need_revision("Route", stored->name, *wanted.revision, stored->revision);
    query(db, "DELETE FROM notification_route_steps WHERE route_id = :id").use("id", wanted.route).run();
    query(db, "UPDATE notification_routes SET deleted_at = :now, updated_at = :now WHERE id = :id")
        .use("now", now)
        .use("id", wanted.route)
        .run();
    raise_profiles_version(db);
    return true;
  });
}

result<std::optional<core::notification_route>>
find_notification_route(session& db, std::string_view public_id, const core::tenant_scope& tenants) {
  return guarded(db, "Finding a route", [&] {
    return read_route(db, "r.public_id = :id" + only_tenants_named(tenants, "t.name"), [&](query& row) {
      row.use("id", public_id);
      use_tenants(row, tenants);
    });
  });
}

result<std::optional<core::notification_route>>
find_notification_route_named(session& db, std::string_view tenant, std::string_view name) {
  return guarded(db, "Finding a route", [&] {
    return read_route(db, "t.name = :tenant AND r.name = :name",
                      [&](query& row) { row.use("tenant", tenant).use("name", name); });
  });
}

result<std::vector<core::notification_route>> list_notification_routes(session& db,
                                                                       const core::route_page& page) {
  return guarded(db, "Listing routes", [&] {
    auto condition = "r.id > :after" + std::string(live) + only_tenants_named(page.tenants, "t.name");
    if (page.tenant)
      condition += " AND t.name = :tenant";
    return read_routes(db, condition + " ORDER BY r.id LIMIT :limit", [&](query& rows) {
      rows.use("after", page.after_id).use("limit", page.limit);
      use_tenants(rows, page.tenants);
      if (page.tenant)
        rows.use("tenant", *page.tenant);
    });
  });
}

} // namespace sluice::storage
