#pragma once

#include "app/command_context.hpp"

#include <cstdint>
#include <optional>

namespace sluice::app {

struct migrate_options {
  std::optional<std::int64_t> to; ///< stops at this version: to rehearse an upgrade from it
};

/// `sluice migrate`: brings the database to this program's schema and names the migrations it applied.
[[nodiscard]] int migrate(const command_context& context, const migrate_options& options = {});

} // namespace sluice::app
