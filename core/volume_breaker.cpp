#include "core/volume_breaker.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::core {

namespace {

[[nodiscard]] bool in_force(const std::optional<delivery_stop>& release) noexcept {
  return release && !release->allowance_consumed_at;
}

[[nodiscard]] std::int64_t allowance_of(const std::optional<delivery_stop>& release) noexcept {
  return release ? release->allowed_withdrawals.value_or(0) : 0;
}

} // namespace

volume_verdict judge_volume(const volume_count& count, const volume_settings& settings) {
  volume_verdict verdict;
  const auto share = static_cast<std::int64_t>(std::ceil(settings.share * static_cast<double>(count.known)));
  auto limit = std::max(settings.floor, share);
  auto used = count.withdrawn;
  const auto left_to_hold = count.pending + count.held;
  if (in_force(count.release))
    limit += allowance_of(count.release);
  else
    used -= std::min(allowance_of(count.release), count.withdrawn_since_release);
  if (count.hold) {
    verdict.heals = left_to_hold == 0;
    verdict.hold_live = !verdict.heals;
  } else if (used + left_to_hold > limit) {
    verdict.trips = hold_finding{used + left_to_hold, count.known, limit};
    verdict.hold_live = true;
  } else {
    verdict.consumes = in_force(count.release) && count.held == 0;
  }
  verdict.allowed = verdict.hold_live ? 0 : std::max<std::int64_t>(0, limit - used);
  return verdict;
}

} // namespace sluice::core
