#pragma once

#include "core/attempt_claim.hpp"
#include "core/contact_point.hpp"
#include "core/notification_state.hpp"
#include "core/submission.hpp"
#include "core/time.hpp"
#include "core/transition_refusal.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

/// How the submission of one notification goes on. [n] the notifier causes it, [r] the reconciler, [p] a
/// person, [e] a provider's event.
///
///                   1 claim [n]
///       +-------------------------------+
///       |   2 give back, 6 retry,       v
///     queued <--7 fall back [n]-- dispatching --3 acceptance [n]-----------------> accepted
///       |  ^                       |   |   |                                          ^
///       |  |                       |   |   +--4 rejection [n]--> rejected             |
///       |  |                       |   +--8 exhaust [n]--> failed                     |
///       |  |                       |                                                  |
///       |  |        5 ambiguity [n], 9 lapse [n r]                                    |
///       |  |                       v                                                  |
///       |  +--11 not sent [n r p]-- ambiguous --10 accepted [n r p], 12 event [e]-----+
///       |
///       +--13 expire [n]--> expired    +--14 cancel [p]--> cancelled    +--15 no contact [n]--> failed
///
/// The number of an attempt is given before its call leaves. What it came to is applied only while it is the
/// notification's last attempt; one that is superseded records its own row and nothing else. An answer that
/// comes after its lease lapsed settles the ambiguity, for it is what everybody waits for.
namespace sluice::core {

/// The part of a notification that transitions alone write.
///
/// Invariants: `claim` exactly while dispatching, its number being `attempts`; `due_at` exactly while queued;
/// 0 <= place_attempts <= attempts.
struct notification_progress {
  notification_state state = notification_state::queued;
  std::int32_t place = 0;          ///< of the profile whose turn it is in the route, from 0
  std::int64_t attempts = 0;       ///< the last attempt's number, from 1 and without a gap
  std::int32_t place_attempts = 0; ///< those by the profile at `place`: what the schedule counts
  std::optional<attempt_claim> claim;
  std::optional<timestamp> due_at; ///< when to look at it: to send it, or to find it expired
  std::string error_class;         ///< of what happened last; a short stable word
  std::string error;               ///< a sentence for people, at most `submission_error_bytes_max` long

  friend bool operator==(const notification_progress&, const notification_progress&) = default;
};

/// Ends the program where a notification breaks its invariants.
void assert_consistent(const notification_progress& progress) noexcept;

/// What is settled when the notification is made.
struct notification_terms {
  std::int32_t route_length = 1;         ///< profiles in the route, at least one
  std::optional<timestamp> expires_at{}; ///< nobody wants it from then on
};

/// As it is made: due at once.
[[nodiscard]] notification_progress begin_notification(const notification_terms& terms,
                                                       timestamp now) noexcept;

enum class notification_transition : std::uint8_t {
  claim_attempt,
  give_back_attempt,
  record_acceptance,
  record_rejection,
  record_ambiguity,
  schedule_retry,
  fall_back,
  exhaust_route,
  lapse_lease,
  settle_as_accepted,
  settle_as_not_sent,
  prove_by_event,
  expire,
  cancel,
  refuse_suppressed,
};
inline constexpr std::size_t notification_transitions = 15;

/// Who may cause a transition.
enum class notification_cause : std::uint8_t { notifier, reconciler, person, provider_event };
inline constexpr std::size_t notification_causes = 4;

[[nodiscard]] std::string_view to_string(notification_cause cause) noexcept; ///< for people

struct notification_rule {
  notification_state from = notification_state::queued;
  notification_state to = notification_state::queued;
  std::uint8_t who = 0;     ///< a bit for each notification_cause
  std::string_view trigger; ///< its name for people

