#pragma once

#include "core/ids.hpp"
#include "core/provider_report.hpp"
#include "messages/alarm.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <string>

/// The conversation with the projector, which makes of the event ledger what is known of attempts.
namespace sluice::messages {

/// Whoever appended new events: there is something to project.
struct events_appended {};

/// For a person: the projections of the attempts behind `after` are made anew from the ledger, a batch of
/// them, and what is pending is looked at. Answered with where the next batch goes on, so that whoever asks
/// shows how far it is and may end it. A failure carries messages::fault.
struct rebuild_projections {
  core::notification_attempt_id after{}; ///< none: from the first
  std::string by;
};

// clang-format off
using projector = caf::typed_actor<
  caf::reacts_to<events_appended>,
  caf::replies_to<rebuild_projections>::with<core::projections_rebuilt>,
  caf::reacts_to<alarm_rang>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, events_appended&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, rebuild_projections& x) {
  return f(x.after, x.by);
}

} // namespace sluice::messages
