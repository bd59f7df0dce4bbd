#pragma once

#include "core/provider_report.hpp"
#include "core/reconciliation.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// What providers tell. It is appended before anything is made of it, and never written again; attempts are
// projected from it and from nothing else. Whatever writes needs a transaction of the caller's.

namespace sluice::storage {

/// All of them or, where it fails, none. An event whose key is known already is kept as a duplicate, also
/// where two append it at this moment; one transaction appends once, or two may wait for each other and one
/// ends as `busy`. `sealed`: there is no key for the bodies; `not_found`: a tenant is not there.
[[nodiscard]] result<core::reports_appended>
append_reports(session& db, std::span<const core::provider_report> reports, const crypto::key_ring& keys);

/// Projects the oldest events nobody has looked at. Those without an attempt are put aside and become targets
/// of reconciliation, looked at by `schedule`. It is to be the first thing its transaction does, for it may
/// wait until attempts that are being recorded by others are committed. Two at once take different events.
[[nodiscard]] result<core::events_projected> project_events(session& db, std::int64_t limit,
                                                            const core::reconciliation_schedule& schedule,
                                                            core::timestamp now);

/// In the transaction that gave the attempts their rows or their message ids: events that came before it are
/// to be looked at again. Returns how many.
[[nodiscard]] result<std::int64_t> match_early_events(session& db,
                                                      std::span<const core::named_attempt> attempts);

/// The same of unmatched events by their ids, for reconciliation; what is no longer unmatched is left alone.
[[nodiscard]] result<std::int64_t> look_again(session& db, std::span<const core::provider_event_id> events);

/// Makes the projections of the attempts behind `after` anew from the events that are kept, about `limit` of
/// them; an attempt's is never seen half made, and events that are projected meanwhile count. One whose event
/// retention has taken stands until a kept event says more.
[[nodiscard]] result<core::projections_rebuilt> rebuild_projections(session& db,
                                                                    core::notification_attempt_id after,
                                                                    std::int64_t limit, core::timestamp now);

/// In the attempts' order; one without a projection is left out.
[[nodiscard]] result<std::vector<core::attempt_projection>>
read_projections(session& db, std::span<const core::notification_attempt_id> attempts);

[[nodiscard]] result<std::vector<core::kept_event>> list_provider_events(session& db,
                                                                         const core::kept_event_page& page);

/// What the provider sent, as it came: for those alone who may see addresses. Nothing: there is no such
/// report, or it is another tenant's.
[[nodiscard]] result<std::optional<std::string>> open_report(session& db, core::provider_report_id id,
                                                             const core::tenant_scope& tenants,
                                                             const crypto::key_ring& keys);

/// Reports from before `until`, oldest first, with their events and what hangs on them: so many that it is
/// about `limit` rows, one report at least; a report with an event that nobody has looked at stays.
/// Projections stay. Returns the reports and events removed.
[[nodiscard]] result<std::int64_t> prune_reports(session& db, core::timestamp until, std::int64_t limit);

} // namespace sluice::storage
