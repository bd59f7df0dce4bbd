#pragma once

#include "core/ids.hpp"
#include "core/notification_record.hpp"
#include "core/notification_work.hpp"
#include "core/reconciliation.hpp"
#include "core/reconciliation_item.hpp"
#include "core/time.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <vector>

/// The recorder's conversation about notifications and what is not known of them. Every request is answered
/// once its transaction is committed; a failure carries messages::fault.
namespace sluice::messages {

/// notifier, before its calls leave (D1): attempts get their numbers and their lease.
struct claim_notifications {
  core::notification_claim_wish wish;
};

/// notifier, as answers come in. Each attempt is named once.
struct record_submissions {
  core::provider_profile_id profile{};
  std::vector<core::ended_submission> ended;
  core::reconciliation_schedule looks; ///< at what is ambiguous
};

/// notifier: claimed notifications whose calls never left. Due again at once.
struct give_back_submissions {
  std::vector<core::returned_submission> returned;
};

/// notification_dispatcher, for a person: what became of an ambiguous attempt, with the row that says who
/// knows.
struct record_settlement {
  core::notification_settlement found;
};

/// notification_dispatcher, for a person: it is sent no more, with the row that says who wanted that.
struct record_cancellation {
  core::notification_cancellation wanted;
};

/// notification_dispatcher, once in a while and again until it is through: a batch of what is retained no
/// longer.
struct prune_notifications {
  core::timestamp until{};
  core::notification_id after{}; ///< where the batch before ended; none at first
  std::int64_t limit = 0;
};

/// reconciler: what a look came to, and what follows from it.
struct record_look {
  core::reconciliation_look look;
  core::reconciliation_schedule schedule;
};

/// reconciler: events without an attempt are to be projected again.
struct look_again_at_events {
  std::vector<core::provider_event_id> events;
};

struct events_pending {
  std::int64_t events = 0;
};

/// reconciler, once in a while and again until it is through.
struct search_overdue_callbacks {
  core::overdue_search search;
};

// clang-format off
using notification_recorder = caf::typed_actor<
  caf::replies_to<claim_notifications>::with<core::notification_claims>,
  caf::replies_to<record_submissions>::with<core::submissions_recorded>,
  caf::reacts_to<give_back_submissions>,
  caf::replies_to<record_settlement>::with<core::notification_record>,
  caf::replies_to<record_cancellation>::with<core::notification_record>,
  caf::replies_to<prune_notifications>::with<core::notifications_pruned>,
  caf::replies_to<record_look>::with<core::look_recorded>,
  caf::replies_to<look_again_at_events>::with<events_pending>,
  caf::replies_to<search_overdue_callbacks>::with<core::overdue_found>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, claim_notifications& x) {
  return f(x.wish);
}

template <class Inspector>
auto inspect(Inspector& f, record_submissions& x) {
  return f(x.profile, x.ended);
}

template <class Inspector>
auto inspect(Inspector& f, give_back_submissions& x) {
  return f(x.returned);
}

template <class Inspector>
auto inspect(Inspector& f, record_settlement& x) {
  return f(x.found);
}

template <class Inspector>
auto inspect(Inspector& f, record_cancellation& x) {
  return f(x.wanted);
}

template <class Inspector>
auto inspect(Inspector& f, prune_notifications& x) {
  return f(x.until, x.after, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, record_look& x) {
  return f(x.look);
}

template <class Inspector>
auto inspect(Inspector& f, look_again_at_events& x) {
  return f(x.events);
}

template <class Inspector>
auto inspect(Inspector& f, events_pending& x) {
  return f(x.events);
}

template <class Inspector>
auto inspect(Inspector& f, search_overdue_callbacks& x) {
  return f(x.search);
}

} // namespace sluice::messages
