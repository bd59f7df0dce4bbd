#include "app/crm_behaviour.hpp"

#include <algorithm>

namespace sluice::app {

void minute_window::add(core::duration now) {
  expire(now);
  events_.push_back(now);
  peak_ = std::max(peak_, static_cast<std::int64_t>(events_.size()));
}

std::int64_t minute_window::count(core::duration now) {
  expire(now);
  return static_cast<std::int64_t>(events_.size());
}

core::duration minute_window::until_next_leaves(core::duration now) {
  expire(now);
  return events_.empty() ? core::duration{} : events_.front() + length - now;
}

void minute_window::expire(core::duration now) {
  while (!events_.empty() && events_.front() + length <= now) {
    events_.pop_front();
  }
}

crm_mood crm_behaviour::next(core::duration now) {
  ++counts_.requests;
  seen_.add(now);
  if (options_.requests_per_minute > 0) {
    if (accepted_.count(now) >= options_.requests_per_minute) {
      ++counts_.rate_limited;
      return crm_mood::limit;
    }
    accepted_.add(now);
  }
  if (happens(options_.fail_rate)) {
    ++counts_.failed;
    return crm_mood::fail;
  }
  if (happens(options_.hang_rate)) {
    ++counts_.hung;
    return crm_mood::hang;
  }
  if (happens(options_.lose_reply_rate)) {
    ++counts_.lost_replies;
    return crm_mood::lose_reply;
  }
  return crm_mood::serve;
}

std::int64_t crm_behaviour::retry_after_seconds(core::duration now) {
  const auto wait = std::chrono::ceil<std::chrono::seconds>(accepted_.until_next_leaves(now));
  return std::max<std::int64_t>(1, wait.count());
}

bool crm_behaviour::happens(double share) {
  return share > 0 && random_.next() < share;
}

} // namespace sluice::app
