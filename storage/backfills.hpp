#pragma once

#include "core/backfill.hpp"
#include "core/cursor.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>

namespace sluice::storage {

/// Counted in one query. `not_found`: no such rule; `refused`: it may not be backfilled by hand (it is not a
/// push-out rule of a root domain, or has no cursor yet).
[[nodiscard]] result<core::backfill_preview> preview_backfill(session& db, core::rule_id rule,
                                                              core::timestamp until, bool resend);

/// Opens a backfill and writes its confirmation, in the caller's transaction. Leaves the cursor's updated_at
/// alone. `refused`: as above, a bound in the future, one in progress, or a count that shows more creates
/// than were confirmed.
[[nodiscard]] result<core::delivery_cursor> open_backfill(session& db, const core::backfill_start& start,
                                                          core::timestamp now);

/// Compare-and-set on bound and generation; leaves the cursor's updated_at alone. False: that backfill had
/// ended.
[[nodiscard]] result<bool> abort_backfill(session& db, core::rule_id rule, core::timestamp until,
                                          std::int64_t generation);

/// The latest confirmation of a backfill into a connection, or into the target of a rule.
[[nodiscard]] result<std::optional<core::backfill_confirmation>>
latest_confirmation(session& db, core::connection_id target);
[[nodiscard]] result<std::optional<core::backfill_confirmation>> latest_confirmation(session& db,
                                                                                     core::rule_id rule);

/// The confirmation of the backfill a rule has in progress; one that an activation opened has none.
[[nodiscard]] result<std::optional<core::backfill_confirmation>> confirmation_in_progress(session& db,
                                                                                          core::rule_id rule);

/// Nothing: no backfill is in progress. Counts the mirror's records of the rule's domain.
[[nodiscard]] result<std::optional<core::backfill_progress>> read_progress(session& db, core::rule_id rule);

} // namespace sluice::storage
