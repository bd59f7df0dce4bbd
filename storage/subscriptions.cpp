#include "storage/subscriptions.hpp"

#include "crypto/random.hpp"
#include "storage/dialect.hpp"
#include "storage/subscription_changes.hpp"
#include "storage/subscription_columns.hpp"
#include "storage/tenant_changes.hpp"
#include "storage/tenant_sql.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

constexpr std::string_view live = " AND s.deleted_at IS NULL";

/// Those a text behind "WHERE …" selects.
std::vector<core::subscription> read_rows(session& db, const std::string& condition,
                                          const crypto::key_ring& keys,
                                          const std::function<void(query&)>& bind) {
  std::vector<core::subscription> found;
  subscription_target target;
  query rows(db, "SELECT " + std::string(subscription_columns) + " FROM " + std::string(subscription_tables)
                     + " WHERE " + condition);
  bind(rows);
  target.bind(rows);
  while (rows.next())
    found.push_back(target.take(keys));
  return found;
}

std::optional<core::subscription> live_subscription(session& db, core::subscription_id id,
                                                    const crypto::key_ring& keys) {
  auto found = read_rows(db, "s.id = :id" + std::string(live), keys, [&](query& row) { row.use("id", id); });
  if (found.empty())
    return std::nullopt;
  return std::move(found.front());
}

std::optional<core::served_subscription> served(session& db, std::optional<core::subscription> found,
                                                const crypto::key_ring& keys) {
  if (!found)
    return std::nullopt;
  auto secrets = read_secrets(db, *found, keys);
  return core::served_subscription{std::move(*found), std::move(secrets)};
}

core::subscription shown(core::subscription one) {
  one.headers = core::masked(std::move(one.headers));
  return one;
}

[[noreturn]] void refuse_name(const core::subscription& wanted) {
  throw abandoned{{error::refused,
                   "Tenant \"" + wanted.tenant + "\" has a subscription \"" + wanted.name + "\" already."}};
}

core::subscription_id insert_subscription(session& db, const core::subscription& made, std::int64_t tenant,
                                          const crypto::key_ring& keys, core::timestamp now) {
  core::subscription_id id{};
  query insert(
      db,
      "INSERT INTO subscriptions (public_id, tenant_id, name, mode, url, event_types, filter, ordered_by, "
      "headers, access_accepted, status, starts_after, cursor_position, offered_position, revision, "
      "created_at, updated_at) SELECT :public_id, :tenant, :name, :mode, :url, :event_types, :filter, "
      ":ordered_by, :headers, :access, 'active', sequenced_position, sequenced_position, "
      "sequenced_position, 1, :now, :now FROM fan_out_cursor WHERE id = 1 "
      "ON CONFLICT DO NOTHING RETURNING id");
  insert.use("public_id", made.public_id).use("tenant", tenant).use("name", made.name);
  insert.use("mode", core::to_string(made.mode)).use("url", made.url);
  insert.use("event_types", text_list(made.event_types)).use("filter", made.filter);
  insert.use("ordered_by", made.ordered_by).use("headers", seal_headers(made, keys));
  insert.use("access", made.access_accepted).use("now", now);
  insert.into(id).run();
  if (!id)
    refuse_name(made);
  return id;
}

/// A value that was shown masked and came back so stays what it was.
void keep_masked(core::subscription& written, const core::subscription& stored) {
  for (auto& header : written.headers) {
    if (header.value != core::masked_value)
      continue;
    const auto same = std::ranges::find(stored.headers, header.name, &core::custom_header::name);
    if (same != stored.headers.end() && core::is_secret(*same))
      header.value = same->value;
  }
}

void refuse_other(const core::subscription& written, const core::subscription& stored) {
  need_revision("Subscription", stored.name, written.revision, stored.revision);
  if (written.mode != stored.mode || written.tenant != stored.tenant)
    throw abandoned{
        {error::refused, "A subscription stays its tenant's, and push or pull; make another one."}};
}

