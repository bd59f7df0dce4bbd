#pragma once

#include "app/command_context.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <utility>

namespace sluice::app {

/// Adds a command that needs the settings. `without` is what it ends with where they have faults.
struct command_adder {
  using command_action = std::function<int(const command_context&)>;

  std::function<CLI::App*(CLI::App& under, const std::string& name, const std::string& description,
                          command_action action, int without)>
      make;

  CLI::App* operator()(CLI::App& under, const std::string& name, const std::string& description,
                       command_action action, int without = exit_usage) const {
    return make(under, name, description, std::move(action), without);
  }
};

/// A command that comes in several kinds: "connections list".
inline CLI::App& command_group(CLI::App& under, const std::string& name, const std::string& description) {
  auto* made = under.add_subcommand(name, description);
  made->require_subcommand(1);
  made->fallthrough();
  return *made;
}

} // namespace sluice::app
