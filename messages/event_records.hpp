#pragma once

#include "core/audit.hpp"
#include "core/event_delivery.hpp"
#include "core/fan_out.hpp"
#include "core/ids.hpp"
#include "core/subscription.hpp"
#include "core/time.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <vector>

/// The recorder's conversation about events and their deliveries. Every request is answered once its
/// transaction is committed; a failure carries messages::fault.
namespace sluice::messages {

/// fan_out: gives committed events their positions.
struct sequence_events {
  std::int64_t limit = 0;
};

struct events_sequenced {
  std::int64_t events = 0;
};

/// fan_out: deliveries of the events between two places, with the cursor behind them.
struct record_fan_out {
  core::fan_out_batch batch;
};

struct fan_out_recorded {
  bool moved = false; ///< false: the cursor was somewhere else, and nothing was written
};

/// subscription, before its calls leave (D1): attempts get their numbers.
struct claim_deliveries {
  core::claim_wish wish;
};

/// subscription, as answers come in. Each delivery is named once.
struct record_attempt_ends {
  core::subscription_id subscription{};
  std::vector<core::ended_attempt> ended;
  std::int32_t dead_threshold = core::dead_threshold_default;
};

/// subscription: claimed deliveries whose calls never left. Due again at once.
struct give_back_attempts {
  core::subscription_id subscription{};
  std::vector<core::returned_attempt> returned;
};

/// push_dispatcher, when subscriptions changed, and again until it is through: a batch of the open deliveries
/// of those that are gone.
struct refuse_open_deliveries {
  std::int64_t limit = 0;
};

struct deliveries_refused {
  std::int64_t deliveries = 0;
  bool through = true; ///< false: there is more to look at
};

/// push_dispatcher, once in a while and again while rows were removed: a batch of what is retained no longer.
struct prune_events {
  core::timestamp until{};
  core::timestamp audit_until{};
  std::int64_t limit = 0;
};

struct events_pruned {
  std::int64_t rows = 0; ///< zero: nothing is left to remove
  std::int64_t open = 0; ///< deliveries among them that were still waiting
};

/// push_dispatcher, for a person: compare-and-set on the status, with the row that says who did it.
struct record_subscription_status {
  core::subscription_status_change change;
  core::audit_entry audit;
};

struct subscription_status_recorded {
  bool changed = false; ///< false: its status was another, or it is gone; nothing was written
};

/// push_dispatcher, for a person: one delivery begins anew.
struct record_delivery_restart {
  core::delivery_restart wanted;
};

// clang-format off
using event_recorder = caf::typed_actor<
  caf::replies_to<sequence_events>::with<events_sequenced>,
  caf::replies_to<record_fan_out>::with<fan_out_recorded>,
  caf::replies_to<claim_deliveries>::with<core::delivery_claims>,
  caf::replies_to<record_attempt_ends>::with<core::attempts_recorded>,
  caf::reacts_to<give_back_attempts>,
  caf::replies_to<refuse_open_deliveries>::with<deliveries_refused>,
  caf::replies_to<prune_events>::with<events_pruned>,
  caf::replies_to<record_subscription_status>::with<subscription_status_recorded>,
  caf::replies_to<record_delivery_restart>::with<core::event_delivery>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, sequence_events& x) {
  return f(x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, events_sequenced& x) {
  return f(x.events);
}

template <class Inspector>
auto inspect(Inspector& f, record_fan_out& x) {
  return f(x.batch);
}

template <class Inspector>
auto inspect(Inspector& f, fan_out_recorded& x) {
  return f(x.moved);
}

template <class Inspector>
auto inspect(Inspector& f, claim_deliveries& x) {
  return f(x.wish);
}

template <class Inspector>
auto inspect(Inspector& f, record_attempt_ends& x) {
  return f(x.subscription, x.ended, x.dead_threshold);
}

template <class Inspector>
auto inspect(Inspector& f, give_back_attempts& x) {
  return f(x.subscription, x.returned);
}

template <class Inspector>
auto inspect(Inspector& f, refuse_open_deliveries& x) {
  return f(x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, deliveries_refused& x) {
  return f(x.deliveries, x.through);
}

template <class Inspector>
auto inspect(Inspector& f, prune_events& x) {
  return f(x.until, x.audit_until, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, events_pruned& x) {
  return f(x.rows, x.open);
}

template <class Inspector>
auto inspect(Inspector& f, record_subscription_status& x) {
  return f(x.change, x.audit);
}

template <class Inspector>
auto inspect(Inspector& f, subscription_status_recorded& x) {
  return f(x.changed);
}

template <class Inspector>
auto inspect(Inspector& f, record_delivery_restart& x) {
  return f(x.wanted);
}

} // namespace sluice::messages
