#include "core/retry.hpp"

#include "core/assertion.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::core {

std::optional<timestamp> retry_schedule::next_attempt(std::int32_t failures, timestamp now,
                                                      double jitter) const {
  assert_that(failures >= 1, "the first failure has number 1");
  const auto index = static_cast<std::size_t>(failures) - 1;
  if (index >= waits.size())
    return std::nullopt;
  const double share = std::isnan(jitter) ? 0.0 : std::clamp(jitter, 0.0, 1.0);
  const auto extra = static_cast<double>(waits[index].count()) * 0.1 * share;
  return now + waits[index] + duration{static_cast<duration::rep>(extra)};
}

} // namespace sluice::core
