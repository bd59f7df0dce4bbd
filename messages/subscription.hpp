#pragma once

#include "messages/alarm.hpp"
#include "messages/courier.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

/// The conversation with one subscription's actor. push_dispatcher alone talks to it, and the courier answers
/// its calls.
namespace sluice::messages {

/// push_dispatcher: it is its turn to push, until it says turn_ended.
struct begin_turn {
  bool failing = false; ///< its last push failed: one call at a time, and the turn ends when one succeeds
};

/// push_dispatcher, during its turn: something of it fell due.
struct more_due {};

/// push_dispatcher, when subscriptions changed: perhaps this one did. Its calls go on if it did not.
struct look_at_settings {};

/// push_dispatcher, when this subscription changed, within a stop and when the node ends: no call of it
/// starts any more, its turn ends as soon as those in flight are recorded.
struct end_turn {};

// clang-format off
using subscription = caf::typed_actor<
  caf::reacts_to<begin_turn>,
  caf::reacts_to<more_due>,
  caf::reacts_to<look_at_settings>,
  caf::reacts_to<end_turn>,
  caf::reacts_to<calls_answered>,
  caf::reacts_to<alarm_rang>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, begin_turn& x) {
  return f(x.failing);
}

template <class Inspector>
auto inspect(Inspector& f, more_due&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, look_at_settings&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, end_turn&) {
  return f();
}

} // namespace sluice::messages
