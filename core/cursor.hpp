#pragma once

#include "core/ids.hpp"
#include "core/record.hpp"
#include "core/rule.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>

namespace sluice::core {

/// Where a rule stands: one row per rule.
///
/// Delta reads forward from `delta`. While `backfill_until` (T0) is set a backfill is in progress over the
/// records changed before it, and `backfill` is its own position. Neither position ever moves back.
struct delivery_cursor {
  rule_id rule{};
  position delta{};
  timestamp previous_pass_at{}; ///< delta's position when the last pass began: the overlap hangs on it
  std::optional<timestamp> rescan_from; ///< least change time a marker brought since the last pass
  std::int64_t change_counter = 0;      ///< raised by every marker of the rule's source and domain
  std::int64_t completed_counter = 0;   ///< the counter the last completed chain saw when it began
  std::optional<timestamp> backfill_until;
  position backfill{};
  std::int64_t backfill_generation = 0; ///< part of every compare-and-set on the backfill columns
  bool backfill_resend = false;         ///< it sends again what the target already has
  timestamp activated_at{};             ///< T0, the rule's first activation
  std::int64_t known_records = 0;       ///< records the target holds under the rule
  timestamp updated_at{};               ///< the chain's heartbeat
  bool looks_first = false; ///< the database was restored: what is to be created may be at the target already

  friend bool operator==(const delivery_cursor&, const delivery_cursor&) = default;
};

template <class Inspector>
auto inspect(Inspector& f, delivery_cursor& x) {
  return f(x.rule, x.delta, x.previous_pass_at, x.rescan_from, x.change_counter, x.completed_counter,
           x.backfill_until, x.backfill, x.backfill_generation, x.backfill_resend, x.activated_at,
           x.known_records, x.updated_at, x.looks_first);
}

/// The cursor of a first activation at `now` (T0): delta from T0, a backfill bounded by T0 over what was
/// there.
[[nodiscard]] delivery_cursor open_cursor(rule_id rule, timestamp now);

/// The same of a whole rule: a dependent one has no backfill. A parent that was in the target before gets its
/// dependents once they change.
[[nodiscard]] delivery_cursor open_cursor(const sync_rule& rule, timestamp now);

/// Where a delta pass begins, inclusive and on time alone: the position when the pass before began less the
/// overlap, or where a marker asks, whichever is earlier.
[[nodiscard]] timestamp delta_pass_floor(const delivery_cursor& cursor, duration overlap);

} // namespace sluice::core
