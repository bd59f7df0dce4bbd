#pragma once

#include "core/call.hpp"
#include "core/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sluice::providers {

/// How many calls may be out at once; each at least 1.
struct in_flight_limits {
  std::int32_t rule = 1;
  std::int32_t connection = 1;
  std::int32_t total = 1;
};

/// Decides which waiting call may start next. Calls of one rule start in the order they came. Connections
/// take turns, and within a connection its rules do, so that neither a long line nor a full connection holds
/// up another. No lock, no clock; every operation but the withdrawals costs the same however much waits.
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
  void finish(core::rule_id rule, core::connection_id connection);

  /// Takes out what waits, in its order; what is in flight stays counted.
  [[nodiscard]] std::vector<core::outbound_call> withdraw(core::rule_id rule);
  [[nodiscard]] std::vector<core::outbound_call> withdraw_within(const core::stop_target& where);
  [[nodiscard]] std::vector<core::outbound_call> withdraw_all();

  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }
  [[nodiscard]] std::int32_t in_flight() const noexcept { return in_flight_; }

private:
  struct line {
    std::deque<core::outbound_call> waiting;
    std::int32_t in_flight = 0;
    bool listed = false; ///< in its connection's `ready`: something waits and the rule is below its limit
  };
  struct gate {
    std::deque<core::rule_id> ready;
    std::int32_t in_flight = 0;
    bool listed = false; ///< in `open_`: some rule is ready and the connection is below its limit
  };

  [[nodiscard]] std::vector<core::outbound_call> withdraw_into(core::connection_id connection);
  void list(core::rule_id rule, line& its_line);
  void list(core::connection_id connection, gate& its_gate);
  void unlist(core::rule_id rule, line& its_line);
  void forget_if_idle(core::rule_id rule);
  void forget_if_idle(core::connection_id connection);

  in_flight_limits limits_;
  std::unordered_map<core::rule_id, line> lines_; ///< of rules with a call waiting or in flight
  std::unordered_map<core::connection_id, gate> gates_;
  std::deque<core::connection_id> open_; ///< whose turn it is next is in front
  std::size_t waiting_ = 0;
  std::int32_t in_flight_ = 0;
};

} // namespace sluice::providers
