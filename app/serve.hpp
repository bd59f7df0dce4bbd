#pragma once

#include "app/command_context.hpp"
#include "app/node.hpp"

#include <functional>

namespace sluice::app {

/// `sluice serve`: runs the node until SIGTERM or SIGINT; returns the exit code. SIGHUP reads the settings
/// again.
[[nodiscard]] int serve(const command_context& context);

/// The same; `started` is called once the node serves.
[[nodiscard]] int serve_and_tell(const command_context& context,
                                 const std::function<void(const node&)>& started);

/// `sluice deliver --once`: works until nothing is due, then ends; returns the exit code, `exit_refused` when
/// a rule's latest run faulted or met an open circuit.
[[nodiscard]] int deliver_once(const command_context& context);

} // namespace sluice::app
