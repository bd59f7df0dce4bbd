#pragma once

#include "actors/adapter_maker.hpp"
#include "actors/rule_links.hpp"
#include "app/node.hpp"
#include "messages/callback_intake.hpp"
#include "messages/dispatcher.hpp"
#include "messages/membership.hpp"
#include "messages/notification_dispatcher.hpp"
#include "messages/push_dispatcher.hpp"
#include "messages/reader.hpp"
#include "messages/recorder.hpp"
#include "providers/transport.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <memory>
#include <vector>

// A node's actor system and its handles, for node.cpp and node_actors.cpp alone.

namespace sluice::app {

/// One scheduler thread: no handler blocks, and a second one only makes them trade places.
class scheduler_settings : public caf::actor_system_config {
public:
  scheduler_settings() {
    set("scheduler.policy", caf::atom("sharing"));
    set("scheduler.max-threads", std::size_t{1});
  }
};

struct node::actors {
  scheduler_settings settings;
  caf::actor_system system{settings};
  std::shared_ptr<sluice::actors::node_links> links = std::make_shared<sluice::actors::node_links>();
  std::vector<messages::reader> readers;
  messages::dispatcher dispatcher;
  messages::push_dispatcher pushes;
  messages::notification_dispatcher notifications;
  messages::membership membership;
  std::shared_ptr<providers::start_permit> permit = std::make_shared<providers::start_permit>();
  messages::recorder intake_recorder;     ///< SQLite has one writer, so there it is the links'
  messages::recorder projecting_recorder; ///< likewise
  messages::callback_intake callbacks;
  sluice::actors::adapter_maker make_adapter; ///< knows the addresses of callbacks
};

} // namespace sluice::app
