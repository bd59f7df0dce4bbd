#include "actors/breaker.hpp"

#include "actors/mailbox_depth.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;

m::breaker::behavior_type breaker_state::behavior(breaker_resources resources) {
  resources_ = std::move(resources);
  const auto& circuit = resources_.settings->circuit;
  const auto& volume = resources_.settings->volume;
  circuit_ = {circuit.failures, circuit.cooldown, circuit.cooldown_max};
  volume_ = {volume.floor, volume.share, volume.window};
  return {
      [this](const m::ask_clearance& ask) { return on_ask_clearance(ask); },
      [this](const m::calls_judged& told) { return on_calls_judged(told); },
      [this](const m::trial_unused& told) { on_trial_unused(told); },
      [this](const m::judge_withdrawals& ask) { return on_judge_withdrawals(ask); },
  };
}

m::clearance breaker_state::on_ask_clearance(const m::ask_clearance& ask) {
  auto& watched = circuit_of(ask.connection);
  auto answer = watched.circuit.ask(resources_.time->wall());
  show(watched);
  if (answer.many)
    return {m::clearance_kind::clear, std::nullopt};
  if (answer.one)
    return {m::clearance_kind::trial, std::nullopt};
  return {m::clearance_kind::refused, answer.retry_at};
}

m::clearance breaker_state::on_calls_judged(const m::calls_judged& told) {
  auto& watched = circuit_of(told.connection);
  auto& circuit = watched.circuit;
  for (const auto& stretch : told.stretches)
    circuit.report(stretch.signal, stretch.count, resources_.time->wall());
  show(watched);
  if (circuit.state() == core::circuit_state::closed)
    return {m::clearance_kind::clear, std::nullopt};
  return {m::clearance_kind::refused, circuit.open_until()};
}

void breaker_state::on_trial_unused(const m::trial_unused& told) {
  circuit_of(told.connection).circuit.give_back_trial();
}

caf::result<m::withdrawal_clearance> breaker_state::on_judge_withdrawals(const m::judge_withdrawals& ask) {
  auto verdict = core::judge_volume(ask.count, volume_);
  m::withdrawal_clearance clearance{verdict.hold_live, verdict.allowed};
  if (verdict.trips) {
    telemetry::log(telemetry::event::withdrawals_held, name,
                   {{"rule", std::to_string(ask.rule.value)},
                    {"pending", std::to_string(verdict.trips->pending)},
                    {"known", std::to_string(verdict.trips->known)},
                    {"threshold", std::to_string(verdict.trips->threshold)}});
    return after<core::stop_in_force>(m::record_hold{ask.rule, *verdict.trips}, clearance);
  }
  if (verdict.heals)
    return after<m::stop_changed>(m::record_hold_healed{ask.count.hold->id}, clearance);
  if (verdict.consumes)
    return after<m::stop_changed>(m::record_release_consumed{ask.count.release->id}, clearance);
  return clearance;
}

/// A change somebody else was first to make is made all the same: the next batch counts with theirs.
template <class Written, class Write>
caf::result<m::withdrawal_clearance> breaker_state::after(Write write, m::withdrawal_clearance clearance) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<m::withdrawal_clearance>>();
  auto written = [answer, clearance](const Written&) mutable { answer.deliver(clearance); };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, resources_.recorder, resources_.settings->actors.request_timeout, std::move(write),
             written, failed);
  return answer;
}

breaker_state::watched_circuit& breaker_state::circuit_of(core::connection_id connection) {
  auto [found, is_new] = circuits_.try_emplace(connection);
  auto& watched = found->second;
  if (is_new) {
    watched = {core::circuit{circuit_}, &resources_.metrics->circuits.of(connection)};
    (*watched.gauges)(watched.shown).add(1);
  }
  return watched;
}

void breaker_state::show(watched_circuit& watched) {
  show_mailbox_depth(self_, *resources_.metrics, telemetry::central_actor::breaker);
  const auto now = watched.circuit.state();
  if (now == watched.shown)
    return;
  (*watched.gauges)(watched.shown).add(-1);
  (*watched.gauges)(now).add(1);
  watched.shown = now;
}

m::breaker::behavior_type breaker(m::breaker::stateful_pointer<breaker_state> self,
                                  breaker_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
