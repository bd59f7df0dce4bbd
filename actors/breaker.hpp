#pragma once

#include "config/settings.hpp"
#include "core/circuit.hpp"
#include "core/time.hpp"
#include "messages/breaker.hpp"
#include "messages/recorder.hpp"
#include "telemetry/metrics.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <memory>
#include <unordered_map>

/// The breaker: each connection's circuit, and every rule's volume of withdrawals.
///
/// Rules ask it for clearance and tell it how their calls fared.
///
///   closed --failures in a row--> open --cooldown--> half open (one trial) --success--> closed
///
/// Of circuits it keeps no durable state: after a restart every circuit is closed, and a target that is still
/// down opens it again within a few calls.
///
/// A rule whose deletions propagate brings it what each of its batches counted. It decides, has the recorder
/// write what its verdict begins or ends, and answers then.
///
///   free --too many--> held --a person's release, with an allowance--> free
///                      held --nothing left to hold, a person's discard--> free
///
/// Of holds it keeps nothing: they come with every count, so that what a person did meanwhile is seen.
namespace sluice::actors {

struct breaker_resources {
  messages::recorder recorder;
  const core::time_source* time = nullptr;
  const config::settings* settings = nullptr;
  std::shared_ptr<telemetry::metrics> metrics = std::make_shared<telemetry::metrics>();
};

class breaker_state {
public:
  static constexpr const char* name = "breaker";

  explicit breaker_state(messages::breaker::pointer self) : self_(self) {}

  messages::breaker::behavior_type behavior(breaker_resources resources);

private:
  using state_gauges = telemetry::cells<telemetry::gauge, core::circuit_state>;

  /// A circuit, and where its state is shown.
  struct watched_circuit {
    core::circuit circuit;
    state_gauges* gauges = nullptr;
    core::circuit_state shown = core::circuit_state::closed;
  };

  messages::clearance on_ask_clearance(const messages::ask_clearance& ask);
  messages::clearance on_calls_judged(const messages::calls_judged& told);
  void on_trial_unused(const messages::trial_unused& told);
  caf::result<messages::withdrawal_clearance> on_judge_withdrawals(const messages::judge_withdrawals& ask);

  /// Answers with `clearance` once the recorder has written what the verdict changes.
  template <class Written, class Write>
  caf::result<messages::withdrawal_clearance> after(Write write, messages::withdrawal_clearance clearance);
  watched_circuit& circuit_of(core::connection_id connection);
  void show(watched_circuit& watched);

  messages::breaker::pointer self_;
  breaker_resources resources_;
  core::circuit_settings circuit_;
  core::volume_settings volume_;
  std::unordered_map<core::connection_id, watched_circuit> circuits_;
};

[[nodiscard]] messages::breaker::behavior_type
breaker(messages::breaker::stateful_pointer<breaker_state> self, breaker_resources resources);

} // namespace sluice::actors
