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
      [this](m::alarm_tick) { on_alarm_tick(); },
  };
}

void alarm_state::on_set_alarm(m::set_alarm& ask) {
  heap_.push({ask.at, set_count_++, ask.token, std::move(ask.listener)});
  ring_due();
  plan_tick();
}

void alarm_state::on_alarm_tick() {
  tick_planned_for_ = core::duration::max();
  ring_due();
  plan_tick();
}

void alarm_state::ring_due() {
  auto now = time_->wall();
  while (!heap_.empty() && heap_.top().at <= now) {
    self_->send(heap_.top().listener, m::alarm_rang{heap_.top().token});
    heap_.pop();
  }
}

void alarm_state::plan_tick() {
  if (heap_.empty())
    return;
  auto wait = std::clamp(heap_.top().at - time_->wall(), core::duration{1}, longest_sleep);
  auto steady = time_->steady();
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
