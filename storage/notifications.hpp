#pragma once

#include "core/notification_record.hpp"
#include "core/notification_work.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// What is to be told to people. Contents are sealed like addresses, and opened for whoever sends alone
// (storage/notification_attempts.hpp). How a notification goes on is decided by core::apply and written where
// the row is still the one it was decided on.

namespace sluice::storage {

/// However many ask at once, one key of a tenant has one notification; it is looked at before all else, so
/// that what is asked for again is answered again, whatever became of contact point and route. The route's
/// profiles and the terms are fixed here. A suppressed contact point's is made and failed at once with the
/// reason. Refused: the key was used for another request. `not_found`: there is no such tenant, or it has no
/// such contact point or route. `sealed`: there is no key.
[[nodiscard]] result<core::made_notification> make_notification(session& db,
                                                                const core::notification_wish& wanted,
                                                                const crypto::key_ring& keys,
                                                                core::timestamp now);

[[nodiscard]] result<std::optional<core::notification_record>>
find_notification(session& db, std::string_view public_id, const core::tenant_scope& tenants);
[[nodiscard]] result<std::vector<core::notification_record>>
list_notifications(session& db, const core::notification_page& page);

/// Of one notification, in the order of their numbers.
[[nodiscard]] result<std::vector<core::notification_attempt>>
list_notification_attempts(session& db, core::notification_id notification, std::int64_t after_number,
                           std::int64_t limit);

/// What a person, or reconciliation, found out about an ambiguous attempt; a person's with an audit row.
/// Refused, with the reason: it is not ambiguous, or the attempt is not its last. `not_found`.
[[nodiscard]] result<core::notification_record>
settle_notification(session& db, const core::notification_settlement& found, core::timestamp now);

/// With an audit row. Refused, with the reason: it may be with a provider, or is final. `not_found`.
[[nodiscard]] result<core::notification_record>
cancel_notification(session& db, const core::notification_cancellation& wanted, core::timestamp now);

/// Looks at about `limit` notifications behind `after`, oldest first, and removes those made and last changed
/// before `until` that are final, with their attempts, projections and targets. What is queued, on its way or
/// ambiguous stays.
[[nodiscard]] result<core::notifications_pruned>
prune_notifications(session& db, core::timestamp until, core::notification_id after, std::int64_t limit);

} // namespace sluice::storage
