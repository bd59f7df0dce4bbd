#pragma once

#include "core/call.hpp"
#include "core/ids.hpp"
#include "core/stop.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <vector>

/// The conversation about outside calls. Calls are values moved along, never copied, never sent to another
/// node.
namespace sluice::messages {

/// courier to the asker: answers to its calls, in groups. Every call placed is answered exactly once.
struct calls_answered {
  std::vector<core::call_answer> answers;
};

using call_asker = caf::typed_actor<caf::reacts_to<calls_answered>>;

/// sync_rule, token_keeper, verifier, subscription, notifier, reconciler: make these calls, which are one
/// owner's and of one purpose. Budget is granted, intents and claims are durable by now.
struct place_calls {
  call_asker asker;
  std::vector<core::outbound_call> calls;
};

/// sync_rule, subscription, notifier, and whoever restarts one: calls of this owner that have not started
/// come back unattempted, whatever their purpose.
struct withdraw_calls {
  core::call_owner owner{};
};

/// sync_rule, when the target answered 429: calls into this connection that have not started, whichever
/// rule's they are, come back unattempted.
struct hold_back_calls {
  core::connection_id connection{};
};

/// dispatcher, push_dispatcher and notification_dispatcher, before they restart a dead rule, subscription or
/// notifier: answered when none of the calls its actor made is out any more.
struct await_quiet {
  core::call_owner owner{};
};

/// dispatcher, when a stop is set and for each live one when it starts: answered once no call starts within
/// it any more (D8). What waits there, and what is placed there from now on, comes back unattempted; calls in
/// flight finish.
struct stop_scope {
  core::stop_target where;
};

/// dispatcher, when a stop has ended: calls within it may start again, where no other stop holds them.
struct resume_scope {
  core::stop_target where;
};

/// dispatcher to those who start calls themselves, when it starts and knows what is stopped: it has told of
/// each stop before, and calls may begin. Stops come as stop_scope and resume_scope.
struct stops_told {};

/// The node, at shutdown or when its lease is lost: no call starts any more; answered at once.
struct stop_calls {};

/// Internal: from the transport's thread.
struct answers_arrived {
  std::vector<core::call_answer> answers;
};

// clang-format off
using courier = caf::typed_actor<
  caf::reacts_to<place_calls>,
  caf::reacts_to<withdraw_calls>,
  caf::reacts_to<hold_back_calls>,
  caf::reacts_to<await_quiet>,
  caf::reacts_to<stop_scope>,
  caf::reacts_to<resume_scope>,
  caf::reacts_to<stop_calls>,
  caf::reacts_to<answers_arrived>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, calls_answered& x) {
  return f(x.answers);
}

template <class Inspector>
auto inspect(Inspector& f, place_calls& x) {
  return f(x.asker, x.calls);
}

template <class Inspector>
auto inspect(Inspector& f, withdraw_calls& x) {
  return f(x.owner);
}

template <class Inspector>
auto inspect(Inspector& f, hold_back_calls& x) {
  return f(x.connection);
}

template <class Inspector>
auto inspect(Inspector& f, await_quiet& x) {
  return f(x.owner);
}

template <class Inspector>
auto inspect(Inspector& f, stop_scope& x) {
  return f(x.where);
}

template <class Inspector>
auto inspect(Inspector& f, resume_scope& x) {
  return f(x.where);
}

template <class Inspector>
auto inspect(Inspector& f, stops_told&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, stop_calls&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, answers_arrived& x) {
  return f(x.answers);
}

} // namespace sluice::messages
