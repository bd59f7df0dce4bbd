#include "actors/subscription.hpp"

#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;

m::subscription::behavior_type subscription_state::behavior(subscription_resources resources) {
  resources_ = std::move(resources);
  random_.seed(static_cast<std::uint32_t>(core::to_us(now()) + resources_.subscription.value));
  return {
      [this](const m::begin_turn& told) { on_begin_turn(told); },
      [this](m::more_due) { on_more_due(); },
      [this](m::look_at_settings) { on_look_at_settings(); },
      [this](m::end_turn) { return on_end_turn(); },
      [this](m::calls_answered& told) { on_calls_answered(told); },
      [this](m::alarm_rang) { on_alarm_rang(); },
  };
}

void subscription_state::on_begin_turn(const m::begin_turn& told) {
  turn_ = {turn_.next(told.failing, resources_.node->time->steady()), {}};
  if (requests_)
    go_on();
  else
    load();
}

void subscription_state::on_more_due() {
  turn_.tell_more();
  go_on();
}

void subscription_state::on_look_at_settings() {
  if (!turn_.active)
    requests_.reset();
  else if (questions_ > 0)
    turn_.look_again = true;
  else
    load();
}

/// What is in flight comes back in its time and is recorded; from here on nothing leaves.
caf::result<void> subscription_state::on_end_turn() {
  requests_.reset();
  turn_.unwanted = true;
  leave();
  go_on();
  return caf::unit;
}

void subscription_state::on_alarm_rang() {
  waiting_ = false;
  record();
  go_on();
}

void subscription_state::load() {
  ++questions_;
  auto found = [this](m::subscription_loaded& answer) {
    --questions_;
    on_loaded(answer);
    go_on();
  };
  auto failed = [this](const caf::error& error) {
    --questions_;
    telemetry::log(
        telemetry::event::push_failed, name,
        {{"subscription", std::to_string(resources_.subscription.value)}, {"reason", describe(error)}});
    turn_.held_back = true;
    leave();
    go_on();
  };
  m::request(self_, resources_.reader, patience(), m::load_subscription{resources_.subscription}, found,
             failed);
}

void subscription_state::on_loaded(m::subscription_loaded& answer) {
  if (turn_.unwanted)
    return;
  if (!answer.found || !may_push(answer.found->settings)) {
    requests_.reset();
    turn_.unwanted = true;
    turn_.disabled = true; // nothing of it is due until somebody changes that
    leave();
  } else if (!requests_ || !requests_->made_of(*answer.found)) {
    requests_.emplace(std::move(*answer.found));
  }
  if (std::exchange(turn_.look_again, false))
    load();
}

/// Nothing is claimed any more, and calls that have not started come back.
void subscription_state::leave() {
  if (std::exchange(turn_.ending, true) && !turn_.unwanted)
    return;
  if (!held_.empty())
    self_->send(resources_.node->courier, m::withdraw_calls{resources_.subscription});
}

void subscription_state::disable(core::disable_cause cause) {
  if (std::exchange(turn_.disabled, true))
    return;
  telemetry::log(telemetry::event::subscription_disabled, name,
                 {{"subscription", std::to_string(resources_.subscription.value)},
                  {"cause", std::string{core::to_string(cause)}}});
  requests_.reset();
  turn_.unwanted = true;
  leave();
}

/// Claims where it may, and ends the turn where nothing is left to wait for.
void subscription_state::go_on() {
  if (!turn_.active)
    return;
  turn_.give_way_after(settings().turn_time, resources_.node->time->steady());
  if (may_claim())
    claim();
  else if (!busy())
    finish();
}

bool subscription_state::may_claim() const {
  if (turn_.ending || !turn_.more || !requests_ || questions_ > 0 || waiting_)
    return false;
  auto lapsed = [at = now()](const auto& each) { return each.second.lease_until <= at; };
  return held_.size() <= turn_.window / 2 && std::ranges::none_of(held_, lapsed);
}

bool subscription_state::busy() const {
  return questions_ > 0 || writes_ > 0 || waiting_ || !held_.empty() || !ended_.empty() || !returned_.empty();
}

void subscription_state::finish() {
  turn_.active = false;
  auto next = turn_.due_at_end(now());
  if (turn_.disabled)
    next.reset();
  self_->send(resources_.pushes,
              m::turn_ended{resources_.subscription, next, turn_.failing, turn_.held_back, turn_.heard});
}

m::subscription::behavior_type subscription(m::subscription::stateful_pointer<subscription_state> self,
                                            subscription_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
