#pragma once

#include "core/event_delivery.hpp"
#include "storage/open_claims.hpp"

#include <optional>
#include <span>

// Rows of delivery_attempts: written once, whole, when the attempt has ended. All of it throws: use inside
// `guarded`.

namespace sluice::storage {

struct attempt_row {
  core::ended_attempt ended;
  std::optional<core::timestamp>
      started_at; ///< absent: it was superseded; its row is closed where it is open
};

void write_attempts(session& db, core::subscription_id subscription, std::span<const attempt_row> attempts,
                    core::timestamp now);

/// Attempts that are their deliveries' no more while they are on their way: their rows stay open until their
/// answers come, so that numbers have no gap.
void write_superseded(session& db, core::subscription_id subscription,
                      std::span<const open_claim> superseded);

} // namespace sluice::storage
