#pragma once

#include "app/command_context.hpp"

namespace sluice::app {

/// `sluice doctor --after-restore`: the database is an older backup, so targets hold what its ledger does not
/// know of. Stops all delivery and has creates looked up before they are made; a rule whose target can
/// neither look a record up nor honour the key of an earlier create gets a stop of its own, for a person to
/// compare first. Refused while a node works on the database.
[[nodiscard]] int begin_after_restore(const command_context& context);

/// With --over: creates are made without looking again. Stops are ended by `sluice resume`.
[[nodiscard]] int end_after_restore(const command_context& context);

} // namespace sluice::app
