#pragma once

#include "core/ids.hpp"
#include "messages/alarm.hpp"
#include "messages/courier.hpp"
#include "messages/inspection.hpp"
#include "messages/projector.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <vector>

/// The conversation with the reconciler, which finds out what is not known of attempts, and has
/// rules find out what became of their creates.
namespace sluice::messages {

/// Whoever projects what was appended. A part of the projector's conversation, and of the callback intake's.
using projection_listener = caf::typed_actor<caf::reacts_to<events_appended>>;

/// reconciler: creates of these rules whose outcome is unknown are to be looked at. Told again until they
/// were.
struct creates_due {
  std::vector<core::rule_id> rules;
};

/// Whoever has the actors of rules. A part of the dispatcher's conversation.
using rule_front = caf::typed_actor<caf::reacts_to<creates_due>>;

/// notification_dispatcher, once it is known what is stopped, which the courier then sees to: it may begin.
struct begin_looks {
  rule_front rules; ///< none: this node has no rules
};

// clang-format off
using reconciler = caf::typed_actor<
  caf::reacts_to<begin_looks>,
  caf::reacts_to<calls_answered>,
  caf::reacts_to<alarm_rang>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, creates_due& x) {
  return f(x.rules);
}

template <class Inspector>
auto inspect(Inspector& f, begin_looks& x) {
  return f(x.rules);
}

} // namespace sluice::messages
