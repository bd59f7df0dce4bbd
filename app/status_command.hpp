#pragma once

#include "app/command_context.hpp"

namespace sluice::app {

struct status_options {
  bool all = false;   ///< rules that are well, too
  bool watch = false; ///< again and again until interrupted
};

/// `sluice status`: how delivery stands, and which rules do not deliver normally.
[[nodiscard]] int show_status(const command_context& context, const status_options& options);

} // namespace sluice::app
