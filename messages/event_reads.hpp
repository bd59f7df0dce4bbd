#pragma once

#include "core/change_event.hpp"
#include "core/event_delivery.hpp"
#include "core/fan_out.hpp"
#include "core/ids.hpp"
#include "core/subscription.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// A reader's conversation about events and subscriptions. A failure carries messages::fault.
namespace sluice::messages {

/// fan_out: how far it has come, and what comes next.
struct read_fan_out {
  std::optional<std::int64_t> known_version; ///< of the subscriptions it has; absent: it has none
  std::int64_t events_max = 0;
  std::size_t bytes_max = 0; ///< of the events' bodies; one is always read
};

struct fan_out_read {
  core::fan_out_place place;
  std::vector<core::change_event> events; ///< behind the place's cursor, none it does not know of
  std::optional<std::vector<core::fan_out_subscription>>
      subscriptions; ///< where the version is another; as they were at it or after
};

/// subscription, at the begin of a turn and when it may have changed.
struct load_subscription {
  core::subscription_id subscription{};
};

struct subscription_loaded {
  std::optional<core::served_subscription> found; ///< absent: it is gone
};

/// push_dispatcher, at its start, when subscriptions changed and once in a while.
struct list_push_dues {};

struct push_dues_listed {
  std::vector<core::subscription_due> dues;
};

// clang-format off
using event_reader = caf::typed_actor<
  caf::replies_to<read_fan_out>::with<fan_out_read>,
  caf::replies_to<load_subscription>::with<subscription_loaded>,
  caf::replies_to<list_push_dues>::with<push_dues_listed>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, read_fan_out& x) {
  return f(x.known_version, x.events_max, x.bytes_max);
}

template <class Inspector>
auto inspect(Inspector& f, fan_out_read& x) {
  return f(x.place, x.events, x.subscriptions);
}

template <class Inspector>
auto inspect(Inspector& f, load_subscription& x) {
  return f(x.subscription);
}

template <class Inspector>
auto inspect(Inspector& f, subscription_loaded& x) {
  return f(x.found);
}

template <class Inspector>
auto inspect(Inspector& f, list_push_dues&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, push_dues_listed& x) {
  return f(x.dues);
}

} // namespace sluice::messages
