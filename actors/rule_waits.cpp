#include "actors/rule_asking.hpp"
#include "actors/rule_chain.hpp"

#include <caf/typed_event_based_actor.hpp>

/// What a rule_chain waits for by the clock: budget, steps that take too long, its backfill's turn, rows that
/// fall due.
namespace sluice::actors {

namespace m = messages;

void rule_chain::plan_alarm() {
  auto pause = desk_->paused_until();
  if (pause && pause != alarm_for_pause_) {
    alarm_for_pause_ = pause;
    self_->send(links_.node->alarm,
                m::set_timer{*pause - links_.node->time->steady(), {pause_token}, m::sync_rule{self_}});
  }
  if (!steps_watched_ && !desk_->quiet()) {
    steps_watched_ = true;
    self_->send(links_.node->alarm, m::set_timer{settings_.step_timeout, {step_token}, m::sync_rule{self_}});
  }
}

void rule_chain::on_alarm(m::alarm_token token) {
  if (!desk_ || ending_)
    return;
  if (token.value == step_token) {
    watch_steps();
    return;
  }
  if (token.value == turn_token) {
    pump();
    return;
  }
  if (token.value == due_token) {
    on_due_alarm();
    return;
  }
  auto pause = desk_->paused_until();
  if (pause && *pause <= links_.node->time->steady()) {
    desk_->resume();
    pump();
  }
}

void rule_chain::watch_steps() {
  steps_watched_ = false;
  auto since = desk_->silent_since();
  if (since && links_.node->time->steady() - *since >= settings_.step_timeout)
    trouble({core::run_ending::faulted, "none of its calls was answered within step_timeout", {}});
  else
    plan_alarm();
}

/// A backfill may take hours: its chain does not leave what falls due meanwhile to the next one.
void rule_chain::find_next_due() {
  if (cursor_.backfill_until)
    ask_reader<m::next_due_read>(m::read_next_due{rule_id_}, &rule_chain::on_next_due);
}

void rule_chain::watch_due(std::optional<core::timestamp> at) {
  if (!at || !cursor_.backfill_until || (due_at_ && *due_at_ <= *at))
    return;
  due_at_ = at;
  self_->send(links_.node->alarm, m::set_alarm{*at, {due_token}, m::sync_rule{self_}});
}

void rule_chain::on_due_alarm() {
  if (!due_at_ || links_.node->time->wall() < *due_at_)
    return; // of an alarm set before a nearer one
  due_at_.reset();
  static_cast<void>(drain_again());
}

} // namespace sluice::actors
