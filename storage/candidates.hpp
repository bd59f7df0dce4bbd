#pragma once

#include "core/candidate_batch.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::storage {

using core::drain_query;
using core::scan_batch;
using core::scan_query;

/// A delta batch: the ledger join leaves out whatever a delta must never return (else one batch of it would
/// stop the rule for good). One snapshot. Kept are
///   live records: without a row; with a live row (not trashed) whose seen version is older than the record,
///   unless its status is held, ambiguous, remote_gone (kept when dependent), exhausted, or failed with a
///   next attempt; with a live failed row that has no next attempt; tombstones: only with a propagating
///   policy, reason source_event, a live row whose target is not absent, whose status is not withdrawn nor
///   one of those above, and whose seen version is older (or failed without next attempt).
/// With `volume_window` the batch brings what the volume breaker counts, from the same snapshot; so do the
/// two below. `not_found` once the source connection is disconnected, as of the two below.
[[nodiscard]] result<scan_batch> read_delta(session& db, const scan_query& query);

/// A backfill batch: every record of the range with its ledger row, nothing left out (decide skips).
[[nodiscard]] result<scan_batch> read_backfill(session& db, const scan_query& query);

/// A drain row whose record is gone from the mirror has a candidate without record (record.id is none).
/// Offered, of rows that are not trashed: those with next_attempt_at <= now; undeliverable or filtered ones
/// seen under an older revision; awaiting_anchor ones of a live record whose parent has a reference now; held
/// ones of a record that is live or a deletion the rule delivers, while no hold is live. In source id order
/// after `after_source_id`.
[[nodiscard]] result<core::due_batch> read_due(session& db, const drain_query& query);

/// Candidates of named records, for settling: those that no longer exist are left out.
[[nodiscard]] result<std::vector<core::candidate>>
read_candidates(session& db, core::rule_id rule, const std::vector<core::record_id>& records);

} // namespace sluice::storage
