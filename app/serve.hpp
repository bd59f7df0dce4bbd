#pragma once

#include "app/command_context.hpp"

namespace sluice::app {

/// `sluice serve`: runs the node until SIGTERM or SIGINT; returns the exit code. SIGHUP reads the settings
/// again.
[[nodiscard]] int serve(const command_context& context);

/// `sluice deliver --once`: works until nothing is due, then ends; returns the exit code, `exit_refused` when
/// a rule's latest run faulted or met an open circuit.
[[nodiscard]] int deliver_once(const command_context& context);

} // namespace sluice::app
