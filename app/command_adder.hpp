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

/// A command that comes in several kinds: "connections list".
inline CLI::App& command_group(CLI::App& under, const std::string& name, const std::string& description) {
  auto* made = under.add_subcommand(name, description);
  made->require_subcommand(1);
  made->fallthrough();
  return *made;
}

} // namespace sluice::app
