#pragma once

#include "app/command_context.hpp"

namespace sluice::app {

/// `sluice keys list`: the keys of notifications, and what needs each.
[[nodiscard]] int list_keys(const command_context& context);

/// `sluice keys rotate`: has the node make anew, with the first key of each ring, what other keys made. It
/// serves meanwhile, and whoever breaks off begins again where nothing is lost.
[[nodiscard]] int rotate_keys(const command_context& context);

} // namespace sluice::app
