#pragma once

#include "core/ids.hpp"
#include "messages/alarm.hpp"
#include "messages/courier.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>

/// The conversation with one rule.
namespace sluice::messages {

/// dispatcher: begin a chain. A rule that runs one takes it as a wake.
struct start_chain {};

/// dispatcher: the rule's source changed while its chain runs; served after the step.
struct records_changed {};

/// dispatcher, at shutdown: end the chain at the next step boundary; calls in flight finish and are recorded.
struct stop_chain {};

/// Internal: the chain that ended is let go, behind the message that ended it.
struct release_chain {};

// clang-format off
using sync_rule = caf::typed_actor<
  caf::reacts_to<start_chain>,
  caf::reacts_to<records_changed>,
  caf::reacts_to<stop_chain>,
  caf::reacts_to<calls_answered>,
  caf::reacts_to<alarm_rang>,
  caf::reacts_to<release_chain>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, start_chain&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, records_changed&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, stop_chain&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, release_chain&) {
  return f();
}

} // namespace sluice::messages
