#pragma once

#include "app/command_context.hpp"

namespace sluice::app {

/// Reads the settings again and takes over what may change while a node runs: what `config::setting_key`
/// calls live. What else differs is named in the log as waiting for a restart. Settings with faults are
/// refused as a whole and the faults logged. `in_force` says what holds afterwards: a later reload compares
/// with that.
void reload(config::settings& in_force, const settings_loader& load);

} // namespace sluice::app
