#include "actors/call_desk.hpp"

#include "actors/reply.hpp"
#include "messages/request.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <utility>

namespace sluice::actors {

namespace m = messages;

call_desk::call_desk(m::sync_rule::pointer self, const rule_links& links, record_delivery& delivery,
                     core::connection_id target, outcome_book& book, std::weak_ptr<void> life,
                     std::function<void()> moved, trouble_sink trouble)
    : self_(self), links_(links), delivery_(delivery), target_(target), book_(book), life_(std::move(life)),
      moved_(std::move(moved)), trouble_(std::move(trouble)) {}

void call_desk::add(order order) {
  auto key = next_key_++;
  orders_.emplace(key, std::move(order));
  waiting_.push_back(key);
}

void call_desk::pump() {
  if (withdrawn_ || waiting_.empty() || !book_.run_open() || paused_until_)
    return;
  if (delivery_.traits().needs_token && token_.empty()) {
    ask_for_token();
    return;
  }
  if (granted_ == 0)
    ask_for_budget();
  else
    place_granted();
}

void call_desk::ask_for_budget() {
  if (budget_asked_ || trial_out_)
    return;
  budget_asked_ = true;
  auto wanted = trial_ ? 1 : static_cast<std::int64_t>(waiting_.size());
  auto answered = [this, life = life_](const m::budget_granted& answer) {
    if (!life.expired())
      on_budget(answer);
  };
  auto failed = [this, life = life_](const caf::error& error) {
    if (!life.expired())
      trouble_({core::run_ending::faulted, "the throttle did not answer: " + describe(error), {}});
  };
  m::request(self_, links_.throttle, links_.node->settings->actors.request_timeout,
             m::request_budget{delivery_.rule().id, wanted, delivery_.traits().requests_per_minute}, answered,
             failed);
}

void call_desk::on_budget(const m::budget_granted& answer) {
  budget_asked_ = false;
  granted_ += answer.granted;
  if (withdrawn_) {
    withdraw();
    moved_();
  } else if (answer.granted > 0) {
    place_granted();
  } else {
    rest_until(answer.rest_at.value_or(links_.node->time->wall() + std::chrono::seconds{1}));
  }
}

void call_desk::rest_until(core::timestamp at) {
  auto wait = at - links_.node->time->wall();
  if (wait > links_.node->settings->throttle.max_wait) {
    trouble_({core::run_ending::throttled, "the target connection's budget is spent", at});
    return;
  }
  paused_until_ = links_.node->time->steady() + wait;
  moved_();
}

void call_desk::ask_for_token() {
  if (std::exchange(token_asked_, true))
    return;
  auto answered = [this, life = life_](m::token_told& answer) {
    if (!life.expired())
      on_token(answer);
  };
  auto failed = [this, life = life_](const caf::error& error) {
    if (!life.expired())
      trouble_({core::run_ending::faulted, "no access token: " + describe(error), {}});
  };
  m::request(self_, links_.token_keeper, links_.node->settings->actors.request_timeout,
             m::ask_token{delivery_.rule().id, refused_token_}, answered, failed);
}

void call_desk::on_token(m::token_told& answer) {
  token_asked_ = false;
  if (!answer.fault) {
    token_ = std::move(answer.token);
    pump();
  } else if (answer.fault->kind == core::outcome_kind::rate_limited) {
    rest_until(links_.node->time->wall() + answer.fault->wait.value_or(std::chrono::seconds{1}));
  } else {
    trouble_({core::run_ending::faulted, "no access token: " + answer.fault->error, {}});
  }
}

/// Creates whose outcome could be settled without a person may have their intents made well ahead; the others
/// at most as far ahead as calls may be out, so that a crash leaves a person little to look at.
bool call_desk::room_for_create() const {
  return delivery_.can_settle()
         || unanswered_intents_ < std::int64_t{2} * links_.node->settings->calls.max_in_flight;
}

void call_desk::place_granted() {
  std::vector<order_key> with_intents;
  std::vector<order_key> others;
  while (granted_ > 0 && !waiting_.empty()) {
    auto key = waiting_.front();
    auto& order = orders_.at(key);
    auto makes_intent = order.needs_intent && !order.settles && !order.batch;
    if (makes_intent && order.op == core::operation::create && !room_for_create())
      break;
    if (order.needs_intent)
      ++unanswered_intents_;
    (makes_intent ? with_intents : others).push_back(key);
    waiting_.pop_front();
    --granted_;
    trial_out_ = trial_;
  }
  if (!others.empty())
    place(others);
  if (!with_intents.empty())
    make_intents(with_intents);
}

core::intent call_desk::intent_of(const order& order) const {
  core::intent intent;
  intent.record = order.about.record.id;
  intent.source_id = order.about.record.source_id;
  intent.content_changed_at = order.version;
  intent.create_generation = order.about.row ? order.about.row->create_generation : 0;
  intent.row_version = order.about.row ? order.about.row->row_version : 0;
  intent.op = order.op;
  intent.run = book_.run();
  intent.made_at = order.made_at;
  if (!order.body.empty()) { // without its bytes the key is of no use
    intent.idempotency_key = order.key;
    if (!order.key.empty())
      intent.body = order.body;
  }
  return intent;
}

void call_desk::make_intents(const std::vector<order_key>& keys) {
  m::record_intents ask{delivery_.rule().id, {}};
  ask.intents.reserve(keys.size());
  auto now = links_.node->time->wall();
  for (auto key : keys) {
    auto& order = orders_.at(key);
    order.made_at = now;
    ask.intents.push_back(intent_of(order));
  }
  auto made = [this, life = life_, keys](const m::intents_recorded& recorded) {
    if (life.expired())
      return;
    for (auto key : keys)
      orders_.at(key).batch = recorded.batch;
    book_.open_batch(recorded.batch, keys.size());
    if (withdrawn_ || letting_go_)
      give_up_granted(keys);
    else
      place(keys);
  };
  auto failed = [this, life = life_, keys](const caf::error& error) {
    if (life.expired())
      return;
    give_up_granted(keys);
    trouble_({core::run_ending::faulted, "intents could not be recorded: " + describe(error), {}});
  };
  m::request(self_, links_.node->recorder, links_.node->settings->actors.request_timeout, std::move(ask),
             std::move(made), failed);
}

void call_desk::place(const std::vector<order_key>& keys) {
  m::place_calls ask{m::sync_rule{self_}, {}};
  ask.calls.reserve(keys.size());
  auto now = links_.node->time->steady();
  for (auto key : keys) {
    auto& order = orders_.at(key);
    order.placed_at = now;
    ask.calls.push_back({{key}, delivery_.rule().id, target_, delivery_.request(order, token_)});
  }
  self_->send(links_.node->courier, std::move(ask));
}

void call_desk::withdraw() {
  withdrawn_ = true;
  return_grants();
  if (std::exchange(trial_, false) && !trial_out_)
    self_->send(links_.node->breaker, m::trial_unused{target_});
  for (auto key : std::exchange(waiting_, {}))
    give_up(key);
  if (!orders_.empty())
    self_->send(links_.node->courier, m::withdraw_calls{delivery_.rule().id});
}

void call_desk::let_go() {
  letting_go_ = true;
  return_grants();
  for (auto key : std::exchange(waiting_, {}))
    give_up(key);
  if (!orders_.empty())
    self_->send(links_.node->courier, m::withdraw_calls{delivery_.rule().id});
}

void call_desk::return_grants() {
  if (granted_ > 0)
    self_->send(links_.throttle, m::budget_returned{delivery_.rule().id, std::exchange(granted_, 0)});
}

void call_desk::give_up_granted(const std::vector<order_key>& keys) {
  self_->send(links_.throttle,
              m::budget_returned{delivery_.rule().id, static_cast<std::int64_t>(keys.size())});
  for (auto key : keys)
    give_up(key);
  moved_();
}

/// The order never left, or came back unmade: its record is offered again by the next chain. What was to be
/// settled is due at once, for an intent without a time waits for a person.
void call_desk::give_up(order_key key) {
  auto& order = orders_.at(key);
  if (order.reactivated) {
    keep_reactivated(order);
    orders_.erase(key);
    return;
  }
  if (order.settles)
    book_.note_postponed({order.about.record.id, links_.node->time->wall(), order.settle_attempts});
  else if (order.batch)
    book_.note_withdrawn({order.batch, order.about.record.id});
  book_.let_go(order.about.record.id);
  orders_.erase(key);
}

/// Its target is active again. Were the row to go on saying inactive, a deletion that comes before the update
/// would find nothing to withdraw.
void call_desk::keep_reactivated(order& order) {
  auto row = std::move(*order.about.row);
  ++row.row_version;
  ++book_.counts().reactivated;
  if (order.batch)
    book_.note_concluded(order.batch);
  book_.note_row(std::move(row), order.about.record.id, order.ticket);
}

std::optional<core::duration> call_desk::silent_since() const {
  std::optional<core::duration> oldest;
  for (const auto& [key, order] : orders_) {
    if (order.placed_at != core::duration{} && (!oldest || order.placed_at < *oldest))
      oldest = order.placed_at;
  }
  return oldest ? std::optional{std::max(*oldest, answered_at_)} : std::nullopt;
}

} // namespace sluice::actors
