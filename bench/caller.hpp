#pragma once

#include "bench/outcome_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <vector>

namespace sluice::bench {

struct caller_options {
  /// http://HOST:PORT/PATH of the sink.
  std::string url;
  /// Calls out at once, at least 1.
  std::size_t in_flight = 64;
  /// Outcomes handed over together, at least 1.
  std::size_t group = 200;
};

/// Times from a call's start to its answer, in microseconds, in the order of the answers.
using call_times = std::vector<std::uint32_t>;

/// Posts each body once over a bare libcurl multi handle and hands the outcomes on in groups. Stops at the
/// first call that does not end with 201 and an id, and says which.
[[nodiscard]] std::expected<call_times, std::string>
post_all(const std::vector<std::string>& bodies, const caller_options& options,
         const std::function<void(std::vector<outcome>)>& hand_over);

} // namespace sluice::bench
