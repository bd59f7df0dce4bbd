#include "actors/breaker.hpp"

namespace sluice::actors {

namespace m = messages;

m::breaker::behavior_type breaker_state::behavior(const core::time_source& time,
                                                  const config::circuit_settings& settings) {
  time_ = &time;
  settings_ = {settings.failures, settings.cooldown, settings.cooldown_max};
  return {
      [this](const m::ask_clearance& ask) { return on_ask_clearance(ask); },
      [this](const m::calls_judged& told) { return on_calls_judged(told); },
      [this](const m::trial_unused& told) { on_trial_unused(told); },
  };
}

m::clearance breaker_state::on_ask_clearance(const m::ask_clearance& ask) {
  auto answer = circuit_of(ask.connection).ask(time_->wall());
  if (answer.many)
    return {m::clearance_kind::clear, std::nullopt};
  if (answer.one)
    return {m::clearance_kind::trial, std::nullopt};
  return {m::clearance_kind::refused, answer.retry_at};
}

m::clearance breaker_state::on_calls_judged(const m::calls_judged& told) {
  auto& circuit = circuit_of(told.connection);
  for (const auto& stretch : told.stretches)
    circuit.report(stretch.signal, stretch.count, time_->wall());
  if (circuit.state() == core::circuit_state::closed)
    return {m::clearance_kind::clear, std::nullopt};
  return {m::clearance_kind::refused, circuit.open_until()};
}

void breaker_state::on_trial_unused(const m::trial_unused& told) {
  circuit_of(told.connection).give_back_trial();
}

core::circuit& breaker_state::circuit_of(core::connection_id connection) {
  return circuits_.try_emplace(connection, settings_).first->second;
}

m::breaker::behavior_type breaker(m::breaker::stateful_pointer<breaker_state> self,
                                  const core::time_source& time, const config::circuit_settings& settings) {
  return self->state.behavior(time, settings);
}

} // namespace sluice::actors
