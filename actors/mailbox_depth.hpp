#pragma once

#include "telemetry/metrics.hpp"

namespace sluice::actors {

/// Shows how many messages wait behind the one being handled. For the actor itself alone: a mailbox has one
/// reader.
template <class Self>
void show_mailbox_depth(Self* self, telemetry::metrics& metrics, telemetry::central_actor who) {
  metrics.mailbox_depth(who).set(static_cast<double>(self->mailbox().size()));
}

} // namespace sluice::actors