  [[nodiscard]] constexpr bool allows(notification_cause cause) const noexcept {
    return (who >> static_cast<unsigned>(cause) & 1U) != 0;
  }
};

[[nodiscard]] const notification_rule& rule_of(notification_transition transition) noexcept;

/// What an attempt came to.
struct submission_end {
  std::int64_t number = 0;
  submission what;
  std::optional<timestamp> retry_at{}; ///< retryable: what the schedule allows; absent: it was the last here
};

enum class settlement_kind : std::uint8_t { accepted, not_sent };

[[nodiscard]] std::string_view to_string(settlement_kind kind) noexcept;
[[nodiscard]] std::optional<settlement_kind> parse_settlement_kind(std::string_view text) noexcept;

/// What reconciliation, or a person, has found out about an attempt.
struct settlement {
  std::int64_t number = 0; ///< of the attempt
  settlement_kind kind = settlement_kind::accepted;
};

/// What is known when a transition is asked for; each fills in its own part.
struct notification_facts {
  notification_cause by = notification_cause::notifier;
  timestamp now{};
  duration lease{};                               ///< a claim's
  std::optional<std::int64_t> attempt{};          ///< given back, or the one an event is of
  std::optional<timestamp> due_at{};              ///< of what is given back
  std::optional<submission_end> ended{};          ///< the notifier's: what its attempt came to
  std::optional<settlement> settled{};            ///< the reconciler's, or a person's
  std::optional<suppression_reason> suppressed{}; ///< why the contact point is
  bool contact_removed = false;                   ///< it has no address any more
};

/// What an attempt's row becomes.
struct attempt_closing {
  std::int64_t number = 0;
  notification_attempt_state state = notification_attempt_state::ambiguous;

  friend bool operator==(const attempt_closing&, const attempt_closing&) = default;
};

/// What else happens with a transition, in the same transaction.
struct notification_effects {
  std::optional<std::int64_t> opens_attempt{}; ///< its row is written, dispatching
  std::optional<std::int64_t> drops_attempt{}; ///< its row goes: it was never made
  std::optional<attempt_closing> closes_attempt{};
  std::optional<suppression_reason> suppresses{}; ///< the contact point
  std::optional<timestamp> wakes_at{};            ///< the notifier has something to do then
  bool reconciles = false;                        ///< the attempt becomes a target of reconciliation
  bool audits_request = false;                    ///< who asked is recorded

  friend bool operator==(const notification_effects&, const notification_effects&) = default;
};

struct notification_step {
  notification_state left = notification_state::queued; ///< written only if it is still in it
  notification_progress now;
  notification_effects effects;
};

/// Why no transition leads from one state to the other; nothing where one does.
[[nodiscard]] std::optional<transition_refusal> refuse_step(notification_state from, notification_state to);

[[nodiscard]] std::expected<void, transition_refusal> can_apply(const notification_progress& progress,
                                                                const notification_terms& terms,
                                                                notification_transition transition,
                                                                const notification_facts& facts);

/// Refused as can_apply refuses.
[[nodiscard]] std::expected<notification_step, transition_refusal>
apply(const notification_progress& progress, const notification_terms& terms,
      notification_transition transition, const notification_facts& facts);

/// The transition by which what an attempt came to takes its notification further: one that leaves
/// dispatching, or, once its lease has lapsed, ambiguous. Nothing: a late answer that settles nothing.
[[nodiscard]] std::optional<notification_transition> transition_of(const notification_progress& progress,
                                                                   const notification_terms& terms,
                                                                   const submission_end& end) noexcept;

template <class Inspector>
auto inspect(Inspector& f, notification_progress& x) {
  return f(x.state, x.place, x.attempts, x.place_attempts, x.claim, x.due_at, x.error_class, x.error);
}

template <class Inspector>
auto inspect(Inspector& f, notification_terms& x) {
  return f(x.route_length, x.expires_at);
}

template <class Inspector>
auto inspect(Inspector& f, submission_end& x) {
  return f(x.number, x.what, x.retry_at);
}

template <class Inspector>
auto inspect(Inspector& f, settlement& x) {
  return f(x.number, x.kind);
}

} // namespace sluice::core
