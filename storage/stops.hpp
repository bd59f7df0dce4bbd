#pragma once

#include "core/stop.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::storage {

/// A manual stop. Where one is live in this scope already it is returned as it is. `not_found` where the
/// connection or rule does not exist.
[[nodiscard]] result<core::stop_in_force> set_stop(session& db, const core::stop_request& wanted,
                                                   core::timestamp now);

/// Ends a manual stop by its public id, or whichever is live on a target, as resumed. `not_found`: there is
/// none, or it has ended.
[[nodiscard]] result<core::delivery_stop> end_stop(session& db, std::string_view public_id,
                                                   std::string_view by, core::timestamp now);
[[nodiscard]] result<core::delivery_stop> end_stop(session& db, const core::stop_target& target,
                                                   std::string_view by, core::timestamp now);

/// Every live manual stop and hold, oldest first.
[[nodiscard]] result<std::vector<core::delivery_stop>> live_stops(session& db);

/// The live hold of a rule.
[[nodiscard]] result<std::optional<core::delivery_stop>> live_hold(session& db, core::rule_id rule);

/// By public id, live or ended.
[[nodiscard]] result<std::optional<core::delivery_stop>> find_stop(session& db, std::string_view public_id);

/// Live and ended ones, newest first.
[[nodiscard]] result<std::vector<core::delivery_stop>> stop_history(session& db, const core::stop_page& page);

/// The volume breaker holds a rule's withdrawals. A hold that is live already is returned as it is; a new one
/// ends the release in force, in the caller's transaction.
[[nodiscard]] result<core::stop_in_force> set_hold(session& db, core::rule_id rule,
                                                   const core::hold_finding& finding, core::timestamp now);

/// Nothing is left to hold. False: the hold had ended already.
[[nodiscard]] result<bool> heal_hold(session& db, std::int64_t hold, core::timestamp now);

/// A person lets `allowed` withdrawals go: the hold ends, its release is in force, and older releases of the
/// rule are not any more, in the caller's transaction. `not_found`: there is no such hold. `refused`: it has
/// ended, or `allowed` is below 1.
[[nodiscard]] result<core::delivery_stop> release_hold(session& db, std::string_view public_id,
                                                       std::int64_t allowed, std::string_view by,
                                                       core::timestamp now);

/// A person ends a hold without letting anything go. Errors as release_hold's.
[[nodiscard]] result<core::delivery_stop> discard_hold(session& db, std::string_view public_id,
                                                       std::string_view by, core::timestamp now);

/// Every row a release confirmed is gone. False: it was not in force any more.
[[nodiscard]] result<bool> consume_release(session& db, std::int64_t release, core::timestamp now);

} // namespace sluice::storage
