#pragma once

#include "app/command_context.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace sluice::app {

/// Adds a command that needs the settings.
using command_adder =
    std::function<CLI::App*(CLI::App& under, const std::string& name, const std::string& description,
                            std::function<int(const command_context&)> action)>;

/// The commands that speak to a running node. `rules` is the command group they share with others.
void add_operator_commands(CLI::App& app, CLI::App& rules, const command_adder& add);

} // namespace sluice::app
