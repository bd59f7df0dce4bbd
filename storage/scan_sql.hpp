#pragma once

#include "core/time.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace sluice::storage {

/// Of a range that ends nowhere.
inline constexpr core::timestamp no_bound{core::duration{std::numeric_limits<std::int64_t>::max()}};

/// Of a ledger row `r` and its record `m`: a delta offers the record again. A row that failed is offered only
/// while it has no next attempt, whatever version was seen; any other one when the record has moved on.
[[nodiscard]] std::string offered_by_delta(bool dependent);

/// Of a ledger row `r` whose record is a deletion by the source: there is something to withdraw.
inline constexpr std::string_view withdrawable = "r.target_state <> 'absent' AND r.status <> 'withdrawn'";

/// The statements of a scan. All take source, domain, after_time, after_id and until (exclusive).

/// Candidates of a delta: takes rule, limit and examine_limit too. Its last column is, on PostgreSQL, how
/// many rows lie between the start and the candidate, the candidate included; 0 on SQLite, where counting
/// afterwards is cheaper.
[[nodiscard]] const std::string& delta_sql(engine kind, bool propagates_deletions, bool dependent);

/// Candidates of a backfill, same columns.
[[nodiscard]] const std::string& backfill_sql(engine kind);

/// How many rows, at most examine_limit, and the time of the last.
[[nodiscard]] const std::string& window_sql(engine kind);

/// The position of row number `offset` (from 0).
[[nodiscard]] const std::string& window_end_sql(engine kind);

} // namespace sluice::storage
