#include "actors/notification_dispatcher.hpp"

#include "actors/reconciler.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

/// Before a profile whose calls were not let go tries again, where no stop says why.
constexpr core::duration held_back_pause = std::chrono::seconds{1};

adapter_maker providers_own() {
  return
      [](const core::provider_profile& profile) { return providers::make_notification_adapter(profile, {}); };
}

} // namespace

notification_dispatcher_state::~notification_dispatcher_state() {
  for (const auto& [profile, actor] : actors_)
    caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  if (reconciler_)
    caf::anon_send_exit(reconciler_, caf::exit_reason::user_shutdown);
}

m::notification_dispatcher::behavior_type
notification_dispatcher_state::behavior(notification_dispatcher_resources resources) {
  resources_ = std::move(resources);
  if (!resources_.make_adapter)
    resources_.make_adapter = providers_own();
  const auto& settings = resources_.node->settings->notifications;
  rota_ = core::sending_rota{
      {static_cast<std::size_t>(settings.active_max), static_cast<std::size_t>(settings.failing_max)}};
  self_->set_down_handler([this](const caf::down_msg& down) { on_down(down); });
  spawn_reconciler();
  self_->send(self_, m::sending_tick{});
  return {
      [this](m::sending_ended& told) { on_sending_ended(told); },
      [this](const m::notifications_due& told) { on_notifications_due(told); },
      [this](m::early_events_found) { on_early_events_found(); },
      [this](m::profiles_changed) { on_profiles_changed(); },
      [this](m::cancel_notification& ask) { return on_cancel_notification(ask); },
      [this](m::settle_notification& ask) { return on_settle_notification(ask); },
      [this](m::rules_here& told) { on_rules_here(told); },
      [this](const m::stop_scope& told) { on_stop_scope(told); },
      [this](const m::resume_scope& told) { on_resume_scope(told); },
      [this](m::stops_told) { on_stops_told(); },
      [this](m::shut_down) { return on_shut_down(); },
      [this](m::sending_tick) { on_sending_tick(); },
      [this](m::alarm_rang rang) { on_alarm_rang(rang); },
  };
}

m::notifier notification_dispatcher_state::notifier_actor(core::provider_profile_id profile) const {
  const auto found = actors_.find(profile);
  return found == actors_.end() ? m::notifier{} : found->second;
}

void notification_dispatcher_state::on_sending_ended(m::sending_ended& told) {
  const auto profile = told.profile;
  if (told.token)
    tokens_[profile] = std::move(*told.token);
  else
    tokens_.erase(profile);
  auto next = told.next_due;
  auto heard = told.heard;
  if (told.held_back)
    next = std::max(next.value_or(now()), now() + held_back_pause);
  if (told.paused_until && *told.paused_until > now()) {
    paused_until_[profile] = *told.paused_until;
    next = std::max(next.value_or(now()), *told.paused_until); // whatever fell due meanwhile is seen then
    heard = std::numeric_limits<std::uint64_t>::max();
  }
  rota_.end_turn({profile, next, told.failing, heard}, now());
  start_ready();
  if (!rota_.running(profile))
    dismiss(profile);
  answer_waiting();
}

void notification_dispatcher_state::on_notifications_due(const m::notifications_due& told) {
  for (const auto& due : told.dues)
    note_due(due.profile, due.at);
  start_ready();
}

void notification_dispatcher_state::on_early_events_found() {
  if (resources_.projections)
    self_->send(resources_.projections, m::events_appended{});
}

/// Whoever changed one may have been another program: those at work look for themselves.
void notification_dispatcher_state::on_profiles_changed() {
  for (const auto& [profile, actor] : actors_)
    self_->send(actor, m::look_at_profile{});
  list_dues();
}

/// Comes before it is known what is stopped, and so before the reconciler begins.
void notification_dispatcher_state::on_rules_here(m::rules_here& told) {
  rules_ = std::move(told.rules);
}

/// Comes before the courier hears of it, so that what it gives back finds a turn that is ending.
void notification_dispatcher_state::on_stop_scope(const m::stop_scope& told) {
  for (const auto profile : rota_.set_stop(told.where))
    end_sending(profile);
}

void notification_dispatcher_state::on_resume_scope(const m::resume_scope& told) {
  rota_.lift_stop(told.where);
  start_ready();
}

void notification_dispatcher_state::on_stops_told() {
  stops_known_ = true;
  if (reconciler_)
    self_->send(reconciler_, m::begin_looks{rules_});
  start_ready();
}

caf::result<void> notification_dispatcher_state::on_shut_down() {
  auto answer = self_->make_response_promise<promise>();
  shut_down_.push_back(answer);
  if (!std::exchange(stopping_, true)) {
    for (const auto profile : rota_.running())
      end_sending(profile);
    self_->send_exit(reconciler_, caf::exit_reason::user_shutdown); // what it asked is asked again
    reconciler_ = m::reconciler{};
  }
  answer_waiting();
  return answer;
}

