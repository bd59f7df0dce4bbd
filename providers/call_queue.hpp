#pragma once

#include "core/call.hpp"
#include "core/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sluice::providers {

/// How many calls may be out at once; each at least 1.
struct in_flight_limits {
  std::int32_t rule = 1;
  std::int32_t subscription = 1;
  std::int32_t profile = 1;
  std::int32_t connection = 1;
  std::int32_t total = 1;
};

/// Decides which waiting call may start next. Calls of one owner start in the order they came. Connections
/// take turns, and within a connection its rules do, so that neither a long line nor a full connection holds
/// up another; a subscription or a provider profile takes its turn as a connection does. No lock, no clock;
/// every operation but the withdrawals costs the same however much waits.
class call_queue {
public:
  explicit call_queue(in_flight_limits limits);
  call_queue(const call_queue&) = delete;
  call_queue& operator=(const call_queue&) = delete;

  void push(core::outbound_call call);

  [[nodiscard]] bool can_start() const noexcept { return in_flight_ < limits_.total && !open_.empty(); }

  /// The next call, from now on in flight; nothing when no call may start.
  [[nodiscard]] std::optional<core::outbound_call> take();

  /// A call taken before has ended.
  void finish(core::call_owner owner, core::connection_id connection);

  /// Takes out what waits, in its order; what is in flight stays counted.
  [[nodiscard]] std::vector<core::outbound_call> withdraw(core::call_owner owner);
  [[nodiscard]] std::vector<core::outbound_call> withdraw_within(const core::stop_target& where);
  [[nodiscard]] std::vector<core::outbound_call> withdraw_all();

  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }
  [[nodiscard]] std::int32_t in_flight() const noexcept { return in_flight_; }

private:
  struct line {
    std::deque<core::outbound_call> waiting;
    std::int32_t in_flight = 0;
    bool listed = false; ///< in its gate's `ready`: something waits and the owner is below its limit
  };
  /// What calls pass: their connection, or their owner itself where they go into none.
  struct gate_key {
    core::connection_id connection{};
    core::call_owner owner{}; ///< none beside a connection

    friend bool operator==(const gate_key&, const gate_key&) = default;
  };
  struct gate_key_hash {
    std::size_t operator()(const gate_key& key) const noexcept {
      return std::hash<core::connection_id>{}(key.connection) ^ std::hash<core::call_owner>{}(key.owner);
    }
  };
  struct gate {
    std::deque<core::call_owner> ready;
    std::int32_t in_flight = 0;
    bool listed = false; ///< in `open_`: some owner is ready and the gate is below its limit
  };

  [[nodiscard]] static gate_key gate_of(core::call_owner owner, core::connection_id connection) {
    return connection ? gate_key{connection, {}} : gate_key{{}, owner};
  }
  [[nodiscard]] std::int32_t limit_of(core::call_owner owner) const noexcept;
  [[nodiscard]] std::int32_t limit_of(const gate_key& key) const noexcept;

  [[nodiscard]] std::vector<core::outbound_call> withdraw_into(core::connection_id connection);
  void list(core::call_owner owner, line& its_line);
  void list(const gate_key& key, gate& its_gate);
  void unlist(core::call_owner owner, line& its_line);
  void forget_if_idle(core::call_owner owner);
  void forget_if_idle(const gate_key& key);

  in_flight_limits limits_;
  std::unordered_map<core::call_owner, line> lines_; ///< of owners with a call waiting or in flight
  std::unordered_map<gate_key, gate, gate_key_hash> gates_;
  std::deque<gate_key> open_; ///< whose turn it is next is in front
  std::size_t waiting_ = 0;
  std::int32_t in_flight_ = 0;
};

} // namespace sluice::providers
