#pragma once

#include "core/candidate_batch.hpp"
#include "core/rule_state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sluice::core {

inline constexpr std::size_t rule_state_count = 7;

/// How all push-out rules stand, in a few numbers.
struct rule_survey {
  std::array<std::int64_t, rule_state_count> in_state{}; ///< how many, by rule_state
  std::optional<timestamp> oldest_due;   ///< the earliest attempt that is due and that nothing holds back
  std::optional<timestamp> heartbeat_at; ///< the dispatcher's
};

/// `due` has the earliest attempt of each rule that has one which is due. What a stop, a closed route or a
/// target's block holds back waits for good reason, and makes nothing old.
[[nodiscard]] rule_survey survey_of(std::span<const rule_facts> rules, const installation_facts& installation,
                                    std::span<const rule_due> due, const health_settings& settings,
                                    timestamp now);

template <class Inspector>
auto inspect(Inspector& f, rule_survey& x) {
  return f(x.in_state, x.oldest_due, x.heartbeat_at);
}

} // namespace sluice::core
