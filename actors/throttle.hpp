#pragma once

#include "config/settings.hpp"
#include "core/request_window.hpp"
#include "core/time.hpp"
#include "messages/reader.hpp"
#include "messages/recorder.hpp"
#include "messages/throttle.hpp"
#include "telemetry/metrics.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

/// The throttle of one target connection: its request budget and its 429 block, shared by every rule into it.
///
///   loading --window--> ready --request_budget--> granting (the grant is being made durable) --> ready
///
/// Rules ask it before calls and tell it when they ended; it asks the recorder to keep the window. A limited
/// grant is durable before it is told, so that a restart can never spend a slot twice; an unlimited
/// connection costs no write. It never makes a call, and never waits for one: who gets less than it wanted is
/// told when to ask again.
namespace sluice::actors {

struct throttle_resources {
  core::connection_id connection{};
  messages::recorder recorder;
  messages::reader reader;
  const core::time_source* time = nullptr;
  const config::settings* settings = nullptr;
  std::shared_ptr<telemetry::metrics> metrics = std::make_shared<telemetry::metrics>();
};

class throttle_state {
public:
  static constexpr const char* name = "throttle";

  explicit throttle_state(messages::throttle::pointer self) : self_(self), loaded_(false) {}

  messages::throttle::behavior_type behavior(throttle_resources resources);

private:
  using budget_promise = caf::typed_response_promise<messages::budget_granted>;

  struct asker {
    messages::request_budget ask;
    budget_promise promise;
  };

  caf::result<messages::budget_granted> on_request_budget(const messages::request_budget& ask);
  void on_calls_ended(const messages::calls_ended& told);
  void on_budget_returned(const messages::budget_returned& told);
  void on_connection_rate_limited(const messages::connection_rate_limited& told);
  void on_caller_died(const messages::caller_died& told);

  void load();
  std::int64_t release(core::rule_id rule, std::int64_t count);
  void serve_waiting();
  void grant(asker& to);
  void keep_then_answer(core::rule_id rule, budget_promise promise, messages::budget_granted answer);
  void refuse_for_now(budget_promise& promise);

  messages::throttle::pointer self_;
  throttle_resources resources_;
  telemetry::counter* waits_ = nullptr;
  telemetry::counter* blocks_ = nullptr;
  core::request_window window_;
  bool loaded_;
  std::unordered_map<core::rule_id, std::int64_t> held_; ///< grants a rule has not ended or returned yet
  std::vector<asker> waiting_;                           ///< asked before the window was loaded
};

[[nodiscard]] messages::throttle::behavior_type
throttle(messages::throttle::stateful_pointer<throttle_state> self, throttle_resources resources);

} // namespace sluice::actors
