#include "actors/call_desk.hpp"
#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <string>
#include <utility>

/// The second half of call_desk: what answers do to orders, the throttle and the breaker.
namespace sluice::actors {

namespace m = messages;
using core::outcome_kind;

void call_desk::take(m::calls_answered& told) {
  answered_at_ = links_.node->time->steady();
  for (auto& answer : told.answers)
    take_one(answer);
  account_.tell_throttle(self_, links_.throttle, delivery_.rule().id);
  report_signals();
}

void call_desk::take_one(core::call_answer& answer) {
  auto found = orders_.find(answer.id.value);
  if (found == orders_.end())
    return; // of an earlier life
  auto& order = found->second;
  order.placed_at = {};
  if (order.needs_intent)
    --unanswered_intents_;
  auto op = order.op;
  auto verdict = delivery_.read(order, answer.answer, links_.node->time->wall());
  account_.note(op, verdict.outcome.kind, answer.answer.ended_at);
  count(book_.counts(), op, verdict);
  links_.node->metrics->deliveries(op, verdict.outcome.kind).add();
  settle(found->first, order, op, std::move(verdict));
}

void call_desk::settle(order_key key, order& order, core::operation op, verdict verdict) {
  auto record = order.about.record.id;
  switch (verdict.what) {
  case verdict::kind::booked:
    if (order.settles)
      book_.note_settled(record);
    else if (order.batch)
      book_.note_concluded(order.batch);
    book_.note_reach(core::known_delta(order.held_before, verdict.row.target),
                     core::withdrew(op, verdict.outcome.kind));
    book_.note_row(std::move(verdict.row), record, order.ticket);
    break;
  case verdict::kind::unknown:
    keep_unknown(order, verdict.settle_at);
    book_.note_row(std::move(verdict.row), record, order.ticket);
    break;
  case verdict::kind::postponed:
    book_.note_postponed({record, verdict.settle_at, order.settle_attempts});
    book_.note_settled_later(record);
    break;
  default:
    wait_again(key, order, verdict);
    return;
  }
  orders_.erase(key);
}

/// Its intent outlives its batch: a row of its own until it is settled.
void call_desk::keep_unknown(const order& order, std::optional<core::timestamp> settle_at) {
  if (order.settles) {
    book_.note_postponed({order.about.record.id, settle_at, order.settle_attempts});
    return;
  }
  auto intent = intent_of(order);
  intent.settle_at = settle_at;
  intent.settle_attempts = order.settle_attempts;
  book_.note_kept(std::move(intent));
  if (order.batch)
    book_.note_concluded(order.batch);
}

void call_desk::wait_again(order_key key, order& order, const verdict& verdict) {
  if (withdrawn_ || letting_go_)
    give_up(key);
  else
    waiting_.push_front(key);
  switch (verdict.what) {
  case verdict::kind::waits:
    return_grants(); // what was granted before the connection was blocked counts no more
    if (verdict.outcome.kind == outcome_kind::rate_limited) {
      self_->send(links_.throttle,
                  m::connection_rate_limited{verdict.outcome.wait, links_.node->time->wall()});
      self_->send(links_.node->courier, m::hold_back_calls{target_});
    }
    break;
  case verdict::kind::new_token:
    if (withdrawn_ || letting_go_)
      break;
    order.token_renewed = true;
    refused_token_ = order.token;
    if (token_ == refused_token_)
      token_.clear();
    break;
  case verdict::kind::connection_fault:
    telemetry::log(telemetry::event::connection_refused, "sync_rule",
                   {{"rule", std::to_string(delivery_.rule().id.value)},
                    {"connection", std::to_string(target_.value)},
                    {"reason", verdict.outcome.error}});
    self_->send(links_.node->recorder, m::record_connection_fault{target_, verdict.outcome.error});
    trouble_({core::run_ending::faulted, "the target refused the credentials: " + verdict.outcome.error, {}});
    break;
  default:
    break;
  }
}

void call_desk::report_signals() {
  if (account_.says_nothing())
    trial_out_ = false; // an answer that says nothing about the target: the trial may be made again
  auto stretches = account_.take_news(trial_);
  if (stretches.empty())
    return;
  auto answered = [this, life = life_](const m::clearance& answer) {
    if (life.expired())
      return;
    if (answer.kind == m::clearance_kind::refused) {
      trouble_({core::run_ending::breaker_open, "the target connection's circuit is open", answer.retry_at});
      return;
    }
    trial_ = trial_out_ = false;
    pump();
  };
  auto failed = [this, life = life_](const caf::error& error) {
    if (!life.expired())
      trouble_({core::run_ending::faulted, "the breaker did not answer: " + describe(error), {}});
  };
  m::request(self_, links_.node->breaker, links_.node->settings->actors.request_timeout,
             m::calls_judged{target_, std::move(stretches)}, answered, failed);
}

} // namespace sluice::actors
