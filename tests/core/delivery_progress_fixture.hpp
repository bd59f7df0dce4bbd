#pragma once

#include "core/delivery_progress.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>

namespace sluice::core {

inline const timestamp progress_now = from_us(1'767'225'600'000'000); // 2026-01-01
inline constexpr duration progress_lease = std::chrono::minutes{1};

/// A delivery in a state, with the attempts that lead there: open ones have attempt `attempts` on its way.
inline delivery_progress progress_in(delivery_state state, std::int64_t attempts = 0) {
  delivery_progress made;
  made.state = state;
  const bool open = state == delivery_state::pending || state == delivery_state::retrying;
  made.attempts = attempts;
  made.round_attempts = static_cast<std::int32_t>(attempts);
  if (open && attempts > 0)
    made.claim = attempt_claim{attempts, progress_now + progress_lease};
  else if (open)
    made.due_at = progress_now;
  return made;
}

inline transition_facts by_worker(attempt_end end) {
  return {.by = transition_cause::delivery_worker, .now = progress_now, .attempt = std::move(end)};
}

inline transition_facts by_operator(operator_request request = operator_request::retry) {
  return {.by = transition_cause::executions_operator, .now = progress_now, .request = request};
}

inline transition_facts by_adapter(bool covers = true) {
  return {.by = transition_cause::adapter_callback, .now = progress_now, .cursor_covers = covers};
}

inline transition_facts by_loss(std::string loss = "the subscription is gone") {
  return {
      .by = transition_cause::delivery_worker, .now = progress_now, .configuration_loss = std::move(loss)};
}

inline attempt_end acknowledged(std::int64_t number) {
  return {.number = number, .ending = attempt_ending::acknowledged};
}

/// A failed attempt; the schedule lets the next one start in a minute, unless it was the last.
inline attempt_end failed_attempt(std::int64_t number, attempt_ending ending = attempt_ending::transient,
                                  bool last = false) {
  return {.number = number,
          .ending = ending,
          .retry_at = last ? std::nullopt : std::optional{progress_now + std::chrono::minutes{1}},
          .error_class = "http_503",
          .error = "the subscriber answered 503"};
}

inline delivery_step step_of(const delivery_progress& from, delivery_transition by,
                             const transition_facts& facts) {
  auto step = apply(from, by, facts);
  INFO((step ? std::string{} : step.error().sentence));
  REQUIRE(step);
  return *std::move(step);
}

inline transition_refusal refusal_of(const delivery_progress& from, delivery_transition by,
                                     const transition_facts& facts) {
  const auto step = apply(from, by, facts);
  REQUIRE_FALSE(step);
  return step.error();
}

} // namespace sluice::core
