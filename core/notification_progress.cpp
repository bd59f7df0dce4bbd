#include "core/notification_progress.hpp"

#include "core/assertion.hpp"
#include "core/error_text.hpp"
#include "core/notification_guard.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::core {

namespace {

using enum notification_state;
using enum notification_transition;
using attempt_state = notification_attempt_state;

template <class... Causes>
constexpr std::uint8_t by(Causes... causes) noexcept {
  return static_cast<std::uint8_t>(((1U << static_cast<unsigned>(causes)) | ...));
}

constexpr auto notifier = by(notification_cause::notifier);
constexpr auto person = by(notification_cause::person);
constexpr auto provider = by(notification_cause::provider_event);
constexpr auto whoever_watches = by(notification_cause::notifier, notification_cause::reconciler);
constexpr auto whoever_knows =
    by(notification_cause::notifier, notification_cause::reconciler, notification_cause::person);

/// In the order of the enumerators.
constexpr std::array<notification_rule, notification_transitions> rules{{
    {queued, dispatching, notifier, "Claim an attempt"},
    {dispatching, queued, notifier, "Give back an attempt"},
    {dispatching, accepted, notifier, "Record acceptance"},
    {dispatching, rejected, notifier, "Record rejection"},
    {dispatching, ambiguous, notifier, "Record ambiguity"},
    {dispatching, queued, notifier, "Schedule a retry"},
    {dispatching, queued, notifier, "Fall back to the next profile"},
    {dispatching, failed, notifier, "Exhaust the route"},
    {dispatching, ambiguous, whoever_watches, "Lapse the lease"},
    {ambiguous, accepted, whoever_knows, "Settle as accepted"},
    {ambiguous, queued, whoever_knows, "Settle as not sent"},
    {ambiguous, accepted, provider, "Prove by an event"},
    {queued, expired, notifier, "Expire"},
    {queued, cancelled, person, "Cancel"},
    {queued, failed, notifier, "Refuse a suppressed contact point"},
}};

std::unexpected<transition_refusal> refuse(refusal_kind kind, std::string sentence) {
  return std::unexpected{transition_refusal{kind, std::move(sentence)}};
}

/// Why a state that no transition takes there stays as it is.
std::string_view reason(notification_state from, notification_state to) noexcept {
  switch (from) {
  case queued:
    return "it has not been given to a provider";
  case dispatching:
    return to == cancelled || to == expired ? "its attempt may be with the provider already"
                                            : "its attempt has to end first";
  case accepted:
    return "a provider took it, and what becomes of it is told by events";
  case ambiguous:
    return "an attempt may have been taken: it waits for reconciliation or a person";
  default:
    return "that is final";
  }
}

void write_error(notification_progress& progress, std::string error_class, std::string error) {
  progress.error_class = std::move(error_class);
  progress.error = error_text(std::move(error), submission_error_bytes_max);
}

/// Queued until `due`, or until it expires where that is sooner.
void queue(notification_step& step, const notification_terms& terms, timestamp due) {
  step.now.due_at = terms.expires_at ? std::min(due, *terms.expires_at) : due;
  step.effects.wakes_at = step.now.due_at;
}

void claim(notification_step& step, const notification_facts& facts) {
  ++step.now.attempts;
  ++step.now.place_attempts;
  step.now.claim = attempt_claim{step.now.attempts, facts.now + facts.lease};
  step.now.due_at.reset();
  step.effects.opens_attempt = step.now.attempts;
  step.effects.wakes_at = step.now.claim->lease_until;
}

void give_back(notification_step& step, const notification_terms& terms, timestamp due) {
  step.effects.drops_attempt = step.now.attempts;
  step.now.claim.reset();
  --step.now.attempts;
  --step.now.place_attempts;
  queue(step, terms, due);
}

/// An attempt that was on its way has ended; its row says how.
void end_attempt(notification_step& step, notification_transition transition, const notification_terms& terms,
                 const notification_facts& facts) {
  const auto& [number, what, retry_at] = *facts.ended;
  step.now.claim.reset();
  write_error(step.now, what.error_class, what.error);
  // The two enums go apart by the attempt's first state alone.
  const auto kind = transition == record_ambiguity ? submission_kind::ambiguous : what.kind;
  step.effects.closes_attempt =
      attempt_closing{number, static_cast<attempt_state>(std::to_underlying(kind) + 1)};
  step.effects.suppresses = what.retires;
  step.effects.reconciles = kind == submission_kind::ambiguous;
  if (transition == schedule_retry)
    queue(step, terms, *retry_at);
  if (transition != fall_back)
    return;
  ++step.now.place;
  step.now.place_attempts = 0;
  queue(step, terms, facts.now);
}
static_assert(std::to_underlying(attempt_state::accepted) == std::to_underlying(submission_kind::accepted) + 1
              && std::to_underlying(attempt_state::ambiguous)
                     == std::to_underlying(submission_kind::ambiguous) + 1);

void lapse(notification_step& step) {
  const auto number = step.now.claim->number;
  step.now.claim.reset();
  write_error(step.now, "lease_lapsed",
              "the lease of attempt " + std::to_string(number) + " ran out before its answer came");
  step.effects.closes_attempt = attempt_closing{number, attempt_state::ambiguous};
  step.effects.reconciles = true;
}

void settle(notification_step& step, bool as_accepted, const notification_terms& terms,
            const notification_facts& facts) {
  const auto number = step.now.attempts;
  step.effects.audits_request = facts.by == notification_cause::person;
  step.effects.closes_attempt =
      attempt_closing{number, as_accepted ? attempt_state::accepted : attempt_state::retryable};
  if (as_accepted)
    return write_error(step.now, {}, {});
  write_error(step.now, "not_sent",
              "attempt " + std::to_string(number) + " turned out not to have been sent");
  queue(step, terms, facts.now);
}

void refuse_contact(notification_step& step, const notification_facts& facts) {
  step.now.due_at.reset();
  if (facts.contact_removed)
    return write_error(step.now, "contact_removed", "the contact point was removed");
  write_error(step.now, "contact_suppressed",
              "the contact point is suppressed: " + std::string{to_string(*facts.suppressed)});
}

void rest(notification_step& step, notification_transition transition) {
  step.now.due_at.reset();
  step.effects.audits_request = transition == cancel;
}

void change(notification_step& step, notification_transition transition, const notification_terms& terms,
            const notification_facts& facts) {
  switch (transition) {
  case claim_attempt:
    return claim(step, facts);
  case give_back_attempt:
    return give_back(step, terms, *facts.due_at);
  case lapse_lease:
    return lapse(step);
  case settle_as_accepted:
  case prove_by_event:
    return settle(step, true, terms, facts);
  case settle_as_not_sent:
    return settle(step, false, terms, facts);
  case expire:
  case cancel:
    return rest(step, transition);
  case refuse_suppressed:
    return refuse_contact(step, facts);
  default:
    return end_attempt(step, transition, terms, facts);
  }
}

/// Whether the message may be with the provider of this place, whatever its last answer says.
bool is_in_doubt(const notification_progress& progress, const submission& what) noexcept {
  return what.doubt == submission_doubt::this_one
         || (what.doubt == submission_doubt::earlier && progress.place_attempts > 1);
}

notification_transition transition_of_end(const notification_progress& progress,
                                          const notification_terms& terms,
                                          const submission_end& end) noexcept {
  const bool falls_back = !is_last_place(progress, terms) && !is_in_doubt(progress, end.what);
  switch (end.what.kind) {
  case submission_kind::accepted:
    return record_acceptance;
  case submission_kind::ambiguous:
    return record_ambiguity;
  case submission_kind::rejected:
    return end.what.cause == rejection_cause::provider && falls_back ? fall_back : record_rejection;
  case submission_kind::retryable:
    break;
  }
  if (end.retry_at)
    return schedule_retry;
  if (is_in_doubt(progress, end.what))
    return record_ambiguity;
  return falls_back ? fall_back : exhaust_route;
}

} // namespace

