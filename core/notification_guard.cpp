#include "core/notification_guard.hpp"

#include "core/assertion.hpp"

#include <string>
#include <utility>

namespace sluice::core {

namespace {

using verdict = std::expected<void, transition_refusal>;

verdict refuse(refusal_kind kind, std::string sentence) {
  return std::unexpected{transition_refusal{kind, std::move(sentence)}};
}

verdict require(bool holds, std::string_view otherwise) {
  return holds ? verdict{} : refuse(refusal_kind::guard_unmet, std::string{otherwise});
}

/// Numbers are given once and in order: any but the last is somebody's who came too late.
verdict check_number(const notification_progress& progress, std::int64_t number) {
  if (number == progress.attempts)
    return {};
  return refuse(refusal_kind::attempt_superseded, "attempt " + std::to_string(number)
                                                      + " is no longer the notification's: its last one is "
                                                      + std::to_string(progress.attempts));
}

verdict check_claim(const notification_progress& progress, const notification_terms& terms,
                    const notification_facts& facts) {
  assert_that(facts.lease > duration::zero(), "an attempt's lease lasts");
  if (terms.expires_at && facts.now >= *terms.expires_at)
    return refuse(refusal_kind::guard_unmet, "the notification expired at " + to_rfc3339(*terms.expires_at));
  if (facts.now < *progress.due_at)
    return refuse(refusal_kind::guard_unmet, "the notification is due at " + to_rfc3339(*progress.due_at));
  return {};
}

verdict check_given_back(const notification_progress& progress, const notification_facts& facts) {
  if (!facts.attempt || !facts.due_at)
    return require(false, "no attempt is given back");
  return check_number(progress, *facts.attempt);
}

/// The end of the attempt that is on its way, of the kind the transition is for.
verdict check_end(const notification_progress& progress, const notification_terms& terms,
                  notification_transition transition, const notification_facts& facts) {
  if (!facts.ended)
    return require(false, "no attempt has ended");
  if (auto last = check_number(progress, facts.ended->number); !last)
    return last;
  const auto meant = transition_of(progress, terms, *facts.ended);
  if (meant == transition)
    return {};
  return refuse(refusal_kind::guard_unmet,
                "an attempt that is " + std::string{to_string(facts.ended->what.kind)} + " here means \""
                    + std::string{rule_of(*meant).trigger} + '"');
}

verdict check_lapse(const notification_progress& progress, const notification_facts& facts) {
  if (facts.now < progress.claim->lease_until)
    return refuse(refusal_kind::guard_unmet, "attempt " + std::to_string(progress.claim->number)
                                                 + " still has its lease, until "
                                                 + to_rfc3339(progress.claim->lease_until));
  return {};
}

/// The notifier settles by the answer that came late, everybody else by what they found out.
verdict check_settlement(const notification_progress& progress, const notification_terms& terms,
                         settlement_kind kind, const notification_facts& facts) {
  if (facts.by == notification_cause::notifier) {
    if (!facts.ended)
      return require(false, "no answer has come");
    if (auto last = check_number(progress, facts.ended->number); !last)
      return last;
    const auto meant = transition_of(progress, terms, *facts.ended);
    return require(meant
                       == (kind == settlement_kind::accepted ? notification_transition::settle_as_accepted
                                                             : notification_transition::settle_as_not_sent),
                   "the answer does not say so");
  }
  if (!facts.settled)
    return require(false, "nobody has settled the attempt");
  if (auto last = check_number(progress, facts.settled->number); !last)
    return last;
  return require(facts.settled->kind == kind, "the attempt was settled otherwise");
}

verdict check_event(const notification_progress& progress, const notification_facts& facts) {
  if (!facts.attempt)
    return require(false, "the event is of no attempt");
  return check_number(progress, *facts.attempt);
}

} // namespace

bool is_last_place(const notification_progress& progress, const notification_terms& terms) noexcept {
  return progress.place + 1 >= terms.route_length;
}

verdict check_guard(const notification_progress& progress, const notification_terms& terms,
                    notification_transition transition, const notification_facts& facts) {
  using enum notification_transition;
  switch (transition) {
  case claim_attempt:
    return check_claim(progress, terms, facts);
  case give_back_attempt:
    return check_given_back(progress, facts);
  case record_acceptance:
  case record_rejection:
  case record_ambiguity:
  case schedule_retry:
  case fall_back:
  case exhaust_route:
    return check_end(progress, terms, transition, facts);
  case lapse_lease:
    return check_lapse(progress, facts);
  case settle_as_accepted:
    return check_settlement(progress, terms, settlement_kind::accepted, facts);
  case settle_as_not_sent:
    return check_settlement(progress, terms, settlement_kind::not_sent, facts);
  case prove_by_event:
    return check_event(progress, facts);
  case expire:
    return require(terms.expires_at && facts.now >= *terms.expires_at, "the notification has not expired");
  case cancel:
    return {};
  case refuse_suppressed:
    return require(facts.suppressed || facts.contact_removed, "the contact point may be sent to");
  }
  return require(false, "there is no such transition");
}

} // namespace sluice::core
