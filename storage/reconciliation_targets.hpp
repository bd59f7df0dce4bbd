#pragma once

#include "core/reconciliation_item.hpp"
#include "core/reconciliation_overview.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// What is looked after until it is known. Ambiguous submissions become targets, and are none any more, with
// their notifications (storage/notification_attempts.hpp); unmatched events with theirs
// (storage/provider_events.hpp); overdue callbacks are searched for here.

namespace sluice::storage {

/// Those whose look is due, the earliest first, with what their providers are asked by.
[[nodiscard]] result<std::vector<core::reconciliation_question>>
due_reconciliation_targets(session& db, std::int64_t limit, const crypto::key_ring& keys,
                           core::timestamp now);

/// By core::reconcile, in a transaction of the caller's whose first deed it is. A provider that knows the
/// message settles the ambiguity as accepted; events it told of are the caller's to append. An overdue
/// callback that has come is looked for no more.
[[nodiscard]] result<core::look_recorded> record_look(session& db, const core::reconciliation_look& look,
                                                      const core::reconciliation_schedule& schedule,
                                                      core::timestamp now);

/// Goes on where the search before ended; what is a target already, or was one that is given up, is not added
/// again. A search from the beginning reads every accepted attempt that retention has left, batch by batch.
[[nodiscard]] result<core::overdue_found>
add_overdue_callbacks(session& db, const core::overdue_search& search, core::timestamp now);

[[nodiscard]] result<std::vector<core::named_reconciliation_item>>
list_reconciliation_targets(session& db, const core::reconciliation_page& page);

[[nodiscard]] result<std::vector<core::lapsed_attempt>> list_lapsed_attempts(session& db,
                                                                             const core::lapsed_page& page);

/// Attempts past their lease are counted as of `now`.
[[nodiscard]] result<core::unsettled_counts> count_unsettled(session& db, const core::tenant_scope& tenants,
                                                             core::timestamp now);

/// Of those notifications that have an attempt.
[[nodiscard]] result<std::vector<core::notification_standing>>
read_notification_standings(session& db, std::span<const core::notification_id> notifications);

} // namespace sluice::storage
