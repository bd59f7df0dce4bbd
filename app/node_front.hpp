#pragma once

#include "actors/notification_registrar.hpp"
#include "actors/rule_links.hpp"
#include "api/desk.hpp"
#include "api/server.hpp"
#include "config/settings.hpp"
#include "core/time.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"
#include "telemetry/metrics.hpp"

#include <caf/actor_system.hpp>

#include <expected>
#include <functional>
#include <memory>
#include <string>

namespace sluice::app {

/// A running node's API: the server, and the actors that serve nobody else.
class node_front {
public:
  struct parts {
    caf::actor_system* system = nullptr;
    const storage::database* database = nullptr;
    std::shared_ptr<const crypto::key_ring> keys;
    const core::time_source* time = nullptr;
    const config::settings* settings = nullptr;      ///< with an API, over the network or a socket
    std::shared_ptr<const actors::node_links> links; ///< whom its rules talk to
    messages::dispatcher dispatcher;
    messages::push_dispatcher push_dispatcher;
    messages::recorder recorder;
    messages::recorder intake_recorder;  ///< writes what sources post
    messages::reader delivery_reader;    ///< one that rules ask
    messages::callback_intake callbacks; ///< none: it takes no callbacks
    std::shared_ptr<telemetry::metrics> metrics;
    std::function<bool()> lease_held; ///< any thread
    std::shared_ptr<const crypto::key_ring> fingerprints;
    actors::adapter_maker make_adapter;
    messages::notification_dispatcher notification_dispatcher;
  };

  /// The error is a sentence for people. What the parts point to outlives it.
  [[nodiscard]] static std::expected<std::unique_ptr<node_front>, std::string> open(const parts& around);

  ~node_front();

  /// Reads the certificate again; where it cannot be used the old one stays, and the log says so.
  void renew_identity();

  /// Takes nothing new; what is being served is answered.
  void close();
  /// Cuts what is left after `patience`, and ends its actors. Nothing else may be asked of it afterwards.
  void end(core::duration patience);

  /// "127.0.0.1:8400"; empty where it is not served over the network.
  [[nodiscard]] std::string address() const { return server_->address(); }
  /// The address, or the socket where there is none.
  [[nodiscard]] std::string place() const { return place_.empty() ? address() : place_; }

private:
  node_front() = default;

  [[nodiscard]] std::expected<void, std::string> spawn_actors(const parts& around);
  [[nodiscard]] std::expected<void, std::string> spawn_for_subscriptions(const parts& around);
  [[nodiscard]] std::expected<void, std::string> spawn_for_notifications(const parts& around);
  void spawn_streams(const parts& around);

  api::router routes_;
  api::desk_links links_;
  api::desk_actor desk_;
  std::string place_;
  std::unique_ptr<api::server> server_; ///< last: its thread uses the rest
};

} // namespace sluice::app
