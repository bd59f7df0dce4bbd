#include "actors/push_dispatcher.hpp"

#include "actors/fan_out.hpp"
#include "actors/reply.hpp"
#include "actors/subscription.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

/// Before a subscription whose calls were not let go tries again, where no stop says why.
constexpr core::duration held_back_pause = std::chrono::seconds{1};

} // namespace

push_dispatcher_state::~push_dispatcher_state() {
  auto end = [](const auto& actor) { caf::anon_send_exit(actor, caf::exit_reason::user_shutdown); };
  for (const auto& [subscription, actor] : actors_)
    end(actor);
  if (fan_out_)
    end(fan_out_);
  if (replayer_)
    end(replayer_);
}

m::push_dispatcher::behavior_type push_dispatcher_state::behavior(push_dispatcher_resources resources) {
  resources_ = std::move(resources);
  const auto& settings = resources_.node->settings->subscriptions;
  rota_ = core::push_rota{
      {static_cast<std::size_t>(settings.active_max), static_cast<std::size_t>(settings.failing_max)}};
  self_->set_down_handler([this](const caf::down_msg& down) { on_down(down); });
  spawn_fan_out();
  spawn_replayer();
  self_->send(self_, m::push_tick{});
  return {
      [this](const m::turn_ended& told) { on_turn_ended(told); },
      [this](const m::deliveries_written& told) { on_deliveries_written(told); },
      [this](m::subscriptions_changed) { on_subscriptions_changed(); },
      [this](m::change_subscription_status& ask) { return on_change_subscription_status(ask); },
      [this](m::restart_delivery& ask) { return on_restart_delivery(ask); },
      [this](m::start_replay& ask) { return on_start_replay(ask); },
      [this](m::cancel_replay& ask) { return on_cancel_replay(ask); },
      [this](const m::subscription_changed& told) { on_subscription_changed(told); },
      [this](const m::stop_scope& told) { on_stop_scope(told); },
      [this](const m::resume_scope& told) { on_resume_scope(told); },
      [this](m::stops_told) { on_stops_told(); },
      [this](m::changes_hinted) { on_changes_hinted(); },
      [this](m::shut_down) { return on_shut_down(); },
      [this](m::push_tick) { on_push_tick(); },
      [this](m::alarm_rang rang) { on_alarm_rang(rang); },
  };
}

m::subscription push_dispatcher_state::subscription_actor(core::subscription_id subscription) const {
  const auto found = actors_.find(subscription);
  return found == actors_.end() ? m::subscription{} : found->second;
}

void push_dispatcher_state::on_turn_ended(const m::turn_ended& told) {
  auto next = told.next_due;
  if (told.held_back)
    next = std::max(next.value_or(now()), now() + held_back_pause);
  rota_.end_turn({told.subscription, next, told.failing, told.heard}, now());
  start_ready();
  if (!rota_.running(told.subscription))
    dismiss(told.subscription);
  answer_waiting();
}

void push_dispatcher_state::on_deliveries_written(const m::deliveries_written& told) {
  for (const auto subscription : told.subscriptions)
    note_due(subscription, now());
  start_ready();
}

/// Whoever changed one may have been another program: those at work look for themselves.
void push_dispatcher_state::on_subscriptions_changed() {
  for (const auto& [subscription, actor] : actors_)
    self_->send(actor, m::look_at_settings{});
  list_dues();
  refuse_open();
}

caf::result<m::subscription_status_recorded>
push_dispatcher_state::on_change_subscription_status(m::change_subscription_status& ask) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<m::subscription_status_recorded>>();
  auto recorded = [this, answer, subscription = ask.wanted.change.subscription](
                      const m::subscription_status_recorded& done) {
    reach(subscription, [answer, done]() mutable { answer.deliver(done); });
    note_due(subscription, now());
    start_ready();
  };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout,
             std::move(ask.wanted), recorded, failed);
  return answer;
}

void push_dispatcher_state::on_subscription_changed(const m::subscription_changed& told) {
  reach(told.subscription, [] {});
  note_due(told.subscription, now());
  on_changes_hinted();
  start_ready();
}

/// Comes before the courier hears of it, so that what it gives back finds a turn that is ending.
void push_dispatcher_state::on_stop_scope(const m::stop_scope& told) {
  for (const auto subscription : rota_.set_stop(told.where))
    reach(subscription, [] {});
}

void push_dispatcher_state::on_resume_scope(const m::resume_scope& told) {
  rota_.lift_stop(told.where);
  start_ready();
}

void push_dispatcher_state::on_stops_told() {
  stops_known_ = true;
  start_ready();
}

void push_dispatcher_state::on_changes_hinted() {
  if (fan_out_)
    self_->send(fan_out_, m::changes_hinted{});
}

caf::result<void> push_dispatcher_state::on_shut_down() {
  auto answer = self_->make_response_promise<promise>();
  shut_down_.push_back(answer);
  if (!std::exchange(stopping_, true)) {
    for (const auto subscription : rota_.running())
      reach(subscription, [] {});
    self_->send_exit(fan_out_, caf::exit_reason::user_shutdown);
    fan_out_ = m::fan_out{};
    self_->send_exit(replayer_, caf::exit_reason::user_shutdown); // the next life goes on with what it has
    replayer_ = m::replayer{};
  }
  answer_waiting();
  return answer;
}

