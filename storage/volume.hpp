#pragma once

#include "core/candidate_batch.hpp"
#include "storage/session.hpp"

#include <cstdint>

namespace sluice::storage {

/// What the volume breaker judges a step by. Several queries: in the transaction that reads the step's batch.
/// `backfill`: the scan's range is a backfill's, else a delta's.
enum class scan_range : std::uint8_t { delta, backfill };
[[nodiscard]] result<core::volume_count> count_scan_volume(session& db, const core::scan_query& scan,
                                                           scan_range range);
[[nodiscard]] result<core::volume_count> count_drain_volume(session& db, const core::drain_query& drain);

/// Withdrawals that reached the target now, and by how many the records it holds have grown.
[[nodiscard]] result<void> add_withdrawals(session& db, core::rule_id rule, std::int64_t withdrawn,
                                           core::timestamp now);
[[nodiscard]] result<void> add_known_records(session& db, core::rule_id rule, std::int64_t delta);

/// Counts the records the target holds anew: reads every row of the rule.
[[nodiscard]] result<void> recount_known_records(session& db, core::rule_id rule);

/// Removes up to `limit` counts of withdrawals before `before` that no running run began before; returns how
/// many.
[[nodiscard]] result<std::int64_t> prune_withdrawals(session& db, core::timestamp before, std::int64_t limit);

} // namespace sluice::storage
