#pragma once

#include "core/subscription.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Each change raises `subscriptions_version`, and keeps `wanted_domains` right, which the mirror's triggers
// look at: from the moment it commits, changes of these domains are events.

namespace sluice::storage {

/// Its status is active and its events begin behind the last one sequenced. Refused: the name is taken.
/// `not_found`: there is no such tenant. The answer's headers are masked.
[[nodiscard]] result<core::subscription> make_subscription(session& db, const core::subscription& wanted,
                                                           const std::string& secret,
                                                           const crypto::key_ring& keys, core::timestamp now);

/// Writes what a person may change (name, url, event types, filter, order, headers, access), compare-and-set
/// on `written.revision`. A header whose value is core::masked_value keeps the value it had. Refused: the
/// name is taken, the revision is another, or its mode or tenant would change.
[[nodiscard]] result<core::subscription> change_subscription(session& db, const core::subscription& written,
                                                             const crypto::key_ring& keys,
                                                             core::timestamp now);

/// For good: its secrets and headers are gone at once, its live stop has ended, its open deliveries become
/// failed by refuse_open, and the rest is retained as long as its deliveries. False: it was removed already.
/// Refused: its revision is another.
[[nodiscard]] result<bool> remove_subscription(session& db, const core::subscription_removal& wanted,
                                               core::timestamp now);

/// Those removed before `removed_until` whose last delivery is gone; returns how many. Nothing that was
/// fanned out for one that was just removed may still be on its way: leave them an hour at least.
[[nodiscard]] result<std::int64_t> prune_subscriptions(session& db, core::timestamp removed_until,
                                                       std::int64_t limit);

/// Live ones, by public id. What must not be seen of the headers is masked.
[[nodiscard]] result<std::optional<core::subscription>> find_subscription(session& db,
                                                                          std::string_view public_id,
                                                                          const core::tenant_scope& tenants,
                                                                          const crypto::key_ring& keys);
[[nodiscard]] result<std::vector<core::subscription>>
list_subscriptions(session& db, const core::subscription_page& page, const crypto::key_ring& keys);

/// Everything its actor needs, opened. Nothing: it does not exist, or was removed.
[[nodiscard]] result<std::optional<core::served_subscription>>
load_subscription(session& db, core::subscription_id subscription, const crypto::key_ring& keys);

/// The same of the one of this name within its tenant.
[[nodiscard]] result<std::optional<core::served_subscription>>
load_subscription(session& db, std::string_view tenant, std::string_view name, const crypto::key_ring& keys);

/// Raised by each change of a subscription, its status's included.
[[nodiscard]] result<std::int64_t> subscriptions_version(session& db);

/// False: its status was not the one to be left, or it is gone. Enabling begins the count of dead deliveries
/// anew.
[[nodiscard]] result<bool>
set_subscription_status(session& db, const core::subscription_status_change& change, core::timestamp now);

/// See core::rotate_secret, whose refusal is `refused`. The secrets after it, the new one first. `not_found`:
/// there is no such subscription.
[[nodiscard]] result<std::vector<core::signing_secret>>
rotate_secret(session& db, core::subscription_id subscription, const std::string& fresh,
              core::duration overlap, const crypto::key_ring& keys, core::timestamp now);

} // namespace sluice::storage
