#pragma once

#include "messages/alarm.hpp"
#include "messages/courier.hpp"
#include "messages/inspection.hpp"
#include "messages/projector.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

/// The conversation with the reconciler, which finds out what is not known of attempts.
namespace sluice::messages {

/// Whoever projects what was appended. A part of the projector's conversation, and of the callback intake's.
using projection_listener = caf::typed_actor<caf::reacts_to<events_appended>>;

/// notification_dispatcher, once it is known what is stopped, which the courier then sees to: it may begin.
struct begin_looks {};

// clang-format off
using reconciler = caf::typed_actor<
  caf::reacts_to<begin_looks>,
  caf::reacts_to<calls_answered>,
  caf::reacts_to<alarm_rang>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, begin_looks&) {
  return f();
}

} // namespace sluice::messages
