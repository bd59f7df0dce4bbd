#pragma once

#include "core/notification.hpp"
#include "core/time.hpp"
#include "messages/alarm.hpp"
#include "messages/courier.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <optional>
#include <string>

/// The conversation with one provider profile's notifier. notification_dispatcher alone talks to it, and the
/// courier answers its calls.
namespace sluice::messages {

/// An access token between two turns of its profile. It is good for the profile as it was then.
struct held_token {
  std::string value;
  core::timestamp good_until{};
  core::provider_profile made_for;
};

/// notification_dispatcher: it is its turn to send, until it says sending_ended.
struct begin_sending {
  bool failing = false;            ///< its provider is in trouble: one call at a time
  std::optional<held_token> token; ///< that its last turn left
};

/// notification_dispatcher, during its turn: something of it fell due.
struct more_notifications_due {};

/// notification_dispatcher, when profiles changed: perhaps this one did.
struct look_at_profile {};

/// notification_dispatcher, within a stop and when the node ends: no call of it starts any more, its turn
/// ends as soon as those in flight are recorded.
struct end_sending {};

// clang-format off
using notifier = caf::typed_actor<
  caf::reacts_to<begin_sending>,
  caf::reacts_to<more_notifications_due>,
  caf::reacts_to<look_at_profile>,
  caf::reacts_to<end_sending>,
  caf::reacts_to<calls_answered>,
  caf::reacts_to<alarm_rang>>;
// clang-format on

/// Prints no token.
template <class Inspector>
auto inspect(Inspector& f, held_token& x) {
  return f(x.good_until);
}

template <class Inspector>
auto inspect(Inspector& f, begin_sending& x) {
  return f(x.failing, x.token);
}

template <class Inspector>
auto inspect(Inspector& f, more_notifications_due&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, look_at_profile&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, end_sending&) {
  return f();
}

} // namespace sluice::messages
