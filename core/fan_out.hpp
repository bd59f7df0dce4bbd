#pragma once

#include "core/ids.hpp"
#include "core/subscription.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// How far events are fanned out: each up to `position`, and the one behind it for the subscriptions up to
/// `subscription`, in the order of their ids.
struct fan_out_cursor {
  event_position position{};
  subscription_id subscription{};

  friend auto operator<=>(const fan_out_cursor&, const fan_out_cursor&) = default;
};

struct fan_out_place {
  fan_out_cursor cursor;
  event_position sequenced{};             ///< the last position that was given
  event_position pruned{};                ///< events up to it are retained no more
  std::int64_t subscriptions_version = 0; ///< raised by every change of a subscription
};

/// What fan-out knows of a live subscription.
struct fan_out_subscription {
  subscription_id id{};
  std::string tenant;
  subscription_mode mode = subscription_mode::push;
  std::vector<std::string> event_types;
  std::string filter;
  std::string ordered_by;
  bool access_accepted = true;
  event_position starts_after{};
};

/// A delivery that is to be.
struct fanned_out {
  subscription_id subscription{};
  event_position position{};
  subscription_mode mode = subscription_mode::push;
  bool passes = true; ///< false: the subscription's filter does not let the event pass
  std::optional<std::string> ordering_key;
};

/// How much is written in one transaction; each at least 1.
struct fan_out_limits {
  std::size_t deliveries = 1;
  /// Where one event alone is to be fanned out. Each delivery goes to a place of its own in the tables: an
  /// event for very many subscriptions would else keep the first of them waiting for the last. While more
  /// events wait, larger transactions get all of them out sooner.
  std::size_t deliveries_of_lone_event = 1;
};

/// Compare-and-set on the cursor.
struct fan_out_batch {
  fan_out_cursor from;
  fan_out_cursor to;
  std::vector<fanned_out> deliveries; ///< between the two, each named once
};

template <class Inspector>
auto inspect(Inspector& f, fan_out_cursor& x) {
  return f(x.position, x.subscription);
}

template <class Inspector>
auto inspect(Inspector& f, fan_out_place& x) {
  return f(x.cursor, x.sequenced, x.pruned, x.subscriptions_version);
}

template <class Inspector>
auto inspect(Inspector& f, fan_out_subscription& x) {
  return f(x.id, x.tenant, x.mode, x.event_types, x.filter, x.ordered_by, x.access_accepted, x.starts_after);
}

template <class Inspector>
auto inspect(Inspector& f, fanned_out& x) {
  return f(x.subscription, x.position, x.mode, x.passes, x.ordering_key);
}

template <class Inspector>
auto inspect(Inspector& f, fan_out_batch& x) {
  return f(x.from, x.to, x.deliveries);
}

} // namespace sluice::core
