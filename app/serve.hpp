#pragma once

#include "app/output.hpp"
#include "config/settings.hpp"

namespace sluice::app {

/// `sluice serve`: runs the node until SIGTERM or SIGINT; returns the exit code.
[[nodiscard]] int serve(const config::settings& settings);

/// `sluice deliver --once`: works until nothing is due, then ends; returns the exit code.
[[nodiscard]] int deliver_once(const config::settings& settings, const output_style& style);

} // namespace sluice::app
