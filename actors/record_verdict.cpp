#include "actors/record_delivery.hpp"
#include "providers/idempotency_key.hpp"

#include <algorithm>
#include <utility>

/// The second half of record_delivery: what an answer means for the record, and how the unknown is settled.
namespace sluice::actors {

using core::operation;
using core::outcome_kind;

record_delivery::settlement record_delivery::settle(core::unsettled found, std::string anchor_id,
                                                    core::timestamp now) {
  auto& [made, about] = found;
  if (!about.record.id) { // the record left the mirror; what went out may still be at the target
    about.record.id = made.record;
    about.record.source_id = made.source_id;
    about.record.content_changed_at = made.content_changed_at;
  }
  settlement result;
  if (!about.row || about.row->status != core::delivery_status::ambiguous) {
    core::outcome unknown{
        outcome_kind::ambiguous, {}, "interrupted", "the node stopped before the answer came", {}};
    result.row = core::book_outcome(about, operation::create, unknown, made.content_changed_at, booking(now));
    about.row = result.row;
  }
  auto key_counts =
      !made.idempotency_key.empty() && traits().honours_key && now - made.made_at < traits().key_lifetime;
  if (!key_counts && !traits().has_lookup)
    return result;
  auto& next = result.next.emplace();
  next.held_before = about.row && about.row->target != core::target_state::absent;
  next.anchor_id = std::move(anchor_id);
  next.about = std::move(about);
  next.about.record.payload = {};
  next.step = core::step_kind::settle;
  next.op = key_counts ? operation::create : operation::lookup;
  next.body = key_counts ? std::move(made.body) : std::string{};
  next.key = std::move(made.idempotency_key);
  next.version = made.content_changed_at;
  next.settle_attempts = made.settle_attempts;
  next.needs_intent = true;
  next.settles = true;
  return result;
}

core::outcome record_delivery::outcome_of(const order& order, const core::http_answer& answer) const {
  return answer.error == core::call_error::unattempted
             ? core::outcome{outcome_kind::unattempted, {}, "unattempted", answer.detail, {}}
             : writer_->read(write_order_of(order), answer);
}

verdict record_delivery::read(order& order, const core::http_answer& answer, core::timestamp now) {
  auto outcome = outcome_of(order, answer);
  switch (outcome.kind) {
  case outcome_kind::unattempted:
  case outcome_kind::rate_limited:
    return {verdict::kind::waits, {}, {}, std::move(outcome)};
  case outcome_kind::unauthorized: {
    auto refreshable = traits().needs_token && !order.token_renewed;
    return {
        refreshable ? verdict::kind::new_token : verdict::kind::connection_fault, {}, {}, std::move(outcome)};
  }
  default:
    break;
  }
  if (order.op == operation::create)
    return read_create(order, std::move(outcome), now);
  if (order.op == operation::lookup)
    return read_lookup(order, std::move(outcome), now);
  if (order.op == operation::reactivate && order.then_update && outcome.kind == outcome_kind::accepted)
    return read_reactivation(order, std::move(outcome), now);
  return book(order, std::move(outcome), now);
}

/// The object is active again; the update that follows is decided on as any other.
verdict record_delivery::read_reactivation(order& order, core::outcome outcome, core::timestamp now) {
  order.about.row = core::book_outcome(order.about, order.op, outcome, order.version, booking(now));
  --order.about.row->row_version; // not written: the update's row is
  judge_facts with;
  with.step = order.step;
  with.parent = parent_of(order.about.record);
  with.anchor_id = order.anchor_id;
  const auto decided = core::decide_update(facts_of(order.about, with));
  if (decided != core::action::update)
    return {verdict::kind::booked, unsent(order.about, decided, with.parent, now), {}, std::move(outcome)};
  order.op = operation::update;
  order.then_update = false;
  order.reactivated = true;
  order.body = writer_->render_body(write_order_of(order), std::exchange(projection_, {}));
  return {verdict::kind::next_call, {}, {}, std::move(outcome)};
}

verdict record_delivery::read_create(order& order, core::outcome outcome, core::timestamp now) {
  switch (outcome.kind) {
  case outcome_kind::exists:
    if (!traits().has_lookup)
      break;
    return look_up(order, std::move(outcome));
  case outcome_kind::ambiguous:
  case outcome_kind::transient: {
    if (order.settles)
      return postponed(order, std::move(outcome), now);
    if (outcome.kind == outcome_kind::transient)
      break;
    auto settled_at = can_settle() ? std::optional{now} : std::nullopt;
    auto row = core::book_outcome(order.about, order.op, outcome, order.version, booking(now));
    return {verdict::kind::unknown, std::move(row), settled_at, std::move(outcome)};
  }
  default:
    break;
  }
  return book(order, std::move(outcome), now);
}

verdict record_delivery::read_lookup(order& order, core::outcome outcome, core::timestamp now) {
  if (outcome.kind == outcome_kind::several) {
    auto row = core::book_outcome(order.about, operation::lookup, outcome, order.version, booking(now));
    return {verdict::kind::unknown, std::move(row), std::nullopt, std::move(outcome)};
  }
  if (order.looks_first && outcome.kind == outcome_kind::gone)
    return create_after_look(order, std::move(outcome));
  if (!order.settles) {
    // The target said "exists": what it holds may be anything, so its update is due at once. A lookup that
    // finds nothing contradicts that; trying again waits as after any failure.
    auto contradicts = outcome.kind == outcome_kind::gone;
    if (contradicts)
      outcome = {outcome_kind::transient,
                 {},
                 "exists_but_not_found",
                 "the target refused the create as existing, but does not list it",
                 {}};
    return book(order, std::move(outcome), now);
  }
  switch (outcome.kind) {
  case outcome_kind::accepted: {
    // Of a first creation, what our own create sent. An earlier one may have left its object behind: what
    // that holds is unknown.
    auto created_before = order.about.row && order.about.row->create_generation > 0;
    auto op = created_before ? operation::lookup : operation::create;
    auto row = core::book_outcome(order.about, op, outcome, order.version, booking(now));
    return {verdict::kind::booked, std::move(row), {}, std::move(outcome)};
  }
  case outcome_kind::gone: {
    if (order.settle_attempts == 0) { // what was just sent may still arrive
      order.settle_attempts = 1;
      return {verdict::kind::postponed, {}, now + settle_after_, std::move(outcome)};
    }
    auto row = core::book_due_again(*order.about.row, now, "the create never arrived at the target");
    return {verdict::kind::booked, std::move(row), {}, std::move(outcome)};
  }
  default:
    return postponed(order, std::move(outcome), now);
  }
}

/// Settling goes on: what is unknown never exhausts, it waits as long as the schedule's longest wait.
verdict record_delivery::postponed(order& order, core::outcome outcome, core::timestamp now) {
  ++order.settle_attempts;
  auto jitter = std::uniform_real_distribution<double>{0, 1}(jitter_);
  auto at = retries_.next_attempt(order.settle_attempts, now, jitter);
  if (!at)
    at = now + (retries_.waits.empty() ? settle_after_ : retries_.waits.back());
  if (order.op == operation::lookup) // the next look that finds nothing counts: it must not come too early
    at = std::max(*at, now + settle_after_);
  return {verdict::kind::postponed, {}, at, std::move(outcome)};
}

verdict record_delivery::book(const order& order, core::outcome outcome, core::timestamp now) {
  auto row = core::book_outcome(order.about, order.op, outcome, order.version, booking(now));
  return {verdict::kind::booked, std::move(row), {}, std::move(outcome)};
}

verdict record_delivery::look_up(order& order, core::outcome outcome) {
  order.op = operation::lookup;
  order.body.clear();
  return {verdict::kind::next_call, {}, {}, std::move(outcome)};
}

verdict record_delivery::create_after_look(order& order, core::outcome outcome) {
  order.op = operation::create;
  order.looks_first = false;
  order.needs_intent = !writer_->repeatable(operation::create);
  order.body = std::exchange(order.body_of_create, {});
  return {verdict::kind::next_call, {}, {}, std::move(outcome)};
}

void count(core::run_counts& counts, operation op, const verdict& verdict) {
  if (verdict.what == verdict::kind::unknown) {
    ++counts.ambiguous;
    return;
  }
  if (verdict.what != verdict::kind::booked)
    return;
  if (core::withdrew(op, verdict.outcome.kind)) {
    ++counts.withdrawn;
    return;
  }
  if (op == operation::lookup && verdict.outcome.kind == outcome_kind::gone)
    return; // nothing failed: the create it settled never arrived, and is due again
  if (verdict.outcome.kind != outcome_kind::accepted) {
    ++counts.failed;
    return;
  }
  switch (op) {
  case operation::update:
    ++counts.updated;
    break;
  case operation::reactivate:
    ++counts.reactivated;
    break;
  default:
    ++counts.created;
    break;
  }
}

void count(core::run_counts& counts, core::action decided) {
  switch (decided) {
  case core::action::skip:
    ++counts.skipped;
    break;
  case core::action::suppress:
    ++counts.suppressed;
    break;
  case core::action::filter:
    ++counts.filtered;
    break;
  case core::action::refuse:
    ++counts.refused;
    break;
  default:
    break;
  }
}

} // namespace sluice::actors
