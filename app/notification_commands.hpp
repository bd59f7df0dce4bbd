#pragma once

#include "app/command_adder.hpp"

namespace sluice::app {

/// `sluice notifications …`, `contacts …`, `profiles …`, `routes …`, `callbacks …` and `keys …`, which speak
/// to a running node.
void add_notification_commands(CLI::App& app, const command_adder& add);

} // namespace sluice::app
