#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <vector>

namespace sluice::bench {

struct post_options {
  std::uint16_t port = 0; ///< of loopback
  std::size_t connections = 64;
  double per_second = 0; ///< requests fall due so often, answered or not; 0: whenever a connection is free
};

/// What came of the requests.
struct posts_answered {
  double seconds = 0;                     ///< from the first request to the last answer
  std::vector<std::uint32_t> times_us;    ///< from when each fell due to its answer, in their order
  std::map<int, std::uint64_t> by_status; ///< how many were answered so
  std::size_t most_waiting = 0;           ///< requests that were due and found no free connection
};

/// Sends whole requests over so many connections that are kept, one at a time on each. A request that comes
/// late because no connection is free counts from when it was due. The error says what broke a connection.
[[nodiscard]] std::expected<posts_answered, std::string> post_all(const std::vector<std::string>& requests,
                                                                  const post_options& options);

} // namespace sluice::bench
