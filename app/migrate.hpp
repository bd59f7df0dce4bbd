#pragma once

#include "app/command_context.hpp"

namespace sluice::app {

/// `sluice migrate`: brings the database to this program's schema and names the migrations it applied.
[[nodiscard]] int migrate(const command_context& context);

} // namespace sluice::app
