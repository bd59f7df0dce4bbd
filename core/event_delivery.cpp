#include "core/event_delivery.hpp"

namespace sluice::core {

delivery_progress begin_delivery(subscription_mode mode, bool passes, timestamp now) noexcept {
  delivery_progress made;
  made.state = passes ? delivery_state::pending : delivery_state::skipped_filter;
  if (passes && mode == subscription_mode::push)
    made.due_at = now;
  return made;
}

} // namespace sluice::core
