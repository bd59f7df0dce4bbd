#pragma once

#include "app/command_tree.hpp"

#include <string>

namespace sluice::app {

/// Reads the command line, loads the settings where the command needs them, runs the command; returns the
/// exit code. `installed_settings` is the file to read where none is named and it exists.
[[nodiscard]] int run_command_line(int argc, const char* const* argv, std::string installed_settings = {});

/// Every command there is.
[[nodiscard]] described_command describe_command_line();

} // namespace sluice::app
