#pragma once

#include "actors/notifier.hpp"
#include "actors/rule_links.hpp"
#include "config/settings.hpp"
#include "core/time.hpp"
#include "crypto/key_ring.hpp"
#include "harness/scripted_transport.hpp"
#include "harness/stage.hpp"
#include "messages/callback_intake.hpp"
#include "messages/dispatcher.hpp"
#include "messages/notification_dispatcher.hpp"
#include "messages/push_dispatcher.hpp"
#include "messages/reader.hpp"
#include "messages/reconciler.hpp"
#include "messages/recorder.hpp"
#include "messages/replayer.hpp"
#include "storage/lease.hpp"
#include "storage/session.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::harness {

/// One life of a node: the real actors as the product spawns them, but none on a thread of its own.
struct node_actors {
  std::shared_ptr<actors::node_links> links = std::make_shared<actors::node_links>();
  std::vector<messages::reader> readers;
  messages::dispatcher dispatcher;
  messages::push_dispatcher pushes;                ///< none where the world has no subscriptions
  messages::notification_dispatcher notifications; ///< none where the world sends none
  messages::callback_intake callbacks;             ///< likewise for what providers tell

  [[nodiscard]] bool living() const { return static_cast<bool>(dispatcher); }
};

struct node_parts {
  const config::settings* settings = nullptr;
  const core::time_source* time = nullptr;
  std::shared_ptr<const crypto::key_ring> keys;
  std::optional<storage::fence> fence;
  std::shared_ptr<storage::session> writer;
  std::vector<std::shared_ptr<storage::session>> readers;
  std::function<std::unique_ptr<providers::transport>(providers::transport::answer_sink)> make_transport;
  std::function<void(std::string)> unfit;
  bool subscriptions = false;                  ///< it fans events out and pushes
  bool callbacks = false;                      ///< it takes what providers tell, and projects it
  bool notifications = false;                  ///< it sends notifications …
  actors::adapter_maker make_adapter{};        ///< … through these; empty: through the providers'
  messages::projection_listener projections{}; ///< is told when there is something to project
};

[[nodiscard]] node_actors spawn_node(stage& on, node_parts parts);

/// Ends them without a word to the database or a target: the recorder and the courier first.
void kill_node(stage& on, node_actors& node);

[[nodiscard]] providers::transport_settings transport_settings_of(const config::settings& settings);

} // namespace sluice::harness
