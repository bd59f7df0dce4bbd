#pragma once

#include "core/delivery_progress.hpp"
#include "core/subscription.hpp"

#include <cstdint>
#include <optional>

namespace sluice::core {

/// Dead deliveries in a row that disable a subscription, unless the settings say otherwise.
inline constexpr std::int32_t dead_threshold_default = 20;

/// What a transition makes of its subscription's count, in the transaction that records it.
struct dead_count {
  std::int32_t consecutive = 0;
  std::optional<disable_cause> disables; ///< the subscription is disabled for it, unless it is already

  friend bool operator==(const dead_count&, const dead_count&) = default;
};

/// `threshold` is at least 1. One success begins the count anew; a subscriber that is gone disables at once.
[[nodiscard]] dead_count count_dead(std::int32_t consecutive, const transition_effects& effects,
                                    std::int32_t threshold) noexcept;

} // namespace sluice::core
