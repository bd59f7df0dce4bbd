#pragma once

#include "messages/recorder.hpp"

#include <cstddef>

/// Writes of one rule that meet in one group become one: a few large statements instead of many small ones.
///
/// It changes no order that matters. A record is in one rule's hands at a time until its outcome is durable,
/// so outcomes and intents that wait together are never of the same record, save a row noted twice, which
/// stay in order.
namespace sluice::actors {

/// Appends `more` to `into` and returns true; false, with nothing changed, when the two cannot be one write:
/// they are of different runs or backfills, or together too large.
[[nodiscard]] bool merge(messages::record_outcomes& into, messages::record_outcomes& more);
[[nodiscard]] bool merge(messages::record_intents& into, messages::record_intents& more);

} // namespace sluice::actors
