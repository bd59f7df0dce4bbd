#pragma once

#include "core/notification_work.hpp"
#include "core/provider_report.hpp"
#include "core/reconciliation.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Sending. Numbers and rows of attempts are committed before their calls leave; whatever is not known to have
// ended stays on its way until its lease lapses, and is ambiguous then. Each function needs a transaction of
// the caller's; those that record what came of attempts are to be its first.

namespace sluice::storage {

/// Closes lapsed leases of the profile, then claims what is due at it, with addresses and contents opened.
/// What has expired, or has a contact point that is suppressed or removed, ends here and costs no attempt;
/// what no key opens is put off by a lease. Two at once claim different ones. A profile that was removed is
/// claimed for all the same: what waits at it is to be rejected as the provider's, and falls back.
[[nodiscard]] result<core::notification_claims> claim_notifications(session& db,
                                                                    const core::notification_claim_wish& wish,
                                                                    const crypto::key_ring& keys,
                                                                    core::timestamp now);

/// What attempts by the profile came to, each named once. An attempt that is its notification's no more
/// writes its own row alone. With it go the suppression of a contact point the provider's answer retired, the
/// target of what is ambiguous, and events that came before the attempt had its provider's id: they are to be
/// projected again.
[[nodiscard]] result<core::submissions_recorded>
record_submissions(session& db, core::provider_profile_id profile,
                   std::span<const core::ended_submission> ended, const core::reconciliation_schedule& looks,
                   core::timestamp now);

/// Attempts that were held back before their calls: their rows go, their numbers are free again. Due again at
/// `due_at`. Returns how many were still their notifications'.
[[nodiscard]] result<std::int64_t> give_back_submissions(session& db,
                                                         std::span<const core::returned_submission> returned,
                                                         core::timestamp due_at, core::timestamp now);

/// In the transaction of project_events, after it: an ambiguous submission that an event is of was taken, and
/// a contact point that events retire is suppressed. It has to follow each time: an attempt that becomes
/// ambiguous at this moment waits here, or is seen here.
[[nodiscard]] result<core::told_recorded> record_told(session& db, const core::events_projected& told,
                                                      core::timestamp now);

/// The earliest moment the profile has something to do, a lease that lapses included; nothing: nothing waits.
[[nodiscard]] result<std::optional<core::timestamp>> next_notification_due(session& db,
                                                                           core::provider_profile_id profile);

/// The same of every profile that has one, removed ones too, in the order of their ids.
[[nodiscard]] result<std::vector<core::profile_due>> all_next_notification_due(session& db);

} // namespace sluice::storage
