#include "storage/contact_points.hpp"

#include "crypto/contact_seal.hpp"
#include "crypto/fingerprint.hpp"
#include "crypto/random.hpp"
#include "storage/contact_columns.hpp"
#include "storage/contact_suppressions.hpp"
#include "storage/tenant_changes.hpp"
#include "storage/tenant_sql.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

constexpr std::string_view live = " AND p.deleted_at IS NULL";

[[noreturn]] void refuse_seal(std::string_view what, std::string_view why) {
  throw abandoned{{error::sealed, "The address of a contact point cannot be " + std::string(what) + ": "
                                      + std::string(why)}};
}

keyed_address keyed(const core::contact_address& address, std::int64_t tenant,
                    const crypto::key_ring& fingerprints) {
  keyed_address made{tenant, address.kind,
                     crypto::fingerprints(fingerprints, core::to_string(address.kind), address.text)};
  if (made.fingerprints.empty())
    refuse_seal("found", "There is no key for fingerprints.");
  return made;
}

/// The older one where there are two: a plan that sorts by id would read all of the tenant's.
std::optional<core::contact_record> live_contact(session& db, const keyed_address& address) {
  auto found = read_contacts(db, of_address(address) + std::string(live),
                             [&](query& rows) { use_address(rows, address); });
  const auto oldest = std::ranges::min_element(found, {}, &core::contact_record::id);
  if (oldest == found.end())
    return std::nullopt;
  return std::move(*oldest);
}

/// Nothing: the address has a contact point already.
core::contact_point_id insert_contact(session& db, const core::contact_wish& wish,
                                      const keyed_address& address, const std::string& tenant_public_id,
                                      const contact_keys& keys, core::timestamp now) {
  const auto public_id = crypto::uuid_v7(now);
  const auto sealed = crypto::seal_contact(keys.sealing, wish.address.text, tenant_public_id, public_id);
  if (!sealed)
    refuse_seal("sealed", crypto::to_string(sealed.error()));
  core::contact_point_id id{};
  query insert(db, "INSERT INTO contact_points (public_id, tenant_id, kind, address, sealing_key, "
                   "fingerprint, fingerprint_key, token_seen_at, created_at, updated_at) VALUES (:public_id, "
                   ":tenant, :kind, :address, :sealing_key, :fingerprint, :fingerprint_key, :seen, :now, "
                   ":now) ON CONFLICT DO NOTHING RETURNING id");
  insert.use("public_id", public_id).use("tenant", address.tenant).use("kind", core::to_string(address.kind));
  insert.use("address", *sealed).use("sealing_key", keys.sealing.sealing_key()->name());
  insert.use("fingerprint", address.fingerprints.front());
  insert.use("fingerprint_key", keys.fingerprints.sealing_key()->name());
  insert.use("seen", wish.registered_at).use("now", now);
  insert.into(id).run();
  return id;
}

/// While keys are being changed the unique key alone does not keep two rows of one address apart: makers take
/// turns, and each looks again.
std::optional<core::contact_record> contact_in_turn(session& db, const std::string& tenant,
                                                    const keyed_address& address) {
  if (address.fingerprints.size() == 1)
    return std::nullopt;
  static_cast<void>(lock_tenant(db, tenant));
  return live_contact(db, address);
}

/// The id, and whether it was made.
std::pair<core::contact_point_id, bool> contact_of(session& db, const core::contact_wish& wish,
                                                   const contact_keys& keys, core::timestamp now) {
  const auto tenant = tenant_named(db, wish.tenant);
  const auto address = keyed(wish.address, tenant.id, keys.fingerprints);
  if (const auto there = live_contact(db, address))
    return {there->id, false};
  if (const auto there = contact_in_turn(db, wish.tenant, address))
    return {there->id, false};
  if (const auto made = insert_contact(db, wish, address, tenant.public_id, keys, now)) {
    take_over_suppressions(db, made, address, now);
    return {made, true};
  }
  const auto there = live_contact(db, address);
  if (!there)
    throw abandoned{{error::busy, "The contact point was removed while it was looked for."}};
  return {there->id, false};
}

