#pragma once

#include "core/ids.hpp"
#include "core/replay_job.hpp"
#include "messages/alarm.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <string>

/// The conversation with the replayer, which carries window replays out. A failure carries messages::fault:
/// `refused` with the reason, `not_found` where what is named does not exist.
namespace sluice::messages {

/// operator API, for an operator: deliveries of a window begin anew. Answered with the replay once it has
/// begun; whatever becomes of the node, it goes on.
struct start_replay {
  core::replay_start start;
};

/// operator API, for an operator: the replay ends; what it has done stays done.
struct cancel_replay {
  core::subscription_id subscription{};
  std::string public_id; ///< the replay's
  std::string by;
};

/// Internal: when it starts, for what an earlier life left.
struct continue_replays {};

// clang-format off
using replayer = caf::typed_actor<
  caf::replies_to<start_replay>::with<core::replay_job>,
  caf::replies_to<cancel_replay>::with<core::replay_job>,
  caf::reacts_to<continue_replays>,
  caf::reacts_to<alarm_rang>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, start_replay& x) {
  return f(x.start);
}

template <class Inspector>
auto inspect(Inspector& f, cancel_replay& x) {
  return f(x.subscription, x.public_id, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, continue_replays&) {
  return f();
}

} // namespace sluice::messages
