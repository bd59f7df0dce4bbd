#pragma once

#include "core/decide.hpp"
#include "core/ids.hpp"
#include "core/stop.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What delivering a rule now would do, counted without sending anything.
namespace sluice::core {

struct plan_counts {
  std::int64_t creates = 0;
  std::int64_t updates = 0;
  std::int64_t withdrawals = 0;
  std::int64_t reactivations = 0;
  std::int64_t suppressed = 0;
  std::int64_t filtered = 0;
  std::int64_t refused = 0;
  std::int64_t held = 0;
  std::int64_t awaiting = 0;
  std::int64_t skipped = 0;

  void add(action what) noexcept;

  friend bool operator==(const plan_counts&, const plan_counts&) = default;
};

enum class plan_phase : std::uint8_t {
  counting,
  done,
  failed,    ///< `reason` says why
  cancelled, ///< by a person, or because nobody asked for it any more
};

[[nodiscard]] std::string_view to_string(plan_phase phase) noexcept;

struct delivery_plan {
  rule_id rule{};
  plan_phase phase = plan_phase::counting;
  std::string reason;
  timestamp began_at{};
  std::optional<timestamp> ended_at;
  std::int64_t examined = 0; ///< mirror rows and ledger rows looked at
  plan_counts counts;
  std::optional<hold_finding> trips; ///< the volume breaker would begin a hold, with this finding
};

template <class Inspector>
auto inspect(Inspector& f, plan_counts& x) {
  return f(x.creates, x.updates, x.withdrawals, x.reactivations, x.suppressed, x.filtered, x.refused, x.held,
           x.awaiting, x.skipped);
}

template <class Inspector>
auto inspect(Inspector& f, delivery_plan& x) {
  return f(x.rule, x.phase, x.reason, x.began_at, x.ended_at, x.examined, x.counts, x.trips);
}

} // namespace sluice::core