void update_subscription(session& db, const core::subscription& written, const crypto::key_ring& keys,
                         core::timestamp now) {
  std::int64_t taken = 0;
  query(db, "SELECT 1 FROM subscriptions WHERE tenant_id = (SELECT id FROM tenants WHERE name = :tenant) "
            "AND name = :name AND deleted_at IS NULL AND id <> :id")
      .use("tenant", written.tenant)
      .use("name", written.name)
      .use("id", written.id)
      .into(taken)
      .run();
  if (taken != 0)
    refuse_name(written);
  query update(db,
               "UPDATE subscriptions SET name = :name, url = :url, event_types = :event_types, "
               "filter = :filter, ordered_by = :ordered_by, headers = :headers, access_accepted = :access, "
               "refused_position = CASE WHEN :access = 1 THEN 0 ELSE refused_position END, "
               "revision = revision + 1, updated_at = :now WHERE id = :id AND revision = :revision "
               "AND deleted_at IS NULL");
  update.use("name", written.name).use("url", written.url).use("event_types", text_list(written.event_types));
  update.use("filter", written.filter).use("ordered_by", written.ordered_by);
  update.use("headers", seal_headers(written, keys)).use("access", written.access_accepted).use("now", now);
  update.use("id", written.id).use("revision", written.revision).run();
}

} // namespace

result<core::subscription> make_subscription(session& db, const core::subscription& wanted,
                                             const std::string& secret, const crypto::key_ring& keys,
                                             core::timestamp now) {
  return guarded(db, "Making a subscription", [&] {
    const auto tenant = lock_subscriptions(db, wanted.tenant);
    auto made = wanted;
    made.public_id = crypto::uuid_v7(now);
    const auto id = insert_subscription(db, made, tenant, keys, now);
    if (!secret.empty())
      query(db, "INSERT INTO subscription_secrets (subscription_id, secret) VALUES (:id, :secret)")
          .use("id", id)
          .use("secret", seal_secret(made.public_id, secret, keys))
          .run();
    end_subscription_change(db, tenant);
    return shown(known(live_subscription(db, id, keys), "subscriptions.id"));
  });
}

result<core::subscription> change_subscription(session& db, const core::subscription& written,
                                               const crypto::key_ring& keys, core::timestamp now) {
  return guarded(db, "Changing a subscription", [&] {
    const auto tenant = lock_subscriptions(db, written.tenant);
    const auto stored = live_subscription(db, written.id, keys);
    if (!stored)
      throw abandoned{{error::not_found, "The subscription does not exist."}};
    refuse_other(written, *stored);
    auto changed = written;
    changed.public_id = stored->public_id;
    keep_masked(changed, *stored);
    update_subscription(db, changed, keys, now);
    end_subscription_change(db, tenant);
    return shown(known(live_subscription(db, written.id, keys), "subscriptions.id"));
  });
}

result<std::optional<core::subscription>> find_subscription(session& db, std::string_view public_id,
                                                            const core::tenant_scope& tenants,
                                                            const crypto::key_ring& keys) {
  return guarded(db, "Finding a subscription", [&]() -> std::optional<core::subscription> {
    auto found =
        read_rows(db, "s.public_id = :id" + std::string(live) + only_tenants_named(tenants, "t.name"), keys,
                  [&](query& row) {
                    row.use("id", public_id);
                    use_tenants(row, tenants);
                  });
    if (found.empty())
      return std::nullopt;
    return shown(std::move(found.front()));
  });
}

result<std::vector<core::subscription>> list_subscriptions(session& db, const core::subscription_page& page,
                                                           const crypto::key_ring& keys) {
  return guarded(db, "Listing subscriptions", [&] {
    auto condition = "s.id > :after" + std::string(live) + only_tenants_named(page.tenants, "t.name");
    if (page.tenant)
      condition += " AND t.name = :tenant";
    if (page.status)
      condition += " AND s.status = :status";
    auto found = read_rows(db, condition + " ORDER BY s.id LIMIT :limit", keys, [&](query& rows) {
      rows.use("after", page.after_id).use("limit", page.limit);
      use_tenants(rows, page.tenants);
      if (page.tenant)
        rows.use("tenant", *page.tenant);
      if (page.status)
        rows.use("status", core::to_string(*page.status));
    });
    for (auto& one : found)
      one = shown(std::move(one));
    return found;
  });
}

result<std::optional<core::served_subscription>>
load_subscription(session& db, core::subscription_id subscription, const crypto::key_ring& keys) {
  return in_snapshot(db, "Loading a subscription",
                     [&] { return served(db, live_subscription(db, subscription, keys), keys); });
}

result<std::optional<core::served_subscription>>
load_subscription(session& db, std::string_view tenant, std::string_view name, const crypto::key_ring& keys) {
  return in_snapshot(db, "Loading a subscription", [&] {
    auto found = read_rows(db, "t.name = :tenant AND s.name = :name" + std::string(live), keys,
                           [&](query& row) { row.use("tenant", tenant).use("name", name); });
    return served(db, found.empty() ? std::nullopt : std::optional(std::move(found.front())), keys);
  });
}

} // namespace sluice::storage
