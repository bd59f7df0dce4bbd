#include "core/delivery_progress.hpp"

#include "core/assertion.hpp"
#include "core/error_text.hpp"

#include <algorithm>
#include <array>

namespace sluice::core {

namespace {

using enum delivery_state;
using cause = transition_cause;

constexpr std::array<std::string_view, 3> cause_words{"delivery worker", "adapter callback",
                                                      "executions operator"};

/// In the order of the enumerators.
constexpr std::array<transition_rule, delivery_transitions> rules{{
    {pending, delivered, cause::delivery_worker, "Acknowledge initial push"},
    {pending, retrying, cause::delivery_worker, "Defer unsuccessful push"},
    {retrying, delivered, cause::delivery_worker, "Acknowledge a later push"},
    {retrying, dead, cause::delivery_worker, "End delivery retries"},
    {pending, delivered, cause::adapter_callback, "Advance a pull cursor"},
    {dead, pending, cause::executions_operator, "Restart dead delivery"},
    {failed, pending, cause::executions_operator, "Restart failed delivery"},
    {retrying, retrying, cause::delivery_worker, "Schedule a further delivery attempt"},
    {pending, dead, cause::delivery_worker, "Fail permanently on the first attempt"},
    {pending, failed, cause::delivery_worker, "Refuse initial delivery after configuration loss"},
    {retrying, failed, cause::delivery_worker, "Refuse later delivery after configuration loss"},
    {delivered, pending, cause::executions_operator, "Restart eligible delivery work"},
    {retrying, pending, cause::executions_operator, "Restart eligible delivery work"},
}};

std::unexpected<transition_refusal> refuse(refusal_kind kind, std::string sentence) {
  return std::unexpected{transition_refusal{kind, std::move(sentence)}};
}

std::unexpected<transition_refusal> unmet(std::string sentence) {
  return refuse(refusal_kind::guard_unmet, std::move(sentence));
}

/// Why a state that no transition takes there stays as it is.
std::string_view reason(delivery_state from, delivery_state to) noexcept {
  if (from == skipped_filter && to == pending)
    return "changing a filter does not bring back a delivery that was recorded as filtered out";
  if (from == skipped_filter)
    return "the event did not pass the subscription's filter, and that is final";
  if (to == skipped_filter)
    return "the filter is asked once, when the event is fanned out";
  switch (from) {
  case pending:
    return "it is waiting to be sent already";
  case delivered:
    return "what was delivered changes only when an operator restarts it";
  case failed:
    return "what failed waits for an operator to restart it";
  case dead:
    return "what is dead waits for an operator to restart it";
  default:
    return "no transition leads there";
  }
}

/// The claim an attempt's end belongs to, or the refusal.
std::expected<void, transition_refusal> check_claim(const delivery_progress& progress,
                                                    const transition_facts& facts) {
  if (!facts.attempt)
    return unmet("no attempt has ended");
  const auto& end = *facts.attempt;
  const auto number = "attempt " + std::to_string(end.number);
  if (!progress.claim || progress.claim->number != end.number)
    return refuse(refusal_kind::attempt_superseded,
                  number + " is no longer the delivery's: it was restarted, refused or taken over meanwhile");
  if (end.ending == attempt_ending::interrupted && facts.now < progress.claim->lease_until)
    return unmet(number + " still has its lease, until " + to_rfc3339(progress.claim->lease_until));
  return {};
}

std::expected<void, transition_refusal> check_acknowledged(const delivery_progress& progress,
                                                           const transition_facts& facts) {
  if (auto claimed = check_claim(progress, facts); !claimed)
    return claimed;
  if (facts.attempt->ending != attempt_ending::acknowledged)
    return unmet("the subscriber has not acknowledged the attempt");
  return {};
}

std::expected<void, transition_refusal> check_failed(const delivery_progress& progress,
                                                     const transition_facts& facts, bool goes_on) {
  if (auto claimed = check_claim(progress, facts); !claimed)
    return claimed;
  if (facts.attempt->ending == attempt_ending::acknowledged)
    return unmet("the subscriber has acknowledged the attempt");
  if (facts.attempt->allows_another() != goes_on)
    return unmet(goes_on ? "the failure allows no further attempt" : "the failure allows a further attempt");
  return {};
}

std::expected<void, transition_refusal> check_guard(const delivery_progress& progress,
                                                    delivery_transition transition,
                                                    const transition_facts& facts) {
  using enum delivery_transition;
  switch (transition) {
  case acknowledge_initial_push:
  case acknowledge_later_push:
    return check_acknowledged(progress, facts);
  case defer_unsuccessful_push:
  case schedule_further_attempt:
    return check_failed(progress, facts, true);
  case end_delivery_retries:
  case fail_permanently_on_first_attempt:
    return check_failed(progress, facts, false);
  case advance_pull_cursor:
    return facts.cursor_covers ? std::expected<void, transition_refusal>{}
                               : unmet("the cursor does not pass the event");
  case refuse_initial_delivery:
  case refuse_later_delivery:
    return facts.configuration_loss.empty()
               ? unmet("the subscription, its account and its access to the event are all there")
               : std::expected<void, transition_refusal>{};
  default:
    return facts.request == operator_request::none ? unmet("no operator has asked for it")
                                                   : std::expected<void, transition_refusal>{};
  }
}

/// Ends the round: nothing is due any more, and no attempt is the delivery's.
void rest(delivery_progress& progress) {
  progress.claim.reset();
  progress.due_at.reset();
}

void write_failure(delivery_progress& progress, std::string error_class, std::string error) {
  progress.error_class = std::move(error_class);
  progress.error = error_text(std::move(error), delivery_error_bytes_max);
}

void acknowledge(delivery_step& step, const attempt_end& end) {
  rest(step.now);
  write_failure(step.now, {}, {});
  step.effects.closes_attempt = end.number;
  step.effects.resets_dead_count = true;
}

void fail_attempt(delivery_step& step, const attempt_end& end) {
  rest(step.now);
  write_failure(step.now, end.error_class, end.error);
  step.effects.closes_attempt = end.number;
  if (end.allows_another()) {
    step.now.due_at = end.retry_at;
    step.effects.dispatches_at = end.retry_at;
    return;
  }
  step.effects.counts_dead = true;
  step.effects.disables_subscription = end.ending == attempt_ending::gone;
}

/// Numbers of attempts go on; what the schedule counts begins anew.
void restart(delivery_step& step, timestamp now) {
  rest(step.now);
  write_failure(step.now, {}, {});
  step.now.round_attempts = 0;
  step.now.due_at = now;
  step.effects.dispatches_at = now;
  step.effects.audits_request = true;
}

} // namespace

std::string_view to_string(transition_cause who) noexcept {
  const auto index = static_cast<std::size_t>(who);
  return index < cause_words.size() ? cause_words[index] : std::string_view{"unknown"};
}

const transition_rule& rule_of(delivery_transition transition) noexcept {
  const auto index = static_cast<std::size_t>(transition);
  assert_that(index < rules.size(), "a delivery's transition is one of the thirteen");
  return rules[index];
}

std::optional<transition_refusal> refuse_step(delivery_state from, delivery_state to) {
  const bool known = std::ranges::any_of(
      rules, [&](const transition_rule& rule) { return rule.from == from && rule.to == to; });
  if (known)
    return std::nullopt;
  const auto kind = from == skipped_filter ? refusal_kind::filtered_out : refusal_kind::no_such_step;
  return transition_refusal{kind, "a delivery that is " + std::string{to_string(from)} + " does not become "
                                      + std::string{to_string(to)} + ": " + std::string{reason(from, to)}};
}

std::expected<void, transition_refusal>
can_apply(const delivery_progress& progress, delivery_transition transition, const transition_facts& facts) {
  const auto& rule = rule_of(transition);
  if (progress.state != rule.from) {
    if (auto refused = refuse_step(progress.state, rule.to))
      return std::unexpected{*std::move(refused)};
    return refuse(refusal_kind::no_such_step, '"' + std::string{rule.trigger} + "\" leaves "
                                                  + std::string{to_string(rule.from)} + ", the delivery is "
                                                  + std::string{to_string(progress.state)});
  }
  if (facts.by != rule.who)
    return refuse(refusal_kind::wrong_cause, '"' + std::string{rule.trigger} + "\" is caused by the "
                                                 + std::string{to_string(rule.who)} + ", not by the "
                                                 + std::string{to_string(facts.by)});
  return check_guard(progress, transition, facts);
}

std::expected<delivery_step, transition_refusal>
apply(const delivery_progress& progress, delivery_transition transition, const transition_facts& facts) {
  assert_consistent(progress);
  if (auto allowed = can_apply(progress, transition, facts); !allowed)
    return std::unexpected{std::move(allowed).error()};
  delivery_step step{.left = progress.state, .now = progress, .effects = {}};
  step.now.state = rule_of(transition).to;
  switch (transition) {
    using enum delivery_transition;
  case acknowledge_initial_push:
  case acknowledge_later_push:
    acknowledge(step, *facts.attempt);
    break;
  case defer_unsuccessful_push:
  case schedule_further_attempt:
  case end_delivery_retries:
  case fail_permanently_on_first_attempt:
    fail_attempt(step, *facts.attempt);
    break;
  case advance_pull_cursor:
    rest(step.now);
    write_failure(step.now, {}, {});
    break;
  case refuse_initial_delivery:
  case refuse_later_delivery:
    rest(step.now);
    write_failure(step.now, "configuration_lost", facts.configuration_loss);
    break;
  default:
    restart(step, facts.now);
  }
  assert_consistent(step.now);
  return step;
}

delivery_transition transition_of(delivery_state from, const attempt_end& end) noexcept {
  using enum delivery_transition;
  const bool first = from == pending;
  if (end.ending == attempt_ending::acknowledged)
    return first ? acknowledge_initial_push : acknowledge_later_push;
  if (end.allows_another())
    return first ? defer_unsuccessful_push : schedule_further_attempt;
  return first ? fail_permanently_on_first_attempt : end_delivery_retries;
}

std::expected<delivery_transition, transition_refusal> restart_of(delivery_state from) {
  if (auto refused = refuse_step(from, pending))
    return std::unexpected{*std::move(refused)};
  switch (from) {
  case dead:
    return delivery_transition::restart_dead_delivery;
  case failed:
    return delivery_transition::restart_failed_delivery;
  case delivered:
    return delivery_transition::restart_delivered_work;
  default:
    return delivery_transition::restart_retrying_work;
  }
}

} // namespace sluice::core
