#pragma once

#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sluice::core {

/// Waits between attempts; one more failure than there are waits exhausts the record.
struct retry_schedule {
  std::vector<duration> waits; ///< default 1m 5m 30m 2h, from settings

  /// When the next attempt is due after the `failures`th failure in a row (1 is the first), or nothing when
  /// that was the last one allowed. `jitter` in [0, 1] adds up to 10 % of the wait, never subtracts.
  [[nodiscard]] std::optional<timestamp> next_attempt(std::int32_t failures, timestamp now,
                                                      double jitter) const;
};

} // namespace sluice::core
