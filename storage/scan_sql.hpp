#pragma once

#include "storage/session.hpp"

#include <string>

namespace sluice::storage {

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
