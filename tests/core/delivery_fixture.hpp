#pragma once

#include "core/booking.hpp"
#include "core/decide.hpp"

#include <chrono>

/// The world of the tests about decisions and bookings: one record changed at `changed`, looked at at `now`.
namespace sluice::core::testing {

using namespace std::chrono_literals;

inline const timestamp now = from_us(1'700'000'000'000'000);
inline const timestamp changed = now - 10min;
inline const timestamp before_change = changed - 1h;

inline constexpr auto no = [] { return false; };
inline constexpr auto yes = [] { return true; };

[[nodiscard]] inline mirror_record live_record() {
  return {.id = {7},
          .source_id = "c-1",
          .content_changed_at = changed,
          .deleted_at = std::nullopt,
          .reason = deletion_reason::none,
          .payload = "{}"};
}

[[nodiscard]] inline mirror_record tombstone(deletion_reason reason = deletion_reason::source_event) {
  mirror_record record = live_record();
  record.deleted_at = changed;
  record.reason = reason;
  return record;
}

/// A row of an earlier version of the record that keeps the ledger's invariants.
[[nodiscard]] inline ledger_row row_of(delivery_status status, target_state target) {
  ledger_row row;
  row.source_id = "c-1";
  row.status = status;
  row.target = target;
  if (target != target_state::absent) {
    row.remote_id = "r-1";
    row.delivered_content_changed_at = before_change;
  }
  row.seen_content_changed_at = before_change;
  row.seen_revision = 1;
  row.row_version = 4;
  return row;
}

[[nodiscard]] inline candidate unseen(mirror_record record = live_record()) {
  return {.record = std::move(record), .row = std::nullopt};
}

[[nodiscard]] inline candidate seen(ledger_row row, mirror_record record = live_record()) {
  return {.record = std::move(record), .row = std::move(row)};
}

[[nodiscard]] inline decide_facts propagating() {
  decide_facts facts;
  facts.deletes = delete_policy::delete_record;
  return facts;
}

} // namespace sluice::core::testing
