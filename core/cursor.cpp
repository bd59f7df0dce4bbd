#include "core/cursor.hpp"

#include <algorithm>

namespace sluice::core {

delivery_cursor open_cursor(rule_id rule, timestamp now, first_backfill first) {
  const bool backfills = first == first_backfill::over_what_was_there;
  return {.rule = rule,
          .delta = {.changed_at = now, .id = {}},
          .previous_pass_at = now,
          .rescan_from = std::nullopt,
          .change_counter = 0,
          .completed_counter = 0,
          .backfill_until = backfills ? std::optional{now} : std::nullopt,
          .backfill = {},
          .backfill_generation = backfills ? 1 : 0,
          .backfill_resend = false,
          .activated_at = now,
          .known_records = 0,
          .updated_at = now};
}

timestamp delta_pass_floor(const delivery_cursor& cursor, duration overlap) {
  const timestamp floor = cursor.previous_pass_at - overlap;
  return cursor.rescan_from ? std::min(floor, *cursor.rescan_from) : floor;
}

} // namespace sluice::core
