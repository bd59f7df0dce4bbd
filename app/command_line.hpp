#pragma once

namespace sluice::app {

/// Reads the command line, loads the settings where the command needs them, runs the command; returns the
/// exit code.
[[nodiscard]] int run_command_line(int argc, const char* const* argv);

} // namespace sluice::app
