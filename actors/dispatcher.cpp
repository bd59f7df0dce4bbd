#include "actors/dispatcher.hpp"

#include "actors/mailbox_depth.hpp"
#include "actors/reply.hpp"
#include "messages/request.hpp"

#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

/// The two clocks are read one after the other, so that their distance is never quite the same.
constexpr core::duration felt_jump = std::chrono::seconds{1};

caf::error why_no_actor(core::rule_id rule, const std::vector<core::rule_facts>& found) {
  if (found.empty())
    return caf::make_error(m::fault::not_found,
                           "rule " + std::to_string(rule.value) + " is no push-out rule");
  const auto& name = found.front().name;
  if (found.front().active)
    return caf::make_error(m::fault::refused, "rule " + name + " was switched on a moment ago: try again");
  return caf::make_error(m::fault::refused, "rule " + name + " is switched off: switch it on first");
}

} // namespace

m::dispatcher::behavior_type dispatcher_state::behavior(dispatcher_resources resources) {
  resources_ = std::move(resources);
  const auto& settings = *resources_.node->settings;
  schedule_ =
      core::rule_schedule{{settings.delivery.sweep_interval, settings.delivery.dispatch_interval,
                           static_cast<std::size_t>(settings.delivery.chains_max), resources_.first_sweep}};
  self_->set_down_handler([this](const caf::down_msg& down) { on_down(down); });
  self_->send(resources_.node->recorder, m::abandon_runs{}); // of an earlier life of this node
  if (resources_.notifications)
    self_->send(resources_.notifications, m::rules_here{m::dispatcher{self_}});
  load_stops();
  self_->send(self_, m::dispatch_tick{});
  return {
      [this](const m::chain_ended& told) { on_chain_ended(told); },
      [this](m::chain_wanted told) { on_chain_wanted(told); },
      [this](m::references_made told) { on_references_made(told); },
      [this](const m::creates_due& told) { on_creates_due(told); },
      [this](const m::set_stop& ask) { return on_set_stop(ask); },
      [this](m::end_stop& ask) { return on_end_stop(ask); },
      [this](m::start_backfill& act) { return hand_on<core::delivery_cursor>(act.start.rule, act); },
      [this](m::abort_backfill& act) { return hand_on<core::delivery_cursor>(act.rule, act); },
      [this](m::release_hold& act) { return hand_on<core::delivery_stop>(act.rule, act); },
      [this](m::discard_hold& act) { return hand_on<core::delivery_stop>(act.rule, act); },
      [this](m::offer_record& act) { return hand_on<core::ledger_row>(act.rule, act); },
      [this](m::start_job& act) { return on_start_job(act); },
      [this](m::cancel_job& act) { return hand_on<core::rule_job>(act.rule, act); },
      [this](m::link_record& act) { return hand_on<core::ledger_row>(act.rule, act); },
      [this](m::link_records& act) { return hand_on<core::links_recorded>(act.rule, act); },
      [this](m::resend_record& act) { return hand_on<core::ledger_row>(act.rule, act); },
      [this](const m::find_target& ask) { return on_find_target(ask); },
      [this](m::changes_hinted) { on_changes_hinted(); },
      [this](m::await_idle) { return on_await_idle(); },
      [this](m::shut_down) { return on_shut_down(); },
      [this](m::dispatch_tick) { on_dispatch_tick(); },
      [this](m::alarm_rang rang) { on_alarm_rang(rang); },
  };
}

template <class Answer, class Act>
caf::result<Answer> dispatcher_state::hand_on(core::rule_id rule, Act& act) {
  auto found = rules_.find(rule);
  if (found == rules_.end() || !schedule_.listed(rule))
    return refuse_act<Answer>(rule);
  return self_->delegate(found->second.actor, std::move(act));
}

caf::result<core::rule_job> dispatcher_state::on_start_job(m::start_job& act) {
  if (schedule_.listed(act.start.rule))
    jobs_.insert(act.start.rule);
  return hand_on<core::rule_job>(act.start.rule, act);
}

/// A rule that is off has no actor, and only its actor may write its rows.
template <class Answer>
caf::result<Answer> dispatcher_state::refuse_act(core::rule_id rule) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<Answer>>();
  auto read = [answer, rule](const m::health_read& found) mutable {
    answer.deliver(why_no_actor(rule, found.rules));
  };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, resources_.readers.front(), resources_.node->settings->actors.request_timeout,
             m::read_health{rule}, read, failed);
  return answer;
}

