#pragma once

#include "core/ids.hpp"
#include "core/replay_job.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// The subscription overview's conversation about window replays.
namespace sluice::messages {

/// operator API, before a replay: how many deliveries it would be for. `refused` as its start would be.
struct count_replay {
  core::subscription_id subscription{};
  core::replay_choice which;
  core::replay_limits limits;
};

struct replay_counted {
  std::int64_t deliveries = 0;
};

/// operator API: a page of a subscription's replays.
struct list_replays {
  core::replay_page page;
};

struct replays_listed {
  std::vector<core::replay_job> replays;
};

/// operator API: how far one has come. `not_found` where the subscription has no such replay.
struct find_replay {
  core::subscription_id subscription{};
  std::string public_id; ///< the replay's
};

// clang-format off
using replay_overview = caf::typed_actor<
  caf::replies_to<count_replay>::with<replay_counted>,
  caf::replies_to<list_replays>::with<replays_listed>,
  caf::replies_to<find_replay>::with<core::replay_job>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, count_replay& x) {
  return f(x.subscription, x.which, x.limits);
}

template <class Inspector>
auto inspect(Inspector& f, replay_counted& x) {
  return f(x.deliveries);
}

template <class Inspector>
auto inspect(Inspector& f, list_replays& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, replays_listed& x) {
  return f(x.replays);
}

template <class Inspector>
auto inspect(Inspector& f, find_replay& x) {
  return f(x.subscription, x.public_id);
}

} // namespace sluice::messages
