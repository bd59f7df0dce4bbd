#pragma once

#include "app/command_adder.hpp"

namespace sluice::app {

/// What begins and ends connections, rules and tokens: a group of commands each.
void add_lifecycle_commands(CLI::App& app, const command_adder& add);

} // namespace sluice::app