void notification_dispatcher_state::on_sending_tick() {
  if (stopping_)
    return;
  list_dues();
  clean_up();
  forget_what_is_over();
  start_ready();
  self_->send(resources_.node->alarm, m::set_timer{resources_.node->settings->delivery.dispatch_interval,
                                                   {tick_token},
                                                   m::notification_dispatcher{self_}});
}

void notification_dispatcher_state::on_alarm_rang(m::alarm_rang rang) {
  if (rang.token.value == tick_token) {
    on_sending_tick();
    return;
  }
  alarm_at_.reset();
  start_ready();
}

void notification_dispatcher_state::spawn_reconciler() {
  reconciler_ =
      self_->spawn(actors::reconciler, reconciler_resources{resources_.node, resources_.reader,
                                                            resources_.projections, resources_.make_adapter});
  self_->monitor(reconciler_);
  if (stops_known_)
    self_->send(reconciler_, m::begin_looks{rules_});
}

void notification_dispatcher_state::on_down(const caf::down_msg& down) {
  if (reconciler_ && down.source == reconciler_.address()) {
    telemetry::log(telemetry::event::reconciler_restarted, name);
    spawn_reconciler();
    return;
  }
  const auto found = profile_of_.find(down.source);
  if (found == profile_of_.end())
    return;
  const auto profile = found->second;
  profile_of_.erase(found);
  actors_.erase(profile);
  restart(profile);
}

/// Two lives of one profile's notifier never overlap. What the first had claimed becomes ambiguous when its
/// lease lapses.
void notification_dispatcher_state::restart(core::provider_profile_id profile) {
  auto quiet = [this, profile] {
    telemetry::log(telemetry::event::notifier_restarted, name, {{"profile", std::to_string(profile.value)}});
    rota_.end_turn({profile, now() + held_back_pause, false, 0}, now());
    start_ready();
    answer_waiting();
  };
  auto failed = [this, profile](const caf::error&) { restart(profile); };
  self_->send(resources_.node->courier, m::withdraw_calls{profile});
  m::request(self_, resources_.node->courier, resources_.node->settings->actors.request_timeout,
             m::await_quiet{profile}, quiet, failed);
}

void notification_dispatcher_state::start_ready() {
  if (!stopping_ && stops_known_) {
    for (const auto& turn : rota_.take_ready(now()))
      begin(turn);
    plan_alarm();
  }
  resources_.node->metrics->notifiers_active.set(static_cast<double>(rota_.running_count()));
}

void notification_dispatcher_state::begin(const core::sending_rota::turn& turn) {
  auto& actor = actors_[turn.who];
  if (!actor) {
    actor = self_->spawn(actors::notifier,
                         notifier_resources{turn.who, resources_.node, resources_.reader,
                                            m::notification_dispatcher{self_}, resources_.make_adapter});
    self_->monitor(actor);
    profile_of_[actor.address()] = turn.who;
  }
  m::begin_sending told{turn.failing, std::nullopt};
  if (const auto token = tokens_.find(turn.who); token != tokens_.end())
    told.token = token->second;
  self_->send(actor, std::move(told));
}

void notification_dispatcher_state::dismiss(core::provider_profile_id profile) {
  const auto found = actors_.find(profile);
  if (found == actors_.end())
    return;
  profile_of_.erase(found->second.address());
  self_->send_exit(found->second, caf::exit_reason::user_shutdown);
  actors_.erase(found);
}

core::timestamp notification_dispatcher_state::after_pause(core::provider_profile_id profile,
                                                           core::timestamp at) const {
  const auto paused = paused_until_.find(profile);
  return paused == paused_until_.end() ? at : std::max(at, paused->second);
}

void notification_dispatcher_state::note_due(core::provider_profile_id profile, core::timestamp at) {
  if (!rota_.set_due(profile, after_pause(profile, at), now()))
    return;
  if (const auto found = actors_.find(profile); found != actors_.end())
    self_->send(found->second, m::more_notifications_due{});
}

/// First its actor, which places no call from then on, then the courier, which has those it placed before.
void notification_dispatcher_state::end_sending(core::provider_profile_id profile) {
  const auto found = actors_.find(profile);
  if (found == actors_.end())
    return;
  auto ending = [this, profile] { self_->send(resources_.node->courier, m::withdraw_calls{profile}); };
  auto gone = [](const caf::error&) {}; // a dead actor's calls are withdrawn by restart
  m::request(self_, found->second, resources_.node->settings->actors.request_timeout, m::end_sending{},
             ending, gone);
}

void notification_dispatcher_state::plan_alarm() {
  const auto at = rota_.next_time();
  if (!at || (alarm_at_ && *alarm_at_ <= *at))
    return;
  alarm_at_ = at;
  self_->send(resources_.node->alarm, m::set_alarm{*at, {due_token}, m::notification_dispatcher{self_}});
}

void notification_dispatcher_state::answer_waiting() {
  if (!stopping_ || rota_.running_count() > 0)
    return;
  for (auto& each : std::exchange(shut_down_, {}))
    static_cast<caf::response_promise&>(each).deliver(caf::unit);
}

m::notification_dispatcher::behavior_type
notification_dispatcher(m::notification_dispatcher::stateful_pointer<notification_dispatcher_state> self,
                        notification_dispatcher_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
