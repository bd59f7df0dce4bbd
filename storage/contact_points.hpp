#pragma once

#include "core/contact_record.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <optional>
#include <string_view>
#include <vector>

// Addresses are sealed and found by fingerprints (docs/decisions/0093): nothing here but
// open_contact_point gives one away, no failure's text quotes one.

namespace sluice::storage {

/// Two rings without a key in common: what seals addresses, and what finds them.
struct contact_keys {
  const crypto::key_ring& sealing;
  const crypto::key_ring& fingerprints;
};

/// However many ask at once, one address of a tenant has one contact point. Where the wish says that it was
/// registered, that is noted, and a retired token that it outlives is lifted, with an audit row. An address
/// that was removed while suppressed comes back suppressed. `not_found`: there is no such tenant; `sealed`: a
/// ring has no key.
[[nodiscard]] result<core::found_contact> find_or_create_contact_point(session& db,
                                                                       const core::contact_wish& wish,
                                                                       const contact_keys& keys,
                                                                       core::timestamp now);

/// Live ones, by public id, or by the address itself.
[[nodiscard]] result<std::optional<core::contact_record>>
find_contact_point(session& db, std::string_view public_id, const core::tenant_scope& tenants);
[[nodiscard]] result<std::optional<core::contact_record>>
find_contact_point(session& db, const std::string& tenant, const core::contact_address& address,
                   const crypto::key_ring& fingerprints);

[[nodiscard]] result<std::vector<core::contact_record>> list_contact_points(session& db,
                                                                            const core::contact_page& page);

/// With its address, suppressed or not: whoever sends looks at its suppression, whoever shows it to a person
/// writes the audit row. Nothing: it does not exist, or was removed.
[[nodiscard]] result<std::optional<core::opened_contact>>
open_contact_point(session& db, core::contact_point_id contact, const crypto::key_ring& sealing);

/// For good: its address is gone at once. False: it was removed already.
[[nodiscard]] result<bool> remove_contact_point(session& db, core::contact_point_id contact,
                                                core::timestamp now);

/// Removes the rows of at most `limit` that were removed before `until` and no notification is kept for;
/// returns how many. What was suppressed when it was removed stays: its fingerprint is what keeps the address
/// from coming back as one that may be sent to.
[[nodiscard]] result<std::int64_t> prune_contact_points(session& db, core::timestamp until,
                                                        std::int64_t limit);

/// By core::suppression_after, with an audit row where something changed; false: nothing did. `not_found`: it
/// does not exist, or was removed.
[[nodiscard]] result<bool> suppress_contact_point(session& db, core::contact_point_id contact,
                                                  const core::contact_suppression& told);

/// With an audit row. False: it was not suppressed. `not_found` as above.
[[nodiscard]] result<bool> lift_suppression(session& db, const core::suppression_lifting& wanted,
                                            core::timestamp now);

} // namespace sluice::storage
