#pragma once

#include "config/settings.hpp"
#include "core/circuit.hpp"
#include "core/time.hpp"
#include "messages/breaker.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <unordered_map>

/// The breaker: each connection's circuit. Rules ask it for clearance and tell it how their calls fared.
///
///   closed --failures in a row--> open --cooldown--> half open (one trial) --success--> closed
///
/// It keeps no durable state: after a restart every circuit is closed, and a target that is still down opens
/// it again within a few calls.
namespace sluice::actors {

class breaker_state {
public:
  static constexpr const char* name = "breaker";

  explicit breaker_state(messages::breaker::pointer) {}

  messages::breaker::behavior_type behavior(const core::time_source& time,
                                            const config::circuit_settings& settings);

private:
  messages::clearance on_ask_clearance(const messages::ask_clearance& ask);
  messages::clearance on_calls_judged(const messages::calls_judged& told);
  void on_trial_unused(const messages::trial_unused& told);

  core::circuit& circuit_of(core::connection_id connection);

  const core::time_source* time_ = nullptr;
  core::circuit_settings settings_;
  std::unordered_map<core::connection_id, core::circuit> circuits_;
};

[[nodiscard]] messages::breaker::behavior_type
breaker(messages::breaker::stateful_pointer<breaker_state> self, const core::time_source& time,
        const config::circuit_settings& settings);

} // namespace sluice::actors
