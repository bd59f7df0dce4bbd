#pragma once

#include "core/stop.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>

namespace sluice::core {

struct volume_settings {
  std::int64_t floor = 25;                 ///< so many withdrawals always pass
  double share = 0.10;                     ///< … or this share of what the target holds, rounded up
  duration window = std::chrono::hours{1}; ///< withdrawals of so long ago still count
};

/// What one step of a rule that propagates deletions meets: all of it, and the step's batch, from one
/// snapshot. Under a live hold nobody needs the numbers: `pending` and `held` say 1 or 0 then, any or none.
struct volume_count {
  std::int64_t withdrawn = 0;               ///< by this rule within the window, and by its running run
  std::int64_t pending = 0;                 ///< tombstones of the step's range that would be withdrawn now
  std::int64_t held = 0;                    ///< held rows whose record is still a tombstone
  std::int64_t known = 0;                   ///< records the target holds under the rule
  std::optional<delivery_stop> hold;        ///< the live one
  std::optional<delivery_stop> release;     ///< the newest one that is in force or was within that time
  std::int64_t withdrawn_since_release = 0; ///< of `withdrawn`
};

/// What the breaker makes of it.
struct volume_verdict {
  bool hold_live = false;            ///< after this verdict's own change
  std::int64_t allowed = 0;          ///< withdrawals this step may make
  std::optional<hold_finding> trips; ///< a new hold begins, and ends the release in force
  bool heals = false;                ///< the live hold has nothing left to hold
  bool consumes = false;             ///< every row the release in force confirmed is gone
};

/// limit = max(floor, ceil(share × known)) + the allowance of the release in force. What a spent release
/// covered does not count again. With or without a hold, `allowed` never exceeds limit − withdrawn.
[[nodiscard]] volume_verdict judge_volume(const volume_count& count, const volume_settings& settings);

template <class Inspector>
auto inspect(Inspector& f, volume_count& x) {
  return f(x.withdrawn, x.pending, x.held, x.known, x.hold, x.release, x.withdrawn_since_release);
}

template <class Inspector>
auto inspect(Inspector& f, volume_verdict& x) {
  return f(x.hold_live, x.allowed, x.trips, x.heals, x.consumes);
}

} // namespace sluice::core
