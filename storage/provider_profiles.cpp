#include "storage/provider_profiles.hpp"

#include "crypto/random.hpp"
#include "crypto/seal.hpp"
#include "storage/profile_columns.hpp"
#include "storage/tenant_changes.hpp"
#include "storage/tenant_sql.hpp"

namespace sluice::storage {
namespace {

constexpr std::string_view live = " AND p.deleted_at IS NULL";

std::optional<profile_row> live_profile(session& db, core::provider_profile_id id) {
  return read_profile(db, "p.id = :id" + std::string(live), [&](query& row) { row.use("id", id); });
}

std::optional<core::profile_record> shown(std::optional<profile_row> row) {
  if (!row)
    return std::nullopt;
  return std::move(row->record);
}

[[noreturn]] void refuse_name(const core::provider_profile& wanted) {
  throw abandoned{{error::refused, "Tenant \"" + wanted.tenant + "\" has a provider profile \"" + wanted.name
                                       + "\" already."}};
}

std::string key_of(std::string_view sealed) {
  return std::string(crypto::sealing_key_of(sealed).value_or(""));
}

core::provider_profile_id insert_profile(session& db, const core::provider_profile& wanted,
                                         const tenant_row& tenant, const crypto::key_ring& keys,
                                         core::timestamp now) {
  const auto public_id = crypto::uuid_v7(now);
  const auto sealed = seal_profile_credentials(wanted.credentials, tenant.public_id, public_id, keys);
  core::provider_profile_id id{};
  query insert(db, "INSERT INTO provider_profiles (public_id, tenant_id, name, provider, settings, "
                   "credentials, sealing_key, revision, created_at, updated_at) VALUES (:public_id, :tenant, "
                   ":name, :provider, :settings, :credentials, :sealing_key, 1, :now, :now) "
                   "ON CONFLICT DO NOTHING RETURNING id");
  insert.use("public_id", public_id).use("tenant", tenant.id).use("name", wanted.name);
  insert.use("provider", core::to_string(wanted.provider)).use("settings", wanted.settings);
  insert.use("credentials", sealed).use("sealing_key", key_of(sealed)).use("now", now);
  insert.into(id).run();
  if (!id)
    refuse_name(wanted);
  return id;
}

void refuse_other(const core::profile_change& change, const core::profile_record& stored) {
  need_revision("Provider profile", stored.profile.name, change.revision, stored.revision);
  if (change.written.tenant != stored.profile.tenant || change.written.provider != stored.profile.provider)
    throw abandoned{
        {error::refused, "A provider profile stays its tenant's and its provider's; make another one."}};
}

void refuse_taken_name(session& db, const core::provider_profile& written, const tenant_row& tenant) {
  std::int64_t taken = 0;
  query(db, "SELECT 1 FROM provider_profiles WHERE tenant_id = :tenant AND name = :name "
            "AND deleted_at IS NULL AND id <> :id")
      .use("tenant", tenant.id)
      .use("name", written.name)
      .use("id", written.id)
      .into(taken)
      .run();
  if (taken != 0)
    refuse_name(written);
}

void update_profile(session& db, const core::profile_change& change, const std::string& credentials,
                    core::timestamp now) {
  query update(db, "UPDATE provider_profiles SET name = :name, settings = :settings, "
                   "credentials = CASE WHEN :keeps = 1 THEN credentials ELSE :credentials END, "
                   "sealing_key = CASE WHEN :keeps = 1 THEN sealing_key ELSE :sealing_key END, "
                   "revision = revision + 1, updated_at = :now "
                   "WHERE id = :id AND revision = :revision AND deleted_at IS NULL");
  update.use("name", change.written.name).use("settings", change.written.settings);
  update.use("keeps", change.keeps_credentials).use("credentials", credentials);
  update.use("sealing_key", key_of(credentials)).use("now", now);
  update.use("id", change.written.id).use("revision", change.revision).run();
}

void refuse_while_in_use(session& db, const core::provider_profile& profile) {
  std::optional<std::string> route;
  query(db, "SELECT r.name FROM notification_route_steps AS s JOIN notification_routes AS r "
            "ON r.id = s.route_id WHERE s.profile_id = :id AND r.deleted_at IS NULL ORDER BY r.name LIMIT 1")
      .use("id", profile.id)
      .into(route)
      .run();
  if (route)
    throw abandoned{{error::refused, "Provider profile \"" + profile.name + "\" is a step of route \""
                                         + *route + "\"; take it out of there first."}};
}

/// Once it is gone nothing would ever lift its stop for what waits there.
void refuse_within_stop(session& db, const core::provider_profile& profile) {
  std::int64_t stops = 0;
  query(db, "SELECT count(*) FROM delivery_stops WHERE scope = 'profile' AND profile_id = :id "
            "AND ended_at IS NULL")
      .use("id", profile.id)
      .into(stops)
      .run();
  if (stops > 0)
    throw abandoned{
        {error::refused, "Provider profile \"" + profile.name + "\" is stopped; resume it first."}};
}

std::optional<core::provider_profile> opened(std::optional<profile_row> row, const crypto::key_ring& keys) {
  if (!row)
    return std::nullopt;
  row->record.profile.credentials = open_profile_credentials(*row, keys);
  return std::move(row->record.profile);
}

} // namespace

result<core::profile_record> make_profile(session& db, const core::provider_profile& wanted,
                                          const crypto::key_ring& keys, core::timestamp now) {
  return guarded(db, "Making a provider profile", [&] {
    const auto tenant = lock_tenant(db, wanted.tenant);
    const auto id = insert_profile(db, wanted, tenant, keys, now);
    raise_profiles_version(db);
    return known(shown(live_profile(db, id)), "provider_profiles.id");
  });
}

result<core::profile_record> change_profile(session& db, const core::profile_change& change,
                                            const crypto::key_ring& keys, core::timestamp now) {
  return guarded(db, "Changing a provider profile", [&] {
    const auto tenant = lock_tenant(db, change.written.tenant);
    const auto stored = live_profile(db, change.written.id);
    if (!stored)
      throw abandoned{{error::not_found, "The provider profile does not exist."}};
    refuse_other(change, stored->record);
    refuse_taken_name(db, change.written, tenant);
    const auto sealed = change.keeps_credentials
                            ? std::string{}
                            : seal_profile_credentials(change.written.credentials, tenant.public_id,
                                                       stored->record.profile.public_id, keys);
    update_profile(db, change, sealed, now);
    raise_profiles_version(db);
    return known(shown(live_profile(db, change.written.id)), "provider_profiles.id");
  });
}

result<bool> remove_profile(session& db, const core::profile_removal& wanted, core::timestamp now) {
  return guarded(db, "Removing a provider profile", [&] {
    const auto seen = live_profile(db, wanted.profile);
    if (!seen)
      return false;
    static_cast<void>(lock_tenant(db, seen->record.profile.tenant));
    const auto stored = live_profile(db, wanted.profile);
    if (!stored)
      return false;
    if (wanted.revision)
      need_revision("Provider profile", stored->record.profile.name, *wanted.revision,
                    stored->record.revision);
    refuse_while_in_use(db, stored->record.profile);
    query(db, "UPDATE provider_profiles SET deleted_at = :now, updated_at = :now, credentials = '', "
              "sealing_key = '' WHERE id = :id")
        .use("now", now)
        .use("id", wanted.profile)
        .run();
    refuse_within_stop(db, stored->record.profile); // whoever sets one holds the row first, or finds it gone
    raise_profiles_version(db);
    return true;
  });
}

result<std::optional<core::profile_record>> find_profile(session& db, std::string_view public_id,
                                                         const core::tenant_scope& tenants) {
  return guarded(db, "Finding a provider profile", [&] {
    return shown(read_profile(
        db, "p.public_id = :id" + std::string(live) + only_tenants_named(tenants, "t.name"), [&](query& row) {
          row.use("id", public_id);
          use_tenants(row, tenants);
        }));
  });
}

result<std::vector<core::profile_record>> list_profiles(session& db, const core::profile_page& page) {
  return guarded(db, "Listing provider profiles", [&] {
    auto condition = "p.id > :after" + std::string(live) + only_tenants_named(page.tenants, "t.name");
    if (page.tenant)
      condition += " AND t.name = :tenant";
    if (page.provider)
      condition += " AND p.provider = :provider";
    std::vector<core::profile_record> listed;
    for (auto& row : read_profiles(db, condition + " ORDER BY p.id LIMIT :limit", [&](query& rows) {
           rows.use("after", page.after_id).use("limit", page.limit);
           use_tenants(rows, page.tenants);
           if (page.tenant)
             rows.use("tenant", *page.tenant);
           if (page.provider)
             rows.use("provider", core::to_string(*page.provider));
         }))
      listed.push_back(std::move(row.record));
    return listed;
  });
}

result<std::optional<core::provider_profile>> load_profile(session& db, core::provider_profile_id profile,
                                                           const crypto::key_ring& keys) {
  return guarded(db, "Loading a provider profile", [&] { return opened(live_profile(db, profile), keys); });
}

result<std::optional<core::provider_profile>> load_profile(session& db, std::string_view public_id,
                                                           const crypto::key_ring& keys) {
  return guarded(db, "Loading a provider profile", [&] {
    return opened(read_profile(db, "p.public_id = :id" + std::string(live),
                               [&](query& row) { row.use("id", public_id); }),
                  keys);
  });
}

result<std::int64_t> profiles_version(session& db) {
  return guarded(db, "Reading the profiles' version", [&] {
    std::int64_t version = 0;
    query(db, "SELECT version FROM profiles_version").into(version).run();
    return version;
  });
}

} // namespace sluice::storage
