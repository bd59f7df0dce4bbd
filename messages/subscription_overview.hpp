#pragma once

#include "core/audit.hpp"
#include "core/change_event.hpp"
#include "core/event_delivery.hpp"
#include "core/ids.hpp"
#include "core/subscription.hpp"
#include "messages/inspection.hpp"
#include "messages/replay_reads.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// The conversation with the subscription overview, which looks up for people what is known of subscriptions,
/// events and deliveries. A failure carries messages::fault; `not_found` names what does not exist, or not
/// within the tenants.
namespace sluice::messages {

/// operator API: a subscription by its public id.
struct find_subscription {
  std::string public_id;
  core::tenant_scope tenants;
};

/// operator API.
struct list_subscriptions {
  core::subscription_page page;
};

struct subscriptions_listed {
  std::vector<core::subscription> subscriptions;
};

/// operator API: the newest events, without their bodies.
struct list_events {
  core::event_page page;
};

struct events_listed {
  std::vector<core::change_event> events;
};

/// operator API: a subscription's newest deliveries.
struct list_deliveries {
  core::event_delivery_page page;
};

struct deliveries_listed {
  std::vector<core::event_delivery> deliveries;
};

/// operator API: what became of one event for one subscription.
struct find_delivery {
  core::subscription_id subscription{};
  std::string event; ///< its public id
};

/// operator API: the tries to push it, from the first one on.
struct list_attempts {
  core::subscription_id subscription{};
  std::string event; ///< its public id
  std::int64_t after_number = 0;
  std::int64_t limit = 100;
};

struct attempts_listed {
  std::vector<core::delivery_attempt> attempts;
};

/// operator API: who did what.
struct list_audit {
  core::audit_page page;
};

struct audit_listed {
  std::vector<core::audit_entry> entries;
};

// clang-format off
using subscription_overview = caf::typed_actor<
  caf::replies_to<find_subscription>::with<core::subscription>,
  caf::replies_to<list_subscriptions>::with<subscriptions_listed>,
  caf::replies_to<list_events>::with<events_listed>,
  caf::replies_to<list_deliveries>::with<deliveries_listed>,
  caf::replies_to<find_delivery>::with<core::event_delivery>,
  caf::replies_to<list_attempts>::with<attempts_listed>,
  caf::replies_to<list_audit>::with<audit_listed>>::extend_with<replay_overview>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, find_subscription& x) {
  return f(x.public_id, x.tenants);
}

template <class Inspector>
auto inspect(Inspector& f, list_subscriptions& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, subscriptions_listed& x) {
  return f(x.subscriptions);
}

template <class Inspector>
auto inspect(Inspector& f, list_events& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, events_listed& x) {
  return f(x.events);
}

template <class Inspector>
auto inspect(Inspector& f, list_deliveries& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, deliveries_listed& x) {
  return f(x.deliveries);
}

template <class Inspector>
auto inspect(Inspector& f, find_delivery& x) {
  return f(x.subscription, x.event);
}

template <class Inspector>
auto inspect(Inspector& f, list_attempts& x) {
  return f(x.subscription, x.event, x.after_number, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, attempts_listed& x) {
  return f(x.attempts);
}

template <class Inspector>
auto inspect(Inspector& f, list_audit& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, audit_listed& x) {
  return f(x.entries);
}

} // namespace sluice::messages
