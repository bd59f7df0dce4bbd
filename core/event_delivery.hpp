#pragma once

#include "core/change_event.hpp"
#include "core/dead_count.hpp"
#include "core/delivery_progress.hpp"
#include "core/ids.hpp"
#include "core/push_schedule.hpp"
#include "core/subscription.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// One event for one subscription: the two are its identity.
struct event_delivery {
  subscription_id subscription{};
  event_position position{};
  std::string event; ///< its public id
  std::string type;
  timestamp occurred_at{};                 ///< of the event
  std::optional<std::string> ordering_key; ///< absent: it waits for no other
  delivery_progress progress;
  timestamp created_at{};
  timestamp updated_at{}; ///< its last change
};

/// As fan-out makes it. A push is due at once, a pull at no time; what the filter does not let pass is never
/// due.
[[nodiscard]] delivery_progress begin_delivery(subscription_mode mode, bool passes, timestamp now) noexcept;

inline constexpr std::size_t kept_answer_bytes_max = std::size_t{16} << 10;

/// One try to push a delivery.
struct delivery_attempt {
  std::int64_t number = 0; ///< from 1, without a gap
  timestamp started_at{};
  std::optional<timestamp> ended_at;
  duration took{};                      ///< of the call alone
  std::optional<attempt_ending> ending; ///< absent: on its way
  int status = 0;                       ///< 0: no status arrived
  std::string error_class;
  std::string error;
  std::string answer;      ///< the first `kept_answer_bytes_max` bytes, fit for a text column
  bool answer_cut = false; ///< there were more
};

/// A delivery whose next attempt is to be made now.
struct claimed_delivery {
  attempt_claim claim;
  std::int32_t round_attempts = 0; ///< this one included: what the schedule counts
  change_event event;
};

/// How a claim goes on. Attempts whose lease lapsed are closed as interrupted before.
struct claim_wish {
  subscription_id subscription{};
  std::int64_t limit = 100; ///< rows looked at
  duration lease{};
  push_schedule schedule; ///< of interrupted attempts
  double jitter = 0;      ///< in [0, 1]
  std::int32_t dead_threshold = dead_threshold_default;
};

struct delivery_claims {
  std::vector<claimed_delivery> deliveries;
  bool through = true;                   ///< false: more may be due; claim again
  std::int64_t interrupted = 0;          ///< attempts that were closed
  std::optional<timestamp> next_due;     ///< of what is not due yet, or of a lease
  std::optional<disable_cause> disabled; ///< the subscription has become disabled, or is
};

/// What an attempt came to, with what is kept of the answer.
struct ended_attempt {
  event_position position{};
  attempt_end end;
  duration took{};
  int status = 0;
  std::string answer;
  bool answer_cut = false;
};

struct attempts_recorded {
  std::int64_t applied = 0;    ///< took their delivery further
  std::int64_t superseded = 0; ///< wrote their own rows alone
  std::int64_t delivered = 0;
  std::int64_t dead = 0;
  std::optional<disable_cause> disabled; ///< these have disabled the subscription
  std::optional<timestamp> next_due;
};

/// An attempt that was held back before its call.
struct returned_attempt {
  event_position position{};
  std::int64_t number = 0;
};

/// What became of open deliveries whose subscription or access is gone.
struct refused_deliveries {
  std::int64_t refused = 0;
  bool through = true; ///< false: there is more to look at
};

/// When the next delivery of a subscription falls due, or a lease of it lapses.
struct subscription_due {
  subscription_id subscription{};
  timestamp at{};
  bool failing = false; ///< a delivery of it is retried, or its last ones are dead
};

/// Which of a subscription's deliveries, newest first.
struct event_delivery_page {
  subscription_id subscription{};
  std::optional<delivery_state> state;
  event_position before{}; ///< the page before's last; none at first
  std::int64_t limit = 100;
};

/// An operator's retry of one delivery.
struct delivery_restart {
  subscription_id subscription{};
  event_position position{};
  operator_request request = operator_request::retry;
  std::string by;
};

template <class Inspector>
auto inspect(Inspector& f, event_delivery& x) {
  return f(x.subscription, x.position, x.event, x.type, x.occurred_at, x.ordering_key, x.progress,
           x.created_at, x.updated_at);
}

/// Leaves out the answer: a printed message never shows it.
template <class Inspector>
auto inspect(Inspector& f, delivery_attempt& x) {
  return f(x.number, x.started_at, x.ended_at, x.took, x.ending, x.status, x.error_class, x.error,
           x.answer_cut);
}

template <class Inspector>
auto inspect(Inspector& f, claimed_delivery& x) {
  return f(x.claim, x.round_attempts, x.event);
}

template <class Inspector>
auto inspect(Inspector& f, claim_wish& x) {
  return f(x.subscription, x.limit, x.lease, x.jitter, x.dead_threshold);
}

template <class Inspector>
auto inspect(Inspector& f, delivery_claims& x) {
  return f(x.deliveries, x.through, x.interrupted, x.next_due, x.disabled);
}

/// Leaves out the answer, as above.
template <class Inspector>
auto inspect(Inspector& f, ended_attempt& x) {
  return f(x.position, x.end, x.took, x.status, x.answer_cut);
}

template <class Inspector>
auto inspect(Inspector& f, attempts_recorded& x) {
  return f(x.applied, x.superseded, x.delivered, x.dead, x.disabled, x.next_due);
}

template <class Inspector>
auto inspect(Inspector& f, returned_attempt& x) {
  return f(x.position, x.number);
}

template <class Inspector>
auto inspect(Inspector& f, subscription_due& x) {
  return f(x.subscription, x.at, x.failing);
}

template <class Inspector>
auto inspect(Inspector& f, event_delivery_page& x) {
  return f(x.subscription, x.state, x.before, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, delivery_restart& x) {
  return f(x.subscription, x.position, x.request, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, refused_deliveries& x) {
  return f(x.refused, x.through);
}

} // namespace sluice::core
