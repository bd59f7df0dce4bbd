#pragma once

#include "core/candidate_batch.hpp"
#include "core/cursor.hpp"
#include "storage/session.hpp"

#include <optional>

namespace sluice::storage {

[[nodiscard]] result<std::optional<core::delivery_cursor>> find_cursor(session& db, core::rule_id rule);

/// Inserts the row; a row that exists stays as it is (first activation happens once) and is returned.
[[nodiscard]] result<core::delivery_cursor> open_cursor(session& db, const core::delivery_cursor& cursor);

/// One write of a step.
using cursor_move = core::cursor_advance;

/// Sets updated_at to `now` (the heartbeat). Returns false when the backfill part was dropped: the backfill
/// had ended or another had begun; the rest is written all the same.
[[nodiscard]] result<bool> move_cursor(session& db, core::rule_id rule, const cursor_move& move,
                                       core::timestamp now);

/// Markers, consumed: for every rule whose source and domain a marker names, raises change_counter and lowers
/// rescan_from; deletes the markers; returns the rules with their counters. One transaction of the caller's.
using touched_rule = core::rule_change;
[[nodiscard]] result<std::vector<touched_rule>> consume_markers(session& db);

/// Consumes those of the source and domain of a rule that is about to get its first cursor: what is there
/// already is its backfill's, and such a marker would have delta read it all instead. The other rules it
/// names learn of it by the configuration version, which the caller raises.
[[nodiscard]] result<void> consume_markers_before(session& db, core::rule_id activated);

/// Cheap: whether any marker waits.
[[nodiscard]] result<bool> has_markers(session& db);

} // namespace sluice::storage
