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
          .activated_at = now,
          .updated_at = now};
}

delivery_cursor open_cursor(const sync_rule& rule, timestamp now) {
  auto cursor = open_cursor(rule.id, now);
  if (rule.dependent())
    cursor.backfill_until.reset();
  return cursor;
}

timestamp delta_pass_floor(const delivery_cursor& cursor, duration overlap) {
  const timestamp floor = cursor.previous_pass_at - overlap;
  return cursor.rescan_from ? std::min(floor, *cursor.rescan_from) : floor;
}

} // namespace sluice::core
