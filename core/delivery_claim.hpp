#pragma once

#include "core/attempt_claim.hpp"
#include "core/delivery_state.hpp"
#include "core/time.hpp"
#include "core/transition_refusal.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

namespace sluice::core {

/// The part of a delivery that claims and transitions alone write.
///
/// Invariants: `claim` and `due_at` are set only while the delivery is pending or retrying, and never both; a
/// claim's number is `attempts`; 0 <= round_attempts <= attempts.
struct delivery_progress {
  delivery_state state = delivery_state::pending;
  std::int64_t attempts = 0;       ///< the last attempt's number; a restart goes on counting
  std::int32_t round_attempts = 0; ///< attempts since the last restart: what the schedule counts
  std::optional<attempt_claim> claim;
  std::optional<timestamp> due_at; ///< when to push; absent: at no time, as for a pull subscription
  std::string error_class;         ///< of the last failure of this round; short stable word
  std::string error;               ///< a sentence for people, at most `delivery_error_bytes_max` long

  friend bool operator==(const delivery_progress&, const delivery_progress&) = default;
};

inline constexpr std::size_t delivery_error_bytes_max = 500;

/// Ends the program where a delivery breaks its invariants.
void assert_consistent(const delivery_progress& progress) noexcept;

/// Takes the next attempt: due, and no other one on its way.
[[nodiscard]] std::expected<delivery_progress, transition_refusal>
claim_attempt(const delivery_progress& progress, timestamp now, duration lease);

/// An attempt that was held back before its call: its number is free again and nothing is counted. Due again
/// at `due_at`.
[[nodiscard]] std::expected<delivery_progress, transition_refusal>
give_back_attempt(const delivery_progress& progress, std::int64_t number, timestamp due_at);

template <class Inspector>
auto inspect(Inspector& f, delivery_progress& x) {
  return f(x.state, x.attempts, x.round_attempts, x.claim, x.due_at, x.error_class, x.error);
}

} // namespace sluice::core
