#include "actors/replayer.hpp"

#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <caf/typed_response_promise.hpp>

#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

void log_replay(telemetry::event what, const core::replay_job& job) {
  telemetry::log(what, replayer_state::name,
                 {{"subscription", std::to_string(job.subscription.value)},
                  {"replay", job.public_id},
                  {"deliveries", std::to_string(job.live() ? job.counted : job.done)},
                  {"by", job.ended_by.empty() ? job.started_by : job.ended_by}});
}

} // namespace

m::replayer::behavior_type replayer_state::behavior(replayer_resources resources) {
  resources_ = std::move(resources);
  self_->send(self_, m::continue_replays{});
  return {
      [this](m::start_replay& ask) { return on_start_replay(ask); },
      [this](m::cancel_replay& ask) { return on_cancel_replay(ask); },
      [this](m::continue_replays) { on_continue_replays(); },
      [this](m::alarm_rang rang) { on_alarm_rang(rang); },
  };
}

/// One whose answer did not come may have begun all the same.
caf::result<core::replay_job> replayer_state::on_start_replay(m::start_replay& ask) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<core::replay_job>>();
  auto started = [this, answer](core::replay_job& job) mutable {
    log_replay(telemetry::event::replay_started, job);
    answer.deliver(std::move(job));
    go_on();
  };
  auto failed = [this, answer](caf::error& error) mutable {
    answer.deliver(std::move(error));
    go_on();
  };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout,
             m::record_replay_start{std::move(ask.start)}, std::move(started), std::move(failed));
  return answer;
}

/// A batch that is out is written before it or finds no replay: the recorder serves one after the other.
caf::result<core::replay_job> replayer_state::on_cancel_replay(m::cancel_replay& ask) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<core::replay_job>>();
  auto cancelled = [answer](core::replay_job& job) mutable {
    log_replay(telemetry::event::replay_ended, job);
    answer.deliver(std::move(job));
  };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout,
             m::record_replay_cancel{ask.subscription, std::move(ask.public_id), std::move(ask.by)},
             std::move(cancelled), std::move(failed));
  return answer;
}

/// While it works the batch that is out, or the one after it, meets what has begun: the recorder answers in
/// the order in which it was asked.
void replayer_state::go_on() {
  if (!std::exchange(working_, true))
    step();
}

void replayer_state::step() {
  auto done = [this](const core::replay_step& answer) { on_step(answer); };
  auto failed = [this](const caf::error& error) {
    telemetry::log(telemetry::event::replay_waits, name, {{"reason", describe(error)}});
    wait();
  };
  const auto& settings = *resources_.node->settings;
  m::request(self_, resources_.node->recorder, settings.actors.request_timeout,
             m::record_replay_step{last_id_, settings.subscriptions.fan_out_deliveries_max}, done, failed);
}

void replayer_state::on_step(const core::replay_step& done) {
  if (!done.job) {
    working_ = false;
    return;
  }
  last_id_ = done.job->id;
  if (done.deliveries > 0)
    self_->send(resources_.pushes, m::deliveries_written{{done.job->subscription}});
  if (!done.job->live())
    log_replay(telemetry::event::replay_ended, *done.job);
  step();
}

/// A batch whose answer did not come may be written all the same: the next one begins behind it, and the
/// push_dispatcher finds what it was not told of when it next lists what is due.
void replayer_state::wait() {
  self_->send(resources_.node->alarm,
              m::set_timer{resources_.node->settings->delivery.dispatch_interval, {}, m::replayer{self_}});
}

core::replay_limits replay_limits_of(const config::subscription_settings& settings) {
  return {settings.replay_deliveries_max, settings.replay_window_max};
}

m::replayer::behavior_type replayer(m::replayer::stateful_pointer<replayer_state> self,
                                    replayer_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