std::string condition_of(const core::contact_page& page) {
  auto text = "p.id > :after" + std::string(live) + only_tenants_named(page.tenants, "t.name");
  if (page.tenant)
    text += " AND t.name = :tenant";
  if (page.kind)
    text += " AND p.kind = :kind";
  if (page.suppressed)
    text += *page.suppressed ? " AND p.suppressed_reason IS NOT NULL" : " AND p.suppressed_reason IS NULL";
  return text + " ORDER BY p.id LIMIT :limit";
}

} // namespace

result<core::found_contact> find_or_create_contact_point(session& db, const core::contact_wish& wish,
                                                         const contact_keys& keys, core::timestamp now) {
  return guarded(db, "Finding or making a contact point", [&] {
    const auto [id, made] = contact_of(db, wish, keys, now);
    if (wish.registered_at)
      note_registration(db, id, *wish.registered_at, wish.by, now);
    auto record = read_contact(db, "p.id = :id", [&, of = id](query& row) { row.use("id", of); });
    return core::found_contact{known(std::move(record), "contact_points.id"), made};
  });
}

result<std::optional<core::contact_record>> find_contact_point(session& db, std::string_view public_id,
                                                               const core::tenant_scope& tenants) {
  return guarded(db, "Finding a contact point", [&] {
    return read_contact(db, "p.public_id = :id" + std::string(live) + only_tenants_named(tenants, "t.name"),
                        [&](query& row) {
                          row.use("id", public_id);
                          use_tenants(row, tenants);
                        });
  });
}

result<std::optional<core::contact_record>> find_contact_point(session& db, const std::string& tenant,
                                                               const core::contact_address& address,
                                                               const crypto::key_ring& fingerprints) {
  return guarded(db, "Finding a contact point",
                 [&] { return live_contact(db, keyed(address, tenant_named(db, tenant).id, fingerprints)); });
}

result<std::vector<core::contact_record>> list_contact_points(session& db, const core::contact_page& page) {
  return guarded(db, "Listing contact points", [&] {
    return read_contacts(db, condition_of(page), [&](query& rows) {
      rows.use("after", page.after_id).use("limit", page.limit);
      use_tenants(rows, page.tenants);
      if (page.tenant)
        rows.use("tenant", *page.tenant);
      if (page.kind)
        rows.use("kind", core::to_string(*page.kind));
    });
  });
}

result<std::optional<core::opened_contact>> open_contact_point(session& db, core::contact_point_id contact,
                                                               const crypto::key_ring& sealing) {
  return in_snapshot(db, "Opening a contact point", [&]() -> std::optional<core::opened_contact> {
    auto found =
        read_contact(db, "p.id = :id" + std::string(live), [&](query& row) { row.use("id", contact); });
    if (!found)
      return std::nullopt;
    std::string sealed, tenant_public_id;
    query(db, "SELECT p.address, t.public_id FROM contact_points AS p JOIN tenants AS t "
              "ON t.id = p.tenant_id WHERE p.id = :id")
        .use("id", contact)
        .into(sealed)
        .into(tenant_public_id)
        .run();
    if (sealed.empty()) // removed since
      return std::nullopt;
    auto opened = crypto::open_contact(sealing, sealed, tenant_public_id, found->public_id);
    if (!opened)
      refuse_seal("opened", crypto::to_string(opened.error()));
    core::contact_address address{found->kind, std::move(*opened)};
    return core::opened_contact{std::move(*found), std::move(address)};
  });
}

result<bool> remove_contact_point(session& db, core::contact_point_id contact, core::timestamp now) {
  return guarded(db, "Removing a contact point", [&] {
    return query(db, "UPDATE contact_points SET deleted_at = :now, updated_at = :now, address = '', "
                     "sealing_key = '', "
                     "fingerprint = CASE WHEN suppressed_reason IS NULL THEN '' ELSE fingerprint END, "
                     "fingerprint_key = CASE WHEN suppressed_reason IS NULL THEN '' ELSE fingerprint_key END "
                     "WHERE id = :id AND deleted_at IS NULL")
               .use("now", now)
               .use("id", contact)
               .run()
           == 1;
  });
}

} // namespace sluice::storage
