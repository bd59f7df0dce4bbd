#pragma once

#include "core/attempt_claim.hpp"
#include "core/ids.hpp"
#include "core/notification.hpp"
#include "core/notification_progress.hpp"
#include "core/reconciliation.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a notifier and the storage of notifications tell each other.
namespace sluice::core {

/// A notification whose next attempt is to be made now.
struct claimed_notification {
  notification_id notification{};
  attempt_claim claim;
  std::int32_t place_attempts = 0; ///< this one included: what the schedule counts
  submission_order order;
};

/// How a claim goes on. Leases of this profile that have lapsed are closed before.
struct notification_claim_wish {
  provider_profile_id profile{};
  std::int64_t limit = 100; ///< rows looked at
  duration lease{};
  reconciliation_schedule looks; ///< at attempts whose lease lapsed
};

struct notification_claims {
  std::vector<claimed_notification> notifications;
  bool through = true;                 ///< false: more may be due; claim again
  std::int64_t lapsed = 0;             ///< attempts without an answer: ambiguous now
  std::int64_t expired = 0;            ///< nobody wants them any more
  std::int64_t refused = 0;            ///< their contact points are suppressed or removed
  std::int64_t unreadable = 0;         ///< no key opens them: put off by a lease, without an attempt
  std::optional<timestamp> next_due{}; ///< of what is not due yet, or of a lease
};

/// What an attempt came to.
struct ended_submission {
  notification_id notification{};
  submission_end end;
};

/// When a profile has something to send, or a lease of it lapses.
struct profile_due {
  provider_profile_id profile{};
  timestamp at{};

  friend bool operator==(const profile_due&, const profile_due&) = default;
};

struct submissions_recorded {
  std::int64_t applied = 0;    ///< took their notification further
  std::int64_t superseded = 0; ///< wrote their own rows at most
  std::int64_t accepted = 0;   ///< notifications that became so
  std::int64_t ambiguous = 0;
  std::int64_t suppressed = 0;         ///< contact points
  std::int64_t early_events = 0;       ///< that came before: they are to be projected
  std::vector<profile_due> fallbacks;  ///< other profiles that have something to send now, each once
  std::optional<timestamp> next_due{}; ///< of the profile itself
};

/// An attempt that was held back before its call.
struct returned_submission {
  notification_id notification{};
  std::int64_t number = 0;
};

/// What was found out about an ambiguous attempt.
struct notification_settlement {
  notification_id notification{};
  settlement what; ///< number 0: the notification's last attempt
  notification_cause by = notification_cause::person;
  std::string who;                 ///< the person
  std::string note;                ///< why, for the audit; no address, no content
  std::string provider_message_id; ///< of what was accepted, where it is known
};

/// A person's wish that it is not sent.
struct notification_cancellation {
  notification_id notification{};
  std::string who;
  std::string note;
};

/// What events came to.
struct told_recorded {
  std::int64_t proven = 0;     ///< ambiguous submissions that were taken
  std::int64_t suppressed = 0; ///< contact points
};

/// How far a pass of retention has come.
struct notifications_pruned {
  notification_id upto{}; ///< where the next batch goes on
  bool through = false;
  std::int64_t notifications = 0;
};

/// Leaves out the order: a printed message never shows an address or a content.
template <class Inspector>
auto inspect(Inspector& f, claimed_notification& x) {
  return f(x.notification, x.claim, x.place_attempts);
}

template <class Inspector>
auto inspect(Inspector& f, notification_claim_wish& x) {
  return f(x.profile, x.limit, x.lease);
}

template <class Inspector>
auto inspect(Inspector& f, notification_claims& x) {
  return f(x.notifications, x.through, x.lapsed, x.expired, x.refused, x.unreadable, x.next_due);
}

template <class Inspector>
auto inspect(Inspector& f, ended_submission& x) {
  return f(x.notification, x.end);
}

template <class Inspector>
auto inspect(Inspector& f, profile_due& x) {
  return f(x.profile, x.at);
}

template <class Inspector>
auto inspect(Inspector& f, submissions_recorded& x) {
  return f(x.applied, x.superseded, x.accepted, x.ambiguous, x.suppressed, x.early_events, x.fallbacks,
           x.next_due);
}

template <class Inspector>
auto inspect(Inspector& f, returned_submission& x) {
  return f(x.notification, x.number);
}

template <class Inspector>
auto inspect(Inspector& f, notification_settlement& x) {
  return f(x.notification, x.what, x.by, x.who, x.note, x.provider_message_id);
}

template <class Inspector>
auto inspect(Inspector& f, notification_cancellation& x) {
  return f(x.notification, x.who, x.note);
}

template <class Inspector>
auto inspect(Inspector& f, told_recorded& x) {
  return f(x.proven, x.suppressed);
}

template <class Inspector>
auto inspect(Inspector& f, notifications_pruned& x) {
  return f(x.upto, x.through, x.notifications);
}

} // namespace sluice::core
