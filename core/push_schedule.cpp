#include "core/push_schedule.hpp"

#include <algorithm>

namespace sluice::core {

std::optional<timestamp> push_schedule::next_attempt(std::int32_t failures, std::optional<duration> asked,
                                                     timestamp now, double jitter) const {
  const auto due = own.next_attempt(failures, now, jitter);
  if (!due || !asked)
    return due;
  // Compared as waits: what was asked for may be too long to be added to a time.
  const duration wait = *due - now;
  return now + std::max(wait, std::min(*asked, wait + asked_beyond_max));
}

} // namespace sluice::core
