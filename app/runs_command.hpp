#pragma once

#include "app/command_context.hpp"

#include <cstdint>
#include <string>

namespace sluice::app {

struct runs_options {
  std::string rule; ///< empty: of all rules
  std::int64_t limit = 20;
};

/// `sluice runs`: the latest runs, newest first.
[[nodiscard]] int list_runs(const command_context& context, const runs_options& options);

} // namespace sluice::app
