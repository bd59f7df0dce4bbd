#pragma once

#include "core/ids.hpp"
#include "core/notification_record.hpp"
#include "core/notification_work.hpp"
#include "core/time.hpp"
#include "messages/alarm.hpp"
#include "messages/courier.hpp"
#include "messages/dispatcher.hpp"
#include "messages/inspection.hpp"
#include "messages/notifier.hpp"
#include "messages/reconciler.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <vector>

/// The conversation about which provider profiles send. The notification_dispatcher is also the front door
/// for what people ask of a notification that is there.
namespace sluice::messages {

/// notifier: its turn is over; nothing of it is out, and everything it learned is durable or given up.
struct sending_ended {
  core::provider_profile_id profile{};
  std::optional<core::timestamp> next_due;     ///< when something of it falls due
  std::optional<core::timestamp> paused_until; ///< the provider asked for a pause of all its calls
  bool failing = false;                        ///< the provider is in trouble
  bool held_back = false;            ///< calls of it were not let go, or the database did not answer
  std::uint64_t heard = 0;           ///< how many more_notifications_due of this turn it has looked for
  std::optional<held_token> token{}; ///< for its next turn
};

/// API, when a notification was made, and notifiers after a fallback: these have something to send.
struct notifications_due {
  std::vector<core::profile_due> dues;
};

/// notifier: events had come before the attempts they are of; they are to be projected.
struct early_events_found {};

/// API, and whoever else changed or removed a profile: what is sent from here on goes by its new settings.
struct profiles_changed {};

/// API, for an operator: it is sent no more. Refused where it may be with a provider or is final.
struct cancel_notification {
  core::notification_cancellation wanted;
};

/// API, for an operator: what became of an ambiguous attempt. What was not sent is due again. Refused where
/// it is not ambiguous.
struct settle_notification {
  core::notification_settlement found;
};

/// dispatcher, when it begins: whom the reconciler tells of rules' creates.
struct rules_here {
  rule_front rules;
};

/// Internal: once in a while.
struct sending_tick {};

// clang-format off
using notification_dispatcher = caf::typed_actor<
  caf::reacts_to<sending_ended>,
  caf::reacts_to<notifications_due>,
  caf::reacts_to<early_events_found>,
  caf::reacts_to<profiles_changed>,
  caf::replies_to<cancel_notification>::with<core::notification_record>,
  caf::replies_to<settle_notification>::with<core::notification_record>,
  caf::reacts_to<rules_here>,
  caf::reacts_to<stop_scope>,
  caf::reacts_to<resume_scope>,
  caf::reacts_to<stops_told>,
  caf::reacts_to<shut_down>,
  caf::reacts_to<sending_tick>,
  caf::reacts_to<alarm_rang>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, sending_ended& x) {
  return f(x.profile, x.next_due, x.paused_until, x.failing, x.held_back, x.heard, x.token);
}

template <class Inspector>
auto inspect(Inspector& f, notifications_due& x) {
  return f(x.dues);
}

template <class Inspector>
auto inspect(Inspector& f, early_events_found&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, profiles_changed&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, cancel_notification& x) {
  return f(x.wanted);
}

template <class Inspector>
auto inspect(Inspector& f, settle_notification& x) {
  return f(x.found);
}

template <class Inspector>
auto inspect(Inspector& f, rules_here& x) {
  return f(x.rules);
}

template <class Inspector>
auto inspect(Inspector& f, sending_tick&) {
  return f();
}

} // namespace sluice::messages
