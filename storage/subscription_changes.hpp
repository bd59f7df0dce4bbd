#pragma once

#include "core/subscription.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <string>
#include <vector>

// What every change of a subscription does. All of it throws: use inside `guarded`.

namespace sluice::storage {

/// The tenant's id; until the transaction ends nobody else changes a subscription of it.
[[nodiscard]] std::int64_t lock_subscriptions(session& db, const std::string& tenant);

/// Raises the version and writes down anew which domains the tenant's live subscriptions want.
void end_subscription_change(session& db, std::int64_t tenant);

void raise_subscriptions_version(session& db);

/// The current secret first, then the later an older one was made.
[[nodiscard]] std::vector<core::signing_secret> read_secrets(session& db, const core::subscription& of,
                                                             const crypto::key_ring& keys);

} // namespace sluice::storage
