#pragma once

#include "app/command_adder.hpp"

namespace sluice::app {

/// `sluice subscriptions …` and `sluice events …`, which speak to a running node.
void add_subscription_commands(CLI::App& app, const command_adder& add);

} // namespace sluice::app
