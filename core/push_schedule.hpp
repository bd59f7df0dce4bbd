#pragma once

#include "core/retry.hpp"
#include "core/time.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace sluice::core {

/// When a push that failed is tried again.
struct push_schedule {
  /// One more failure than there are waits, and the delivery is dead.
  retry_schedule own{{std::chrono::minutes{1}, std::chrono::minutes{5}, std::chrono::minutes{30},
                      std::chrono::hours{2}, std::chrono::hours{6}}};
  duration asked_beyond_max = std::chrono::hours{2}; ///< how far a subscriber's wish may reach past `own`

  /// When the next attempt is due after the `failures`th failure of a round (1 is the first), or nothing when
  /// that was the last one allowed. `asked` is the wait the subscriber asked for (Retry-After): the longer of
  /// the two counts, up to the own wait and `asked_beyond_max`. `jitter` as retry_schedule takes it.
  [[nodiscard]] std::optional<timestamp> next_attempt(std::int32_t failures, std::optional<duration> asked,
                                                      timestamp now, double jitter) const;
};

} // namespace sluice::core
