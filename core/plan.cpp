#include "core/plan.hpp"

namespace sluice::core {

void plan_counts::add(action what) noexcept {
  switch (what) {
  case action::skip:
    ++skipped;
    break;
  case action::create:
    ++creates;
    break;
  case action::update:
    ++updates;
    break;
  case action::suppress:
    ++suppressed;
    break;
  case action::filter:
    ++filtered;
    break;
  case action::refuse:
    ++refused;
    break;
  case action::await:
    ++awaiting;
    break;
  case action::withdraw:
    ++withdrawals;
    break;
  case action::reactivate:
    ++reactivations;
    break;
  case action::hold:
    ++held;
    break;
  }
}

std::string_view to_string(plan_phase phase) noexcept {
  switch (phase) {
  case plan_phase::counting:
    return "counting";
  case plan_phase::done:
    return "done";
  case plan_phase::failed:
    return "failed";
  case plan_phase::cancelled:
    return "cancelled";
  }
  return "unknown";
}

} // namespace sluice::core
