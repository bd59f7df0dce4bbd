#pragma once

#include "app/output.hpp"

#include <cstdint>

namespace sluice::app {

struct demo_options {
  bool keep = false; ///< goes on serving after the summary
  std::uint64_t seed = 1;
};

/// `sluice demo`: a node, a stand-in target and sample records in a temporary folder; returns the exit code.
[[nodiscard]] int demo(const demo_options& options, const output_style& style);

} // namespace sluice::app
