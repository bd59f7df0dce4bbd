#include "actors/throttle.hpp"

#include "messages/request.hpp"

#include <algorithm>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

/// How long who could not be served for want of the database is told to wait.
constexpr core::duration database_pause = std::chrono::seconds{1};

/// The limit comes with the first request. Until then any will do but none: an unlimited window forgets when
/// calls ended, and a restart would spend their slots twice.
constexpr std::int64_t limit_not_known_yet = 1;

} // namespace

m::throttle::behavior_type throttle_state::behavior(throttle_resources resources) {
  resources_ = std::move(resources);
  waits_ = &resources_.metrics->throttle_waits.of(resources_.connection)();
  blocks_ = &resources_.metrics->throttle_blocks.of(resources_.connection)();
  load();
  return {
      [this](const m::request_budget& ask) { return on_request_budget(ask); },
      [this](const m::calls_ended& told) { on_calls_ended(told); },
      [this](const m::budget_returned& told) { on_budget_returned(told); },
      [this](const m::connection_rate_limited& told) { on_connection_rate_limited(told); },
      [this](const m::caller_died& told) { on_caller_died(told); },
  };
}

void throttle_state::load() {
  auto loaded = [this](m::window_loaded& window) {
    auto now = resources_.time->wall();
    if (window.text)
      window_ = core::request_window::from_text(*window.text, limit_not_known_yet, now)
                    .value_or(core::request_window{});
    loaded_ = true;
    serve_waiting();
  };
  auto failed = [this](const caf::error&) {
    for (auto& each : std::exchange(waiting_, {}))
      refuse_for_now(each.promise);
  };
  m::request(self_, resources_.reader, resources_.settings->actors.request_timeout,
             m::load_window{resources_.connection}, loaded, failed);
}

caf::result<m::budget_granted> throttle_state::on_request_budget(const m::request_budget& ask) {
  auto promise = self_->make_response_promise<budget_promise>();
  if (!loaded_) {
    if (waiting_.empty())
      load();
    waiting_.push_back({ask, promise});
    return promise;
  }
  asker to{ask, promise};
  grant(to);
  return promise;
}

void throttle_state::serve_waiting() {
  for (auto& each : std::exchange(waiting_, {}))
    grant(each);
}

void throttle_state::grant(asker& to) {
  window_.set_limit(to.ask.per_minute);
  auto granted = window_.take(to.ask.wanted, resources_.time->wall());
  m::budget_granted answer{granted.now, granted.rest_at};
  if (granted.now > 0)
    held_[to.ask.rule] += granted.now;
  else
    waits_->add();
  if (to.ask.per_minute == 0 || granted.now == 0)
    to.promise.deliver(answer);
  else
    keep_then_answer(to.ask.rule, to.promise, answer);
}

void throttle_state::keep_then_answer(core::rule_id rule, budget_promise promise, m::budget_granted answer) {
  auto kept = [promise, answer]() mutable { promise.deliver(answer); };
  auto failed = [this, rule, promise, answer](const caf::error&) mutable {
    window_.give_back(release(rule, answer.granted));
    refuse_for_now(promise);
  };
  m::request(self_, resources_.recorder, resources_.settings->actors.request_timeout,
             m::record_window{resources_.connection, window_.to_text()}, kept, failed);
}

void throttle_state::refuse_for_now(budget_promise& promise) {
  promise.deliver(m::budget_granted{0, resources_.time->wall() + database_pause});
}

void throttle_state::on_calls_ended(const m::calls_ended& told) {
  window_.end(release(told.rule, told.count), told.ended_at);
}

void throttle_state::on_budget_returned(const m::budget_returned& told) {
  window_.give_back(release(told.rule, told.count));
}

void throttle_state::on_caller_died(const m::caller_died& told) {
  auto held = held_[told.rule];
  window_.end(release(told.rule, held), resources_.time->wall());
}

/// What of `count` the rule really held: a late word of a life that is over must not free another's slots.
std::int64_t throttle_state::release(core::rule_id rule, std::int64_t count) {
  auto found = held_.find(rule);
  if (found == held_.end())
    return 0;
  auto released = std::min(count, found->second);
  found->second -= released;
  if (found->second == 0)
    held_.erase(found);
  return released;
}

void throttle_state::on_connection_rate_limited(const m::connection_rate_limited& told) {
  blocks_->add();
  const auto& limits = resources_.settings->throttle;
  auto wait = std::min(told.wait.value_or(limits.default_block), limits.max_block);
  window_.block(told.answered_at + wait, told.answered_at);
  auto kept = [] {};
  auto not_kept = [](const caf::error&) {}; // the block holds in this life; a restart meets the next 429
  m::request(self_, resources_.recorder, resources_.settings->actors.request_timeout,
             m::record_window{resources_.connection, window_.to_text()}, kept, not_kept);
}

m::throttle::behavior_type throttle(m::throttle::stateful_pointer<throttle_state> self,
                                    throttle_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