void push_dispatcher_state::on_push_tick() {
  if (stopping_)
    return;
  const auto& settings = resources_.node->settings->delivery;
  if (now() - listed_at_ >= settings.sweep_interval)
    list_dues();
  clean_up();
  start_ready();
  self_->send(resources_.node->alarm,
              m::set_timer{settings.dispatch_interval, {tick_token}, m::push_dispatcher{self_}});
}

void push_dispatcher_state::on_alarm_rang(m::alarm_rang rang) {
  if (rang.token.value == tick_token) {
    on_push_tick();
    return;
  }
  alarm_at_.reset();
  start_ready();
}

void push_dispatcher_state::spawn_fan_out() {
  fan_out_ = self_->spawn(actors::fan_out,
                          fan_out_resources{resources_.node, resources_.reader, m::push_dispatcher{self_}});
  self_->monitor(fan_out_);
}

void push_dispatcher_state::on_down(const caf::down_msg& down) {
  if (fan_out_ && down.source == fan_out_.address()) {
    telemetry::log(telemetry::event::fan_out_restarted, name);
    spawn_fan_out();
    list_dues(); // it may have written what it told nobody of
    return;
  }
  if (replayer_ && down.source == replayer_.address()) {
    telemetry::log(telemetry::event::replayer_restarted, name);
    spawn_replayer();
    list_dues(); // likewise
    return;
  }
  const auto found = subscription_of_.find(down.source);
  if (found == subscription_of_.end())
    return;
  const auto subscription = found->second;
  subscription_of_.erase(found);
  actors_.erase(subscription);
  restart(subscription);
}

/// Two lives of one subscription never overlap. What the first had claimed is due when its lease lapses.
void push_dispatcher_state::restart(core::subscription_id subscription) {
  auto quiet = [this, subscription] {
    telemetry::log(telemetry::event::subscription_restarted, name,
                   {{"subscription", std::to_string(subscription.value)}});
    rota_.end_turn({subscription, now() + held_back_pause, false, 0}, now());
    start_ready();
    answer_waiting();
  };
  auto failed = [this, subscription](const caf::error&) { restart(subscription); };
  self_->send(resources_.node->courier, m::withdraw_calls{subscription});
  m::request(self_, resources_.node->courier, resources_.node->settings->actors.request_timeout,
             m::await_quiet{subscription}, quiet, failed);
}

void push_dispatcher_state::start_ready() {
  if (!stopping_ && stops_known_) {
    for (const auto& turn : rota_.take_ready(now()))
      begin(turn);
    plan_alarm();
  }
  resources_.node->metrics->subscriptions_active.set(static_cast<double>(rota_.running_count()));
}

void push_dispatcher_state::begin(const core::push_rota::turn& turn) {
  auto& actor = actors_[turn.who];
  if (!actor) {
    actor = self_->spawn(
        actors::subscription,
        subscription_resources{turn.who, resources_.node, resources_.reader, m::push_dispatcher{self_}});
    self_->monitor(actor);
    subscription_of_[actor.address()] = turn.who;
  }
  self_->send(actor, m::begin_turn{turn.failing});
}

void push_dispatcher_state::dismiss(core::subscription_id subscription) {
  const auto found = actors_.find(subscription);
  if (found == actors_.end())
    return;
  subscription_of_.erase(found->second.address());
  self_->send_exit(found->second, caf::exit_reason::user_shutdown);
  actors_.erase(found);
}

void push_dispatcher_state::note_due(core::subscription_id subscription, core::timestamp at, bool failing) {
  if (!rota_.set_due(subscription, at, now(), failing))
    return;
  if (const auto found = actors_.find(subscription); found != actors_.end())
    self_->send(found->second, m::more_due{});
}

/// Its turn, where it has one, ends; `reached` is told once no call of it starts any more. First its actor,
/// which places none from then on, then the courier, which has those it placed before.
void push_dispatcher_state::reach(core::subscription_id subscription, const std::function<void()>& reached) {
  const auto found = actors_.find(subscription);
  if (found == actors_.end()) {
    reached();
    return;
  }
  auto patience = resources_.node->settings->actors.request_timeout;
  auto withdrawn = [reached] { reached(); };
  auto gone = [reached](const caf::error&) { reached(); }; // a dead actor's calls are withdrawn by restart
  auto ending = [this, subscription, patience, withdrawn, gone] {
    m::request(self_, resources_.node->courier, patience, m::withdraw_calls{subscription}, withdrawn, gone);
  };
  m::request(self_, found->second, patience, m::end_turn{}, ending, gone);
}

void push_dispatcher_state::plan_alarm() {
  const auto at = rota_.next_time();
  if (!at || (alarm_at_ && *alarm_at_ <= *at))
    return;
  alarm_at_ = at;
  self_->send(resources_.node->alarm, m::set_alarm{*at, {due_token}, m::push_dispatcher{self_}});
}

void push_dispatcher_state::answer_waiting() {
  if (!stopping_ || rota_.running_count() > 0)
    return;
  for (auto& each : std::exchange(shut_down_, {}))
    static_cast<caf::response_promise&>(each).deliver(caf::unit);
}

m::push_dispatcher::behavior_type
push_dispatcher(m::push_dispatcher::stateful_pointer<push_dispatcher_state> self,
                push_dispatcher_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