void assert_consistent(const notification_progress& progress) noexcept {
  assert_that(progress.claim.has_value() == (progress.state == dispatching),
              "a notification is claimed exactly while it is dispatching");
  assert_that(progress.due_at.has_value() == (progress.state == queued),
              "a notification is due exactly while it is queued");
  assert_that(!progress.claim || (progress.claim->number == progress.attempts && progress.place_attempts > 0),
              "a claim is of the notification's last attempt, and counts at its place");
  assert_that(progress.place >= 0 && progress.place_attempts >= 0
                  && progress.place_attempts <= progress.attempts,
              "a place of the route has no more attempts than the notification");
}

notification_progress begin_notification(const notification_terms& terms, timestamp now) noexcept {
  notification_progress made;
  made.due_at = terms.expires_at ? std::min(now, *terms.expires_at) : now;
  return made;
}

const notification_rule& rule_of(notification_transition transition) noexcept {
  const auto index = static_cast<std::size_t>(transition);
  assert_that(index < rules.size(), "a notification's transition is one of the fifteen");
  return rules[index];
}

std::optional<transition_refusal> refuse_step(notification_state from, notification_state to) {
  if (std::ranges::any_of(rules, [&](const auto& rule) { return rule.from == from && rule.to == to; }))
    return std::nullopt;
  return transition_refusal{refusal_kind::no_such_step,
                            "a notification that is " + std::string{to_string(from)} + " does not become "
                                + std::string{to_string(to)} + ": " + std::string{reason(from, to)}};
}

std::expected<void, transition_refusal> can_apply(const notification_progress& progress,
                                                  const notification_terms& terms,
                                                  notification_transition transition,
                                                  const notification_facts& facts) {
  assert_that(progress.place < terms.route_length, "a notification's place is in its route");
  const auto& rule = rule_of(transition);
  if (progress.state != rule.from) {
    if (auto refused = refuse_step(progress.state, rule.to))
      return std::unexpected{*std::move(refused)};
    return refuse(refusal_kind::no_such_step,
                  '"' + std::string{rule.trigger} + "\" leaves " + std::string{to_string(rule.from)}
                      + ", the notification is " + std::string{to_string(progress.state)});
  }
  if (!rule.allows(facts.by))
    return refuse(refusal_kind::wrong_cause, '"' + std::string{rule.trigger} + "\" is not caused by the "
                                                 + std::string{to_string(facts.by)});
  return check_guard(progress, terms, transition, facts);
}

std::expected<notification_step, transition_refusal> apply(const notification_progress& progress,
                                                           const notification_terms& terms,
                                                           notification_transition transition,
                                                           const notification_facts& facts) {
  assert_consistent(progress);
  if (auto allowed = can_apply(progress, terms, transition, facts); !allowed)
    return std::unexpected{std::move(allowed).error()};
  notification_step step{.left = progress.state, .now = progress, .effects = {}};
  step.now.state = rule_of(transition).to;
  change(step, transition, terms, facts);
  assert_consistent(step.now);
  return step;
}

std::optional<notification_transition> transition_of(const notification_progress& progress,
                                                     const notification_terms& terms,
                                                     const submission_end& end) noexcept {
  if (progress.state != ambiguous)
    return transition_of_end(progress, terms, end);
  switch (end.what.kind) {
  case submission_kind::accepted:
    return settle_as_accepted;
  case submission_kind::ambiguous:
    return std::nullopt;
  default:
    return settle_as_not_sent;
  }
}

} // namespace sluice::core
