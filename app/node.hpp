#pragma once

#include "config/settings.hpp"
#include "core/rule_schedule.hpp"
#include "core/time.hpp"
#include "crypto/key_ring.hpp"
#include "storage/lease.hpp"
#include "storage/session.hpp"
#include "storage/watch.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sluice::app {

class node_front;

/// The machine's clocks.
class real_time final : public core::time_source {
public:
  [[nodiscard]] core::timestamp wall() const override;
  [[nodiscard]] core::duration steady() const override;
};

/// One node: its actors, their threads and its right to work on the database. The only place that knows
/// everything.
///
///   start: schema, lease, sessions, actors -- working -- stop: chains end, calls finish and are recorded,
///   lease released
class node {
public:
  /// What a node needs of the process it lives in.
  struct process {
    /// Told, from a thread of the node's own, when the node must not go on.
    std::function<void(const std::string&)> unfit;
    /// Waits so long; false as soon as the process is to end.
    std::function<bool(core::duration)> pause;
  };

  /// The error is a sentence for people.
  [[nodiscard]] static std::expected<std::unique_ptr<node>, std::string>
  start(const config::settings& settings, crypto::key_ring keys, core::first_sweep first, process around);

  ~node();

  /// Where the API is served, "127.0.0.1:8400"; empty without one.
  [[nodiscard]] std::string api_address() const;

  /// The certificate its API shows is read again.
  void renew_identity();

  /// Whether every rule is idle and nothing is due, waiting for it up to `patience`.
  [[nodiscard]] bool idle_within(core::duration patience);

  /// Ends in order within the settings' shutdown_timeout. False: something still hung; the process should end
  /// at once, and what was in flight is settled by the next start.
  [[nodiscard]] bool stop();

private:
  struct actors; ///< the actor system and the handles; kept out of this header

  node(const config::settings& settings, process around);

  [[nodiscard]] std::expected<void, std::string> open_database();
  [[nodiscard]] std::expected<void, std::string> take_ownership();
  [[nodiscard]] std::expected<void, std::string> prolong_lease();
  [[nodiscard]] std::expected<void, std::string> spawn_actors(crypto::key_ring keys, core::first_sweep first);
  [[nodiscard]] std::expected<void, std::string> spawn_recorders();
  [[nodiscard]] std::expected<void, std::string> open_api();
  void start_watch();
  void end_actors();

  config::settings settings_;
  process around_;
  real_time time_;
  storage::database database_;
  std::optional<storage::file_lock> file_lock_; ///< SQLite: outlives every session
  std::optional<storage::fence> fence_;
  core::duration leased_at_{}; ///< steady
  std::shared_ptr<storage::session> writer_;
  std::shared_ptr<const crypto::key_ring> keys_;
  std::unique_ptr<actors> actors_;
  std::unique_ptr<node_front> front_; ///< where the settings have an API
  std::unique_ptr<storage::watch> watch_;
};

} // namespace sluice::app
