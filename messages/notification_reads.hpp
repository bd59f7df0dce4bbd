#pragma once

#include "core/notification.hpp"
#include "core/notification_work.hpp"
#include "core/reconciliation_item.hpp"
#include "core/time.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <vector>

/// A reader's conversation about notifications. A failure carries messages::fault.
namespace sluice::messages {

/// notification_dispatcher, at its start and every tick.
struct list_notification_dues {};

struct notification_dues_listed {
  std::vector<core::profile_due> dues;
  std::int64_t profiles_version = 0; ///< raised by every change of a profile
};

/// notifier, at the begin of a turn and when its profile may have changed, and reconciler.
struct open_profile {
  core::provider_profile_id profile{};
};

struct profile_opened {
  std::optional<core::provider_profile> found; ///< with its credentials; absent: it was removed
};

/// reconciler: what is to be looked at now, the earliest first.
struct list_due_targets {
  std::int64_t limit = 0;
};

struct due_targets_listed {
  std::vector<core::reconciliation_question> questions;
};

/// reconciler: rules with unknown creates whose look is due and is not the rule's own.
struct list_rules_of_due_creates {};

struct rules_of_due_creates {
  std::vector<core::rule_id> rules;
};

/// reconciler, before it searches for overdue callbacks.
struct list_living_profiles {};

struct living_profiles_listed {
  std::vector<core::provider_profile_id> profiles;
};

// clang-format off
using notification_reader = caf::typed_actor<
  caf::replies_to<list_notification_dues>::with<notification_dues_listed>,
  caf::replies_to<open_profile>::with<profile_opened>,
  caf::replies_to<list_due_targets>::with<due_targets_listed>,
  caf::replies_to<list_rules_of_due_creates>::with<rules_of_due_creates>,
  caf::replies_to<list_living_profiles>::with<living_profiles_listed>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, list_notification_dues&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, notification_dues_listed& x) {
  return f(x.dues, x.profiles_version);
}

template <class Inspector>
auto inspect(Inspector& f, open_profile& x) {
  return f(x.profile);
}

template <class Inspector>
auto inspect(Inspector& f, profile_opened& x) {
  return f(x.found);
}

template <class Inspector>
auto inspect(Inspector& f, list_due_targets& x) {
  return f(x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, due_targets_listed& x) {
  return f(x.questions);
}

template <class Inspector>
auto inspect(Inspector& f, list_rules_of_due_creates&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, rules_of_due_creates& x) {
  return f(x.rules);
}

template <class Inspector>
auto inspect(Inspector& f, list_living_profiles&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, living_profiles_listed& x) {
  return f(x.profiles);
}

} // namespace sluice::messages
