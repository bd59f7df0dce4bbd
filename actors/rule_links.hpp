#pragma once

#include "config/settings.hpp"
#include "core/time.hpp"
#include "messages/alarm.hpp"
#include "messages/breaker.hpp"
#include "messages/courier.hpp"
#include "messages/dispatcher.hpp"
#include "messages/reader.hpp"
#include "messages/recorder.hpp"
#include "messages/throttle.hpp"
#include "messages/token_keeper.hpp"
#include "telemetry/metrics.hpp"

#include <memory>

namespace sluice::actors {

/// Whom the rules of a node talk to; one value for all of them.
struct node_links {
  messages::recorder recorder;
  messages::courier courier;
  messages::breaker breaker;
  messages::alarm alarm;
  const core::time_source* time = nullptr;
  const config::settings* settings = nullptr;
  std::shared_ptr<telemetry::metrics> metrics = std::make_shared<telemetry::metrics>();
};

/// Whom one rule talks to.
struct rule_links {
  std::shared_ptr<const node_links> node;
  messages::reader reader;
  messages::throttle throttle;         ///< its target connection's
  messages::token_keeper token_keeper; ///< its target connection's
  messages::dispatcher dispatcher;
};

} // namespace sluice::actors
