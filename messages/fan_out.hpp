#pragma once

#include "messages/alarm.hpp"
#include "messages/dispatcher.hpp"

#include <caf/typed_actor.hpp>

/// The conversation about turning events into deliveries: fan_out is told that there may be new ones, and
/// tells push_dispatcher what it wrote.
namespace sluice::messages {

// clang-format off
using fan_out = caf::typed_actor<
  caf::reacts_to<changes_hinted>,
  caf::reacts_to<alarm_rang>>;
// clang-format on

} // namespace sluice::messages
