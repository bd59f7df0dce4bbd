#pragma once

#include "telemetry/metrics.hpp"

#include <string>
#include <string_view>

namespace sluice::telemetry {

inline constexpr std::string_view exposition_type = "text/plain; version=0.0.4; charset=utf-8";

/// Everything that is known, in Prometheus' text format.
[[nodiscard]] std::string exposition_of(const metrics& of);

} // namespace sluice::telemetry
