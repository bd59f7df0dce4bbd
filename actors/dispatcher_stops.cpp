#include "actors/dispatcher.hpp"
#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <string>
#include <utility>

/// What people stop, and how the dispatcher makes it hold.
namespace sluice::actors {

namespace m = messages;

/// Until it is known what is stopped, nothing starts; every tick asks again.
void dispatcher_state::load_stops() {
  if (stops_known_ || std::exchange(stops_asked_, true))
    return;
  auto listed = [this](const m::stops_listed& answer) { on_stops_listed(answer); };
  auto failed = [this](const caf::error& error) {
    stops_asked_ = false;
    telemetry::log(telemetry::event::look_failed, name, {{"reason", describe(error)}});
  };
  m::request(self_, resources_.readers.front(), resources_.node->settings->actors.request_timeout,
             m::list_live_stops{}, listed, failed);
}

void dispatcher_state::on_stops_listed(const m::stops_listed& listed) {
  auto held = [this](const caf::error& error) {
    if (error) // the tick asks again
      stops_asked_ = false;
    --stops_unacknowledged_;
    stops_loaded();
  };
  for (const auto& stop : listed.stops) {
    if (stop.cause != core::stop_cause::manual)
      continue; // a hold is the volume breaker's
    ++stops_unacknowledged_;
    hold(stop, held);
  }
  stops_loaded();
}

void dispatcher_state::stops_loaded() {
  if (stops_unacknowledged_ > 0 || !stops_asked_)
    return;
  if (!std::exchange(stops_known_, true))
    tell_senders(m::stops_told{});
  start_ready();
}

/// No chain of its rules starts, those that run end, and the courier lets no call start. `held` is told once
/// it has acknowledged that, or why it has not.
void dispatcher_state::hold(const core::delivery_stop& stop,
                            const std::function<void(const caf::error&)>& held) {
  // First the rules, subscriptions and profiles: what the courier gives back to them must find them ending.
  tell_senders(m::stop_scope{stop.target});
  for (auto rule : schedule_.set_stop(stop.target))
    self_->send(rules_.at(rule).actor, m::stop_chain{core::stopped_by(stop.set_by, stop.reason)});
  auto acknowledged = [held] { held({}); };
  m::request(self_, resources_.node->courier, resources_.node->settings->actors.request_timeout,
             m::stop_scope{stop.target}, acknowledged, held);
}

caf::result<core::stop_in_force> dispatcher_state::on_set_stop(const m::set_stop& ask) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<core::stop_in_force>>();
  auto recorded = [this, answer](const core::stop_in_force& in_force) {
    hold(in_force.stop, [answer, in_force](const caf::error& error) mutable {
      error ? answer.deliver(error) : answer.deliver(in_force);
    });
  };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout,
             m::record_stop{ask.wanted}, recorded, failed);
  return answer;
}

caf::result<core::delivery_stop> dispatcher_state::on_end_stop(m::end_stop& ask) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<core::delivery_stop>>();
  auto ended = [this, answer](core::delivery_stop& stop) mutable {
    self_->send(resources_.node->courier, m::resume_scope{stop.target});
    tell_senders(m::resume_scope{stop.target});
    schedule_.lift_stop(stop.target, now());
    looked_idle_ = false;
    answer.deliver(std::move(stop));
    start_ready();
  };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout,
             m::record_stop_end{std::move(ask.public_id), ask.target, std::move(ask.by)}, ended, failed);
  return answer;
}

} // namespace sluice::actors
