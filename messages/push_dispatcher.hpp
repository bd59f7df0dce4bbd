#pragma once

#include "core/event_delivery.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"
#include "core/turn_rota.hpp"
#include "messages/alarm.hpp"
#include "messages/courier.hpp"
#include "messages/dispatcher.hpp"
#include "messages/event_records.hpp"
#include "messages/inspection.hpp"
#include "messages/replayer.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <vector>

/// The conversation about which subscriptions push. The push_dispatcher is also the front door for what
/// people ask of a subscription that pushes, and of replays: start_replay and cancel_replay go to the
/// replayer that lives.
namespace sluice::messages {

/// subscription: its turn is over; nothing of it is out, and everything it learned is durable or given up.
struct turn_ended {
  core::subscription_id subscription{};
  std::optional<core::timestamp> next_due; ///< when something of it falls due
  bool failing = false;                    ///< its last push failed
  bool held_back = false;                  ///< calls of it were not let go, or the database did not answer
  std::uint64_t heard = 0;                 ///< how many more_due of this turn it has looked for
};

/// fan_out: these have new deliveries.
struct deliveries_written {
  std::vector<core::subscription_id> subscriptions;
};

/// fan_out: some subscription was made, changed or removed, by whomever.
struct subscriptions_changed {};

/// For a person: paused, resumed, enabled or disabled. Answered once no further push of it starts here, where
/// it is not active any more. `changed` is false where its status was another.
struct change_subscription_status {
  record_subscription_status wanted;
};

/// For a person: this delivery is pushed again.
struct restart_delivery {
  core::delivery_restart wanted;
};

/// For whoever changed or removed a subscription: what is pushed from here on is by its new settings.
struct subscription_changed {
  core::subscription_id subscription{};
};

/// Internal: once in a while.
struct push_tick {};

// clang-format off
using push_dispatcher = caf::typed_actor<
  caf::reacts_to<turn_ended>,
  caf::reacts_to<deliveries_written>,
  caf::reacts_to<subscriptions_changed>,
  caf::replies_to<change_subscription_status>::with<subscription_status_recorded>,
  caf::replies_to<restart_delivery>::with<core::event_delivery>,
  caf::replies_to<start_replay>::with<core::replay_job>,
  caf::replies_to<cancel_replay>::with<core::replay_job>,
  caf::reacts_to<subscription_changed>,
  caf::reacts_to<stop_scope>,
  caf::reacts_to<resume_scope>,
  caf::reacts_to<stops_told>,
  caf::reacts_to<changes_hinted>,
  caf::reacts_to<shut_down>,
  caf::reacts_to<push_tick>,
  caf::reacts_to<alarm_rang>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, turn_ended& x) {
  return f(x.subscription, x.next_due, x.failing, x.held_back, x.heard);
}

template <class Inspector>
auto inspect(Inspector& f, deliveries_written& x) {
  return f(x.subscriptions);
}

template <class Inspector>
auto inspect(Inspector& f, subscriptions_changed&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, change_subscription_status& x) {
  return f(x.wanted);
}

template <class Inspector>
auto inspect(Inspector& f, restart_delivery& x) {
  return f(x.wanted);
}

template <class Inspector>
auto inspect(Inspector& f, subscription_changed& x) {
  return f(x.subscription);
}

template <class Inspector>
auto inspect(Inspector& f, push_tick&) {
  return f();
}

} // namespace sluice::messages
