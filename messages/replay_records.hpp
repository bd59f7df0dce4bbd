#pragma once

#include "core/ids.hpp"
#include "core/replay_job.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <string>

/// The recorder's conversation about window replays. Every request is answered once its transaction is
/// committed; a failure carries messages::fault.
namespace sluice::messages {

/// replayer, for a person: `refused` with the reason, `not_found` where the subscription is gone.
struct record_replay_start {
  core::replay_start start;
};

/// replayer, again and again while a replay is live: a batch of the first one behind this id, or of the first
/// of all.
struct record_replay_step {
  std::int64_t after_id = 0;
  std::int64_t limit = 0; ///< deliveries looked at
};

/// replayer, for a person: `refused` where it has ended, `not_found` where there is none.
struct record_replay_cancel {
  core::subscription_id subscription{};
  std::string public_id; ///< the replay's
  std::string by;
};

// clang-format off
using replay_recorder = caf::typed_actor<
  caf::replies_to<record_replay_start>::with<core::replay_job>,
  caf::replies_to<record_replay_step>::with<core::replay_step>,
  caf::replies_to<record_replay_cancel>::with<core::replay_job>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, record_replay_start& x) {
  return f(x.start);
}

template <class Inspector>
auto inspect(Inspector& f, record_replay_step& x) {
  return f(x.after_id, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, record_replay_cancel& x) {
  return f(x.subscription, x.public_id, x.by);
}

} // namespace sluice::messages