void dispatcher_state::on_chain_ended(const m::chain_ended& told) {
  schedule_.chain_ended({told.rule, told.ending, told.seen_counter, told.next_due, told.retry_at}, now());
  looked_idle_ = false;
  start_ready();
}

void dispatcher_state::on_chain_wanted(m::chain_wanted told) {
  schedule_.hurry(told.rule, now());
  looked_idle_ = false;
  start_ready();
}

/// A dependent whose chain runs may be past its drain, and only a drain offers what waits for a parent.
void dispatcher_state::on_references_made(m::references_made told) {
  auto found = dependents_.find(told.rule);
  if (found == dependents_.end())
    return;
  for (auto dependent : found->second) {
    if (schedule_.running(dependent))
      self_->send(rules_.at(dependent).actor, m::rows_due{});
    else
      schedule_.hurry(dependent, now());
  }
  start_ready();
}

/// The rule settles them, in the chain that runs or in its next one; a rule that is switched off when it is
/// on again.
void dispatcher_state::on_creates_due(const m::creates_due& told) {
  for (auto rule : told.rules)
    if (const auto found = rules_.find(rule); found != rules_.end())
      self_->send(found->second.actor, m::rows_due{});
}

m::target_found dispatcher_state::on_find_target(const m::find_target& ask) {
  const auto& found = actors_of(ask.connection);
  return {found.throttle, found.token_keeper};
}

void dispatcher_state::on_changes_hinted() {
  look_for_changes();
}

caf::result<void> dispatcher_state::on_await_idle() {
  auto answer = self_->make_response_promise<promise>();
  await_idle_.push_back(answer);
  answer_waiting();
  return answer;
}

caf::result<void> dispatcher_state::on_shut_down() {
  auto answer = self_->make_response_promise<promise>();
  shut_down_.push_back(answer);
  if (!std::exchange(stopping_, true)) {
    for (auto rule : schedule_.running_rules())
      self_->send(rules_.at(rule).actor, m::stop_chain{});
  }
  answer_waiting();
  return answer;
}

void dispatcher_state::on_dispatch_tick() {
  if (stopping_)
    return;
  watch_clock();
  load_stops();
  write_heartbeat();
  look_for_changes();
  clean_up();
  auto interval = resources_.node->settings->delivery.dispatch_interval;
  self_->send(resources_.node->alarm, m::set_timer{interval, {tick_token}, m::dispatcher{self_}});
}

/// Sweeps and pauses are planned by the wall clock: one that was set back would put them off.
void dispatcher_state::watch_clock() {
  auto ahead = now().time_since_epoch() - resources_.node->time->steady();
  auto before = std::exchange(wall_ahead_, ahead);
  if (!before || *before - ahead < felt_jump)
    return;
  schedule_.clock_set_back(*before - ahead);
  start_ready();
}

void dispatcher_state::on_alarm_rang(m::alarm_rang rang) {
  if (rang.token.value == tick_token) {
    on_dispatch_tick();
    return;
  }
  alarm_at_.reset();
  start_ready();
}

void dispatcher_state::start_ready() {
  if (!stopping_ && stops_known_) {
    for (auto rule : schedule_.take_ready(now()))
      self_->send(rules_.at(rule).actor, m::start_chain{});
    plan_alarm();
  }
  auto& metrics = *resources_.node->metrics;
  metrics.chains_running.set(static_cast<double>(schedule_.running_count()));
  show_mailbox_depth(self_, metrics, telemetry::central_actor::dispatcher);
  answer_waiting();
}

void dispatcher_state::plan_alarm() {
  auto at = schedule_.next_time();
  if (!at || (alarm_at_ && *alarm_at_ <= *at))
    return;
  alarm_at_ = at;
  self_->send(resources_.node->alarm, m::set_alarm{*at, {due_token}, m::dispatcher{self_}});
}

void dispatcher_state::answer_waiting() {
  auto tell = [](std::vector<promise>& waiting) {
    for (auto& each : std::exchange(waiting, {}))
      static_cast<caf::response_promise&>(each).deliver(caf::unit);
  };
  if (stopping_ && schedule_.running_count() == 0)
    tell(shut_down_);
  if (await_idle_.empty() || !stops_known_ || looks_ > 0 || !configuration_version_ || !schedule_.idle(now()))
    return;
  if (looked_idle_)
    tell(await_idle_);
  else if (!look_failed_)
    look_for_changes(); // the last word is the database's
}

m::dispatcher::behavior_type dispatcher(m::dispatcher::stateful_pointer<dispatcher_state> self,
                                        dispatcher_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
