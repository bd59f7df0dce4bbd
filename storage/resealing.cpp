#include "storage/resealing.hpp"

#include "crypto/contact_seal.hpp"
#include "crypto/fingerprint.hpp"
#include "crypto/seal.hpp"
#include "storage/sealed_columns.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>

namespace sluice::storage {
namespace {

/// What a contact point has under keys.
struct keyed_contact {
  std::int64_t id = 0;
  std::string public_id;
  std::int64_t tenant = 0;
  std::string tenant_public_id;
  std::string kind;
  std::string address;
  std::string fingerprint;
};

std::vector<keyed_contact> contacts_under(session& db, const core::resealing_order& order) {
  const std::string condition = order.thing == core::keyed_thing::contact_addresses
                                    ? "p.sealing_key = :key"
                                    : "p.fingerprint_key = :key AND p.fingerprint <> ''";
  keyed_contact one;
  query rows(db, "SELECT p.id, p.public_id, p.tenant_id, t.public_id, p.kind, p.address, p.fingerprint "
                 "FROM contact_points AS p JOIN tenants AS t ON t.id = p.tenant_id WHERE "
                     + condition + " AND p.deleted_at IS NULL AND p.id > :after ORDER BY p.id LIMIT :limit");
  rows.use("key", order.key).use("after", order.after_id).use("limit", order.limit);
  rows.into(one.id).into(one.public_id).into(one.tenant).into(one.tenant_public_id).into(one.kind);
  rows.into(one.address).into(one.fingerprint);
  std::vector<keyed_contact> found;
  while (rows.next())
    found.push_back(one);
  return found;
}

bool is_taken(session& db, const keyed_contact& of, const std::string& fingerprint) {
  std::int64_t taken = 0;
  query(db, "SELECT 1 FROM contact_points WHERE tenant_id = :tenant AND kind = :kind "
            "AND fingerprint = :fingerprint AND deleted_at IS NULL AND id <> :id")
      .use("tenant", of.tenant)
      .use("kind", of.kind)
      .use("fingerprint", fingerprint)
      .use("id", of.id)
      .into(taken)
      .run();
  return taken != 0;
}

bool replace(session& db, const keyed_contact& stored, const keyed_contact& renewed,
             const contact_keys& keys) {
  query update(db, "UPDATE contact_points SET address = :address, sealing_key = :sealing_key, "
                   "fingerprint_key = CASE WHEN fingerprint = :fingerprint THEN fingerprint_key "
                   "ELSE :fingerprint_key END, fingerprint = :fingerprint WHERE id = :id "
                   "AND address = :old_address AND fingerprint = :old_fingerprint AND deleted_at IS NULL");
  update.use("address", renewed.address).use("sealing_key", keys.sealing.sealing_key()->name());
  update.use("fingerprint", renewed.fingerprint);
  update.use("fingerprint_key", keys.fingerprints.sealing_key()->name());
  update.use("id", stored.id).use("old_address", stored.address);
  return update.use("old_fingerprint", stored.fingerprint).run() == 1;
}

void renew(session& db, const keyed_contact& stored, const contact_keys& keys, core::resealing_step& step) {
  const auto plain =
      crypto::open_contact(keys.sealing, stored.address, stored.tenant_public_id, stored.public_id);
  if (!plain) {
    ++step.unopened;
    return;
  }
  auto renewed = stored;
  if (crypto::needs_new_fingerprint(keys.fingerprints, stored.fingerprint)) {
    auto fresh = crypto::fingerprint(keys.fingerprints, stored.kind, *plain).value_or(stored.fingerprint);
    if (is_taken(db, stored, fresh))
      ++step.taken;
    else
      renewed.fingerprint = std::move(fresh);
  }
  if (crypto::needs_resealing(keys.sealing, stored.address)) {
    auto sealed = crypto::seal_contact(keys.sealing, *plain, stored.tenant_public_id, stored.public_id);
    if (!sealed)
      throw abandoned{{error::sealed, "The address of a contact point cannot be sealed: "
                                          + std::string(crypto::to_string(sealed.error()))}};
    renewed.address = std::move(*sealed);
  }
  if (renewed.address == stored.address && renewed.fingerprint == stored.fingerprint)
    return;
  ++(replace(db, stored, renewed, keys) ? step.renewed : step.changed_meanwhile);
}

bool is_of_contacts(core::keyed_thing thing) {
  return thing == core::keyed_thing::contact_addresses || thing == core::keyed_thing::contact_fingerprints;
}

void refuse_needless(const core::resealing_order& order, const contact_keys& keys) {
  if (keys.sealing.empty() || (is_of_contacts(order.thing) && keys.fingerprints.empty()))
    throw abandoned{{error::sealed, "There is no key to seal with, or none for fingerprints."}};
  const auto& ring =
      order.thing == core::keyed_thing::contact_fingerprints ? keys.fingerprints : keys.sealing;
  if (order.key == ring.sealing_key()->name())
    throw abandoned{{error::refused, "Key \"" + order.key
                                         + "\" is the current one: put a new one before it "
                                           "in the settings first."}};
}

core::resealing_step reseal_contacts(session& db, const core::resealing_order& order,
                                     const contact_keys& keys) {
  core::resealing_step step{.last_id = order.after_id};
  const auto rows = contacts_under(db, order);
  for (const auto& one : rows) {
    renew(db, one, keys, step);
    step.last_id = one.id;
  }
  step.through = std::ssize(rows) < order.limit;
  return step;
}

void count(session& db, core::keyed_thing thing, std::string_view text, std::vector<core::key_use>& to) {
  core::key_use one;
  one.thing = thing;
  query rows(db, text);
  rows.into(one.key).into(one.live).into(one.removed);
  while (rows.next())
    to.push_back(one);
}

} // namespace

result<std::vector<core::key_use>> count_key_uses(session& db) {
  return in_snapshot(db, "Counting what keys are in use for", [&] {
    std::vector<core::key_use> uses;
    count(db, core::keyed_thing::contact_addresses,
          "SELECT sealing_key, count(*), 0 FROM contact_points WHERE deleted_at IS NULL "
          "GROUP BY sealing_key ORDER BY sealing_key",
          uses);
    count(db, core::keyed_thing::contact_fingerprints,
          "SELECT fingerprint_key, count(*) - count(deleted_at), count(deleted_at) FROM contact_points "
          "WHERE fingerprint <> '' GROUP BY fingerprint_key ORDER BY fingerprint_key",
          uses);
    for (const auto& column : sealed_columns())
      count_keys(db, column, uses);
    return uses;
  });
}

result<core::resealing_step> reseal(session& db, const core::resealing_order& order,
                                    const contact_keys& keys) {
  return guarded(db, "Sealing anew", [&] {
    refuse_needless(order, keys);
    const auto column = std::ranges::find(sealed_columns(), order.thing, &sealed_column::thing);
    return column == sealed_columns().end() ? reseal_contacts(db, order, keys)
                                            : reseal_column(db, *column, order, keys.sealing);
  });
}

} // namespace sluice::storage
