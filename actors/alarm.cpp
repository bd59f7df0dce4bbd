#include "actors/alarm.hpp"

#include <algorithm>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

constexpr core::duration longest_sleep = std::chrono::seconds{1};

} // namespace

m::alarm::behavior_type alarm_state::behavior(const core::time_source& time) {
  time_ = &time;
  return {
      [this](m::set_alarm& ask) { on_set_alarm(ask); },
      [this](m::set_timer& ask) { on_set_timer(ask); },
      [this](m::alarm_tick) { on_alarm_tick(); },
  };
}

void alarm_state::on_set_alarm(m::set_alarm& ask) {
  alarms_.push({ask.at.time_since_epoch(), set_count_++, ask.token, std::move(ask.listener)});
  ring_due();
  plan_tick();
}

void alarm_state::on_set_timer(m::set_timer& ask) {
  timers_.push({time_->steady() + ask.after, set_count_++, ask.token, std::move(ask.listener)});
  ring_due();
  plan_tick();
}

void alarm_state::on_alarm_tick() {
  tick_planned_for_ = core::duration::max();
  ring_due();
  plan_tick();
}

void alarm_state::ring_due() {
  ring(alarms_, time_->wall().time_since_epoch());
  ring(timers_, time_->steady());
}

void alarm_state::ring(heap& settings, core::duration now) {
  while (!settings.empty() && settings.top().at <= now) {
    self_->send(settings.top().listener, m::alarm_rang{settings.top().token});
    settings.pop();
  }
}

void alarm_state::plan_tick() {
  if (alarms_.empty() && timers_.empty())
    return;
  auto steady = time_->steady();
  auto wait = longest_sleep;
  if (!alarms_.empty())
    wait = std::min(wait, alarms_.top().at - time_->wall().time_since_epoch());
  if (!timers_.empty())
    wait = std::min(wait, timers_.top().at - steady);
  wait = std::max(wait, core::duration{1});
  auto planned_is_soon_enough = tick_planned_for_ <= steady + wait && tick_planned_for_ > steady;
  if (planned_is_soon_enough)
    return;
  tick_planned_for_ = steady + wait;
  self_->delayed_send(self_, wait, m::alarm_tick{});
}

m::alarm::behavior_type alarm(m::alarm::stateful_pointer<alarm_state> self, const core::time_source& time) {
  return self->state.behavior(time);
}

} // namespace sluice::actors
