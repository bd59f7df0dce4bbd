#pragma once

#include "core/notification_progress.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>

namespace sluice::core {

inline const timestamp notification_now = from_us(1'767'225'600'000'000); // 2026-01-01
inline constexpr duration notification_lease = std::chrono::minutes{1};
inline const notification_terms two_profiles{.route_length = 2};

/// A notification in a state at the route's first profile, with the attempts that lead there.
inline notification_progress notification_in(notification_state state, std::int64_t attempts = 1) {
  notification_progress made;
  made.state = state;
  made.attempts = attempts;
  made.place_attempts = static_cast<std::int32_t>(attempts);
  if (state == notification_state::dispatching)
    made.claim = attempt_claim{attempts, notification_now + notification_lease};
  if (state == notification_state::queued)
    made.due_at = notification_now;
  return made;
}

/// The same at the route's last profile.
inline notification_progress at_last_place(notification_progress made) {
  made.place = 1;
  return made;
}

inline notification_facts by_notifier(timestamp now = notification_now) {
  return {.now = now, .lease = notification_lease};
}

inline notification_facts by_notifier(submission_end end) {
  auto facts = by_notifier();
  facts.ended = std::move(end);
  return facts;
}

inline notification_facts by_reconciler(timestamp now) {
  return {.by = notification_cause::reconciler, .now = now};
}

inline notification_facts by_person() {
  return {.by = notification_cause::person, .now = notification_now};
}

inline notification_facts settled_by(notification_cause who, settlement_kind kind, std::int64_t number = 1) {
  return {.by = who, .now = notification_now, .settled = settlement{number, kind}};
}

inline notification_facts by_event(std::int64_t attempt = 1) {
  return {.by = notification_cause::provider_event, .now = notification_now, .attempt = attempt};
}

inline submission_end end_of(std::int64_t number, submission_kind kind, std::string error_class = {},
                             std::string error = {}) {
  submission_end made{.number = number, .what = {}};
  made.what.kind = kind;
  made.what.error_class = std::move(error_class);
  made.what.error = std::move(error);
  return made;
}

inline submission_end accepted_end(std::int64_t number = 1) {
  return end_of(number, submission_kind::accepted);
}

inline submission_end rejected_end(rejection_cause cause, std::int64_t number = 1) {
  auto made = end_of(number, submission_kind::rejected, "http_400", "the provider refused it");
  made.what.cause = cause;
  return made;
}

/// The schedule lets the next attempt start in a minute, unless it was the last.
inline submission_end retryable_end(bool last = false, std::int64_t number = 1) {
  auto made = end_of(number, submission_kind::retryable, "http_503", "the provider answered 503");
  if (!last)
    made.retry_at = notification_now + std::chrono::minutes{1};
  return made;
}

inline submission_end ambiguous_end(std::int64_t number = 1) {
  return end_of(number, submission_kind::ambiguous, "timed_out", "no answer came in time");
}

inline notification_step step_of(const notification_progress& from, notification_transition by,
                                 const notification_facts& facts,
                                 const notification_terms& terms = two_profiles) {
  auto step = apply(from, terms, by, facts);
  INFO((step ? std::string{} : step.error().sentence));
  REQUIRE(step);
  return *std::move(step);
}

inline transition_refusal refusal_of(const notification_progress& from, notification_transition by,
                                     const notification_facts& facts,
                                     const notification_terms& terms = two_profiles) {
  const auto step = apply(from, terms, by, facts);
  REQUIRE_FALSE(step);
  return step.error();
}

} // namespace sluice::core
