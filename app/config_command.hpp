#pragma once

#include "app/command_context.hpp"

namespace sluice::app {

/// `sluice config check`: the settings in force, and which differ from their defaults. Faults were refused
/// before this.
[[nodiscard]] int check_config(const command_context& context);

/// `sluice config default`: the commented settings file with every default.
[[nodiscard]] int print_default_config();

} // namespace sluice::app
