#pragma once

#include "core/event_delivery.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Deliveries of events to subscriptions. Every state is decided by core::claim_attempt and core::apply and
// written where the row is still the one it was decided on.

namespace sluice::storage {

/// Closes attempts whose lease lapsed, then claims what is due of an active push subscription: attempts get
/// their numbers in the caller's transaction, their rows when they have ended. Of an ordering key at most one
/// is on its way, and only the earliest open one: later ones are put aside and become due when it ends.
[[nodiscard]] result<core::delivery_claims> claim_deliveries(session& db, const core::claim_wish& wish,
                                                             core::timestamp now);

/// What attempts of one subscription came to, each delivery named once. An attempt that is its delivery's no
/// more writes its own row alone. The count of dead deliveries, and what it disables, change with it.
[[nodiscard]] result<core::attempts_recorded> record_attempt_ends(session& db,
                                                                  core::subscription_id subscription,
                                                                  std::span<const core::ended_attempt> ended,
                                                                  std::int32_t dead_threshold,
                                                                  core::timestamp now);

/// Attempts that were held back before their calls: nothing of them stays, their numbers are free again. Due
/// again at `due_at`. Returns how many were still their deliveries'.
[[nodiscard]] result<std::int64_t> give_back_attempts(session& db, core::subscription_id subscription,
                                                      std::span<const core::returned_attempt> returned,
                                                      core::timestamp due_at, core::timestamp now);

/// The earliest moment anything of this subscription falls due, a lease that lapses included; nothing:
/// nothing waits.
[[nodiscard]] result<std::optional<core::timestamp>> next_delivery_due(session& db,
                                                                       core::subscription_id subscription);

/// The same of every active push subscription that has one, in the order of their ids.
[[nodiscard]] result<std::vector<core::subscription_due>> all_next_delivery_due(session& db);

[[nodiscard]] result<std::vector<core::event_delivery>>
list_event_deliveries(session& db, const core::event_delivery_page& page);
[[nodiscard]] result<std::optional<core::event_delivery>>
find_event_delivery(session& db, core::subscription_id subscription, std::string_view event_public_id);

/// In the order of their numbers.
[[nodiscard]] result<std::vector<core::delivery_attempt>>
list_attempts(session& db, core::subscription_id subscription, core::event_position position,
              std::int64_t after_number, std::int64_t limit);

/// An operator's retry, with its audit row. `refused` with the reason; `not_found`: there is no such
/// delivery.
[[nodiscard]] result<core::event_delivery> restart_delivery(session& db, const core::delivery_restart& wanted,
                                                            core::timestamp now);

/// Open deliveries of subscriptions that are gone, or whose access is not accepted any more, become failed;
/// looks at about `limit` of their deliveries.
[[nodiscard]] result<core::refused_deliveries> refuse_open_deliveries(session& db, std::int64_t limit,
                                                                      core::timestamp now);

} // namespace sluice::storage
