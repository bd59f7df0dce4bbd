#pragma once

#include "core/ids.hpp"
#include "core/reconciliation_item.hpp"
#include "storage/soci_session.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Rows of reconciliation_targets that are attempts; storage/event_matching.cpp writes those of events. All of
// it throws: use inside `guarded`.

namespace sluice::storage {

struct attempt_target_row {
  core::notification_attempt_id attempt{};
  core::provider_profile_id profile{};
};

/// Those that are targets of this kind already stay as they are. Returns how many were added.
std::int64_t add_targets(session& db, core::reconciliation_target kind,
                         std::span<const attempt_target_row> attempts,
                         std::optional<core::timestamp> first_look, core::timestamp now);

void remove_targets(session& db, core::reconciliation_target kind, std::span<const std::int64_t> attempts);

} // namespace sluice::storage
