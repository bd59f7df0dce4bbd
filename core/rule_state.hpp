#pragma once

#include "core/ids.hpp"
#include "core/rule.hpp"
#include "core/run.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// How delivery stands. Derived whenever it is read and stored nowhere, so that a dead scheduler shows: its
/// rules go stale by themselves.
namespace sluice::core {

/// Most severe first.
enum class rule_state : std::uint8_t {
  stopped,   ///< a person's stop reaches it
  held,      ///< the volume breaker holds its withdrawals
  failing,   ///< its latest ended run faulted or met an open circuit, or its target connection is in error
  stale,     ///< no sign of life within `stale_after`
  throttled, ///< its target is blocked, or its latest ended run ended throttled
  ok,
  none, ///< no open route, no run ever, no hold: there is nothing to say
};

/// The whole installation, first match wins.
enum class global_state : std::uint8_t {
  stopped,             ///< the global stop
  scheduler_down,      ///< the dispatcher's heartbeat is older than `heartbeat_stale_after`
  runs_not_completing, ///< open routes have work, and none of them shows a sign of life
  ok,
};

[[nodiscard]] std::string_view to_string(rule_state state) noexcept;
[[nodiscard]] std::string_view to_string(global_state state) noexcept;

struct health_settings {
  duration stale_after = std::chrono::minutes{15};
  duration heartbeat_stale_after = std::chrono::seconds{60};
};

struct run_facts {
  run_id id{};
  std::optional<run_ending> ending; ///< absent: running
  std::string reason;
  timestamp started_at{};
  std::optional<timestamp> ended_at;
};

/// Ids of delivery_stops that are live; 0 where there is none.
struct stops_in_force {
  std::int64_t global = 0;
  std::int64_t connection = 0; ///< of the rule's target
  std::int64_t rule = 0;
  std::int64_t hold = 0;

  [[nodiscard]] bool stopped() const noexcept { return global != 0 || connection != 0 || rule != 0; }
};

/// Everything the state of a push-out rule follows from, read in one snapshot.
struct rule_facts {
  rule_id rule{};
  std::string public_id;
  std::string name;
  connection_id source{};
  connection_id target{};
  bool active = false;
  bool route_open = false; ///< active, and both connections are
  connection_status source_status = connection_status::active;
  connection_status target_status = connection_status::active;
  timestamp updated_at{};                     ///< of the rule's configuration
  std::optional<run_facts> running;           ///< the run in progress
  std::optional<run_facts> ended;             ///< the latest that has ended
  std::optional<timestamp> completed_at;      ///< end of the latest completed run
  std::optional<timestamp> cursor_updated_at; ///< the chain's heartbeat; absent: the rule has no cursor
  std::int64_t change_counter = 0;
  std::int64_t completed_counter = 0;
  std::optional<timestamp> changed_at; ///< of the earliest change that no pass has come to yet
  std::optional<timestamp> backfill_until;
  std::int64_t known_records = 0;
  stops_in_force stops;
  std::optional<timestamp> blocked_until; ///< of the target connection

  /// Something is known to wait for delivery.
  [[nodiscard]] bool has_work() const noexcept {
    return running || backfill_until || change_counter != completed_counter;
  }
};

struct installation_facts {
  bool stopped = false;                  ///< a global stop is live
  std::optional<timestamp> heartbeat_at; ///< the dispatcher's latest tick
};

[[nodiscard]] rule_state state_of(const rule_facts& rule, const installation_facts& installation,
                                  const health_settings& settings, timestamp now);

[[nodiscard]] global_state global_state_of(std::span<const rule_facts> rules,
                                           const installation_facts& installation,
                                           const health_settings& settings, timestamp now);

template <class Inspector>
auto inspect(Inspector& f, health_settings& x) {
  return f(x.stale_after, x.heartbeat_stale_after);
}

template <class Inspector>
auto inspect(Inspector& f, run_facts& x) {
  return f(x.id, x.ending, x.reason, x.started_at, x.ended_at);
}

template <class Inspector>
auto inspect(Inspector& f, stops_in_force& x) {
  return f(x.global, x.connection, x.rule, x.hold);
}

template <class Inspector>
auto inspect(Inspector& f, rule_facts& x) {
  return f(x.rule, x.public_id, x.name, x.source, x.target, x.active, x.route_open, x.source_status,
           x.target_status, x.updated_at, x.running, x.ended, x.completed_at, x.cursor_updated_at,
           x.change_counter, x.completed_counter, x.changed_at, x.backfill_until, x.known_records, x.stops,
           x.blocked_until);
}

template <class Inspector>
auto inspect(Inspector& f, installation_facts& x) {
  return f(x.stopped, x.heartbeat_at);
}

} // namespace sluice::core
