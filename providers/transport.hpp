#pragma once

#include "core/call.hpp"
#include "core/stop.hpp"
#include "core/time.hpp"
#include "telemetry/metrics.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sluice::providers {

/// Until when calls may start, by the monotonic clock: whoever knows prolongs it, the transport asks before
/// each call. Thread-safe. A message would come too late to a process that was paused and wakes up.
class start_permit {
public:
  void prolong(core::duration until_steady) { until_.store(until_steady.count()); }
  [[nodiscard]] bool holds(core::duration now_steady) const { return now_steady.count() < until_.load(); }

private:
  std::atomic<core::duration::rep> until_ = core::duration::max().count();
};

struct transport_settings {
  std::int32_t max_in_flight_rule = 8;
  std::int32_t max_in_flight_subscription = 8;
  std::int32_t max_in_flight_profile = 32;
  std::int32_t max_in_flight_connection = 32;
  std::int32_t max_in_flight_total = 512;
  core::duration connect_timeout = std::chrono::seconds{5};
  core::duration call_timeout = std::chrono::seconds{30};
  std::size_t answer_bytes_max = std::size_t{1} << 20;
  std::size_t answer_group_max = 128;                                 ///< answers handed back at once
  core::duration answer_group_age_max = std::chrono::milliseconds{4}; ///< or when the oldest is this old
  std::vector<std::string> allowed_networks; ///< CIDR ranges that may be dialled although they are not public
  std::string proxy;                         ///< empty: none, whatever the environment says
  std::string ca_file;                       ///< empty: the system's
  std::shared_ptr<const start_permit> permit = nullptr; ///< null: calls may always start
  std::shared_ptr<telemetry::metrics> metrics = std::make_shared<telemetry::metrics>();
};

/// Outside calls. Thread-safe; every call submitted is answered exactly once, in groups, through the sink,
/// from a thread of the transport's own. Calls of one owner start in the order they were submitted.
class transport {
public:
  using answer_sink = std::function<void(std::vector<core::call_answer>)>;

  virtual ~transport() = default;

  virtual void submit(std::vector<core::outbound_call> calls) = 0;

  /// Calls of this owner that have not started come back unattempted; those in flight finish.
  virtual void withdraw(core::call_owner owner) = 0;

  /// From the return of this call on no call within `where` starts, until the stop there is lifted: what
  /// waits within, and what is still submitted, comes back unattempted; calls in flight finish. Stops that
  /// overlap hold each for itself.
  virtual void set_stop(const core::stop_target& where) = 0;
  virtual void lift_stop(const core::stop_target& where) = 0;

  /// From the return of this call on no call starts: what waits and what is still submitted comes back
  /// unattempted.
  virtual void stop_starting() = 0;
};

/// The libcurl transport: one multi handle on one thread. Settings faults (a CIDR that is none) throw
/// std::invalid_argument with the setting named; settings are validated before this is reached.
[[nodiscard]] std::unique_ptr<transport> make_curl_transport(const transport_settings& settings,
                                                             const core::time_source& time,
                                                             transport::answer_sink sink);

} // namespace sluice::providers
