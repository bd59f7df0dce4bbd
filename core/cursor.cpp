#include "core/cursor.hpp"

#include <algorithm>

namespace sluice::core {

delivery_cursor open_cursor(rule_id rule, timestamp now) {
  return {.rule = rule,
          .delta = {.changed_at = now, .id = {}},
          .previous_pass_at = now,
          .rescan_from = std::nullopt,
          .change_counter = 0,
          .completed_counter = 0,
          .backfill_until = now,
          .backfill = {},
          .backfill_generation = 1,
          .updated_at = now};
}

timestamp delta_pass_floor(const delivery_cursor& cursor, duration overlap) {
  const timestamp floor = cursor.previous_pass_at - overlap;
  return cursor.rescan_from ? std::min(floor, *cursor.rescan_from) : floor;
}

} // namespace sluice::core
