#pragma once

#include "storage/session.hpp"

#include <string>

namespace sluice::storage {

// The statements of the volume breaker's count. Each counts :most rows at the most.

/// Tombstones of a delta's range that would be withdrawn: takes source, domain, rule, after_time, after_id
/// and until (exclusive).
[[nodiscard]] const std::string& pending_in_delta_sql(engine kind, bool dependent);

/// The same of a backfill's range; takes now as well.
[[nodiscard]] const std::string& pending_in_backfill_sql(engine kind);

/// Held rows whose record is still a tombstone: takes source, domain and rule.
[[nodiscard]] const std::string& held_sql(engine kind);

} // namespace sluice::storage
