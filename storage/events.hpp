#pragma once

#include "core/change_event.hpp"
#include "storage/session.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Change events. Those of the mirror are written by its triggers, in the transaction that changed it, where a
// subscription of the tenant wants the domain. One that nobody has sequenced has no position and, of a
// change, no public id yet.

namespace sluice::storage {

/// `not_found` where the tenant does not exist; `refused` where the idempotency key was used for another type
/// or body.
[[nodiscard]] result<core::published_event> publish_event(session& db, const core::event_to_publish& wanted,
                                                          core::timestamp now);

/// Gives committed events the next positions, in the order of their ids and without a gap; returns how many.
/// Two at once take turns. What commits late gets a late position, so a reader of positions steps over
/// nothing.
[[nodiscard]] result<std::int64_t> sequence_events(session& db, std::int64_t limit, core::timestamp now);

/// Sequenced events behind a position, in order; retention leaves gaps. `bytes_max` limits the bodies' sum,
/// one event is always read.
[[nodiscard]] result<std::vector<core::change_event>> read_events(session& db, core::event_position after,
                                                                  std::int64_t limit, std::size_t bytes_max);

/// By public id; of a change only once it is sequenced.
[[nodiscard]] result<std::optional<core::change_event>> find_event(session& db, std::string_view public_id,
                                                                   const core::tenant_scope& tenants);

/// Without the bodies, which may be large; changes only once they are sequenced.
[[nodiscard]] result<std::vector<core::change_event>> list_events(session& db, const core::event_page& page);

/// Removes what was sequenced before `until` and is fanned out, oldest first, with everything that hangs on
/// it; about `limit` rows a call.
[[nodiscard]] result<core::pruned_events> prune_events(session& db, core::timestamp until, std::int64_t limit,
                                                       core::timestamp now);

/// The same of settled deliveries with their attempts, and of the attempts of settled deliveries, where the
/// event stays. 0: nothing is left to prune. What was open then goes with its event.
[[nodiscard]] result<std::int64_t> prune_deliveries(session& db, core::timestamp until, std::int64_t limit);
[[nodiscard]] result<std::int64_t> prune_attempts(session& db, core::timestamp until, std::int64_t limit);

} // namespace sluice::storage
