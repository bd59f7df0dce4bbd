#include "storage/callback_refusals.hpp"

#include "core/error_text.hpp"
#include "storage/array_text.hpp"
#include "storage/soci_session.hpp"
#include "storage/tenant_ids.hpp"
#include "storage/tenant_sql.hpp"

#include <limits>
#include <set>
#include <string>

namespace sluice::storage {
namespace {

constexpr std::size_t reason_bytes_max = 500;
constexpr std::size_t source_bytes_max = 100; // an address and a port

std::string kept_reason(const core::refused_callback& one) {
  return core::error_text(one.reason, reason_bytes_max);
}

std::string kept_source(const core::refused_callback& one) {
  return core::error_text(one.source, source_bytes_max);
}

void insert_sqlite(session& db, std::span<const core::refused_callback> refused) {
  tenant_ids tenants(db);
  direct_statement insert(db, "INSERT INTO callback_refusals (at, tenant_id, profile_id, source, kind, "
                              "reason, digest) VALUES (?1, nullif(?2, 0), ?3, ?4, ?5, ?6, ?7)");
  for (const auto& one : refused) {
    const auto source = kept_source(one);
    const auto reason = kept_reason(one);
    insert.bind(1, one.at).bind(2, tenants.find(one.tenant)).bind(3, one.profile.value).bind(4, source);
    insert.bind(5, core::to_string(one.kind)).bind(6, reason).bind(7, one.digest).run();
  }
}

void insert_postgresql(session& db, std::span<const core::refused_callback> refused) {
  tenant_ids tenants(db);
  array_text times, owners, profiles, sources, kinds, reasons, digests;
  for (const auto& one : refused) {
    times.add(one.at);
    owners.add(tenants.find(one.tenant));
    profiles.add(one.profile.value);
    sources.add(std::string_view(kept_source(one)));
    kinds.add(core::to_string(one.kind));
    reasons.add(std::string_view(kept_reason(one)));
    digests.add(std::string_view(one.digest));
  }
  query insert(db, "INSERT INTO callback_refusals (at, tenant_id, profile_id, source, kind, reason, digest) "
                   "SELECT i.at, nullif(i.tenant, 0), i.profile, i.source, i.kind, i.reason, i.digest "
                   "FROM unnest(CAST(:times AS bigint[]), CAST(:tenants AS bigint[]), "
                   "CAST(:profiles AS bigint[]), CAST(:sources AS text[]), CAST(:kinds AS text[]), "
                   "CAST(:reasons AS text[]), CAST(:digests AS text[])) "
                   "AS i (at, tenant, profile, source, kind, reason, digest)");
  insert.use("times", times.take()).use("tenants", owners.take()).use("profiles", profiles.take());
  insert.use("sources", sources.take()).use("kinds", kinds.take()).use("reasons", reasons.take());
  insert.use("digests", digests.take()).run();
}

void drop_oldest(session& db, std::span<const core::refused_callback> refused,
                 const core::callback_audit_limits& limits) {
  std::set<std::int64_t> profiles;
  for (const auto& one : refused)
    profiles.insert(one.profile.value);
  for (const auto profile : profiles)
    query(db, "DELETE FROM callback_refusals WHERE profile_id = :profile AND id <= (SELECT id "
              "FROM callback_refusals WHERE profile_id = :profile ORDER BY id DESC LIMIT 1 OFFSET :kept)")
        .use("profile", profile)
        .use("kept", limits.per_profile)
        .run();
  query(db, "DELETE FROM callback_refusals WHERE id <= (SELECT id FROM callback_refusals ORDER BY id DESC "
            "LIMIT 1 OFFSET :kept)")
      .use("kept", limits.total)
      .run();
}

std::string condition_of(const core::callback_audit_page& page) {
  std::string text = "r.id < :before" + only_tenants_named(page.tenants, "t.name");
  if (page.profile)
    text += " AND r.profile_id = :profile";
  return text;
}

} // namespace

result<void> add_callback_refusals(session& db, std::span<const core::refused_callback> refused,
                                   const core::callback_audit_limits& limits) {
  return guarded(db, "Writing down refused callbacks", [&] {
    if (refused.empty())
      return;
    if (db.kind() == engine::sqlite)
      insert_sqlite(db, refused);
    else
      insert_postgresql(db, refused);
    drop_oldest(db, refused, limits);
  });
}

result<std::vector<core::refused_callback>> list_callback_refusals(session& db,
                                                                   const core::callback_audit_page& page) {
  return guarded(db, "Listing refused callbacks", [&] {
    std::vector<core::refused_callback> listed;
    core::refused_callback one;
    std::string kind;
    query rows(db, "SELECT r.id, r.at, r.profile_id, t.name, r.source, r.kind, r.reason, r.digest "
                   "FROM callback_refusals AS r LEFT JOIN tenants AS t ON t.id = r.tenant_id WHERE "
                       + condition_of(page) + " ORDER BY r.id DESC LIMIT :limit");
    rows.use("before", page.before_id > 0 ? page.before_id : std::numeric_limits<std::int64_t>::max());
    use_tenants(rows, page.tenants);
    if (page.profile)
      rows.use("profile", *page.profile);
    rows.use("limit", page.limit);
    rows.into(one.id).into(one.at).into(one.profile).into(one.tenant).into(one.source).into(kind);
    rows.into(one.reason).into(one.digest);
    while (rows.next()) {
      one.kind = known(core::parse_callback_refusal_kind(kind), "callback_refusals.kind");
      listed.push_back(one);
    }
    return listed;
  });
}

} // namespace sluice::storage
