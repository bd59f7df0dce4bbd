#pragma once

#include "core/fan_out.hpp"
#include "storage/session.hpp"

#include <vector>

namespace sluice::storage {

[[nodiscard]] result<core::fan_out_place> read_fan_out_place(session& db);

/// Every live subscription in the order of their ids, whatever its status.
[[nodiscard]] result<std::vector<core::fan_out_subscription>> read_fan_out_subscriptions(session& db);

/// Moves the cursor and writes the deliveries between, in the caller's transaction. False: the cursor is not
/// at `from`, and nothing was written. A delivery that is there already is left as it is; one at or below a
/// pull subscription's cursor is written delivered.
[[nodiscard]] result<bool> write_fan_out(session& db, const core::fan_out_batch& batch, core::timestamp now);

} // namespace sluice::storage
