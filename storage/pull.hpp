#pragma once

#include "core/pull.hpp"
#include "storage/session.hpp"

namespace sluice::storage {

/// The subscription's events behind a position, up to where fan-out has come, and remembers how far they were
/// offered: a write. `not_found`: there is no such live pull subscription. `refused`: it is not active.
[[nodiscard]] result<core::pull_page> read_pull(session& db, const core::pull_wish& wish);

/// Moves the cursor forward, never past what was offered; what it covers becomes delivered. At most
/// `wanted.limit` deliveries in one transaction: the cursor then stands at the last of them. Errors as
/// read_pull's.
[[nodiscard]] result<core::pull_advanced> advance_pull(session& db, const core::pull_advance& wanted,
                                                       core::timestamp now);

} // namespace sluice::storage
