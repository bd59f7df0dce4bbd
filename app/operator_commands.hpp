#pragma once

#include "app/command_adder.hpp"

namespace sluice::app {

/// The commands that speak to a running node. `rules` is the command group they share with others.
void add_operator_commands(CLI::App& app, CLI::App& rules, const command_adder& add);

} // namespace sluice::app
