#include "storage/tokens.hpp"

#include "crypto/random.hpp"
#include "storage/soci_session.hpp"

#include <functional>

namespace sluice::storage {
namespace {

std::vector<core::api_token> read_tokens(session& db, std::string_view condition,
                                         const std::function<void(query&)>& bind) {
  query rows(db, "SELECT k.public_id, k.name, k.role, k.every_tenant, k.created_by, k.created_at, "
                 "k.expires_at, k.revoked_at, k.revoked_by, t.name FROM api_tokens AS k "
                 "LEFT JOIN api_token_tenants AS of ON of.token_id = k.id "
                 "LEFT JOIN tenants AS t ON t.id = of.tenant_id"
                     + std::string(condition) + " ORDER BY k.name, k.id, t.name");
  core::api_token one;
  std::string role;
  bool every_tenant = false;
  std::optional<std::string> tenant;
  bind(rows);
  rows.into(one.public_id).into(one.name).into(role).into(every_tenant).into(one.created_by);
  rows.into(one.created_at).into(one.expires_at).into(one.revoked_at).into(one.revoked_by).into(tenant);
  std::vector<core::api_token> found;
  while (rows.next()) {
    if (found.empty() || found.back().public_id != one.public_id) {
      one.role = known(core::parse_token_role(role), "api_tokens.role");
      found.push_back(one);
      if (!every_tenant)
        found.back().tenants.names.emplace();
    }
    if (!every_tenant && tenant)
      found.back().tenants.names->push_back(*tenant);
  }
  return found;
}

std::optional<core::api_token> live_token(session& db, std::string_view name) {
  auto found = read_tokens(db, " WHERE k.name = :name AND k.revoked_at IS NULL",
                           [&](query& rows) { rows.use("name", name); });
  if (found.empty())
    return std::nullopt;
  return std::move(found.front());
}

void limit_to(session& db, std::int64_t token, const std::string& tenant) {
  const auto written = query(db, "INSERT INTO api_token_tenants (token_id, tenant_id) "
                                 "SELECT :token, id FROM tenants WHERE name = :name ON CONFLICT DO NOTHING")
                           .use("token", token)
                           .use("name", tenant)
                           .run();
  std::int64_t exists = written;
  if (written == 0)
    query(db, "SELECT 1 FROM tenants WHERE name = :name").use("name", tenant).into(exists).run();
  if (exists == 0)
    throw abandoned{{error::not_found, "There is no tenant \"" + tenant + "\"."}};
}

std::int64_t insert_token(session& db, const core::token_request& wanted, core::timestamp now) {
  query insert(db,
               "INSERT INTO api_tokens (public_id, name, digest, role, every_tenant, created_by, created_at, "
               "expires_at) VALUES (:public_id, :name, :digest, :role, :every, :by, :now, :expires) "
               "ON CONFLICT DO NOTHING RETURNING id");
  insert.use("public_id", crypto::uuid_v7(now)).use("name", wanted.name).use("digest", wanted.digest);
  insert.use("role", core::to_string(wanted.role)).use("every", wanted.tenants.everything());
  insert.use("by", wanted.by).use("now", now).use("expires", wanted.expires_at);
  std::int64_t id = 0;
  insert.into(id).run();
  if (id == 0)
    throw abandoned{{error::refused, "A token \"" + wanted.name + "\" is live already; revoke it first."}};
  return id;
}

} // namespace

result<core::api_token> make_token(session& db, const core::token_request& wanted, core::timestamp now) {
  return guarded(db, "Making a token", [&] {
    const auto id = insert_token(db, wanted, now);
    if (wanted.tenants.names)
      for (const auto& tenant : *wanted.tenants.names)
        limit_to(db, id, tenant);
    return known(live_token(db, wanted.name), "api_tokens.name");
  });
}

result<std::optional<core::api_token>> find_token(session& db, std::string_view digest) {
  return guarded(db, "Looking for a token", [&]() -> std::optional<core::api_token> {
    auto found =
        read_tokens(db, " WHERE k.digest = :digest", [&](query& rows) { rows.use("digest", digest); });
    if (found.empty())
      return std::nullopt;
    return std::move(found.front());
  });
}

result<std::vector<core::api_token>> list_tokens(session& db) {
  return guarded(db, "Listing tokens", [&] { return read_tokens(db, "", [](query&) {}); });
}

result<core::api_token> revoke_token(session& db, std::string_view name, std::string_view by,
                                     core::timestamp now) {
  return guarded(db, "Revoking a token", [&] {
    auto token = live_token(db, name);
    if (!token)
      throw abandoned{{error::not_found, "There is no live token \"" + std::string(name) + "\"."}};
    query(db, "UPDATE api_tokens SET revoked_at = :now, revoked_by = :by "
              "WHERE public_id = :id AND revoked_at IS NULL")
        .use("now", now)
        .use("by", by)
        .use("id", token->public_id)
        .run();
    token->revoked_at = now;
    token->revoked_by = by;
    return std::move(*token);
  });
}

} // namespace sluice::storage
