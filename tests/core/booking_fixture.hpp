#pragma once

#include "core/booking.hpp"
#include "delivery_fixture.hpp"

#include <string>

namespace sluice::core::testing {

inline const retry_schedule schedule{{1min, 5min, 30min, 2h}};
inline const booking with{.revision = 3, .retries = &schedule, .now = now, .jitter = 0};

[[nodiscard]] inline outcome answer(outcome_kind kind, std::string remote_id = {}) {
  return {.kind = kind,
          .remote_id = std::move(remote_id),
          .error_class = kind == outcome_kind::accepted ? "" : "http_422",
          .error = kind == outcome_kind::accepted ? "" : "The target refused the record.",
          .wait = std::nullopt};
}

[[nodiscard]] inline ledger_row failed_row(target_state target, std::int32_t attempts) {
  ledger_row row = row_of(delivery_status::failed, target);
  row.attempts = attempts;
  row.next_attempt_at = now;
  row.error_class = "timed_out";
  row.error = "No answer in time.";
  return row;
}

} // namespace sluice::core::testing
