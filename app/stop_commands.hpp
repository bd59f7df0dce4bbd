#pragma once

#include "app/command_context.hpp"

#include <cstdint>
#include <string>

namespace sluice::app {

/// Where a stop holds: exactly one of them.
struct scope_options {
  bool global = false;
  std::string connection{};
  std::string rule{};
  std::string subscription{}; ///< its name or id
  std::string profile{};      ///< its name or id
};

/// `sluice stop`: no call starts in the scope any more once it returns.
[[nodiscard]] int stop(const command_context& context, const scope_options& scope, const std::string& reason);

/// `sluice resume`: the scope's stop, or the one of the id, ends.
[[nodiscard]] int resume(const command_context& context, const scope_options& scope, const std::string& id);

/// `sluice stops`: the live ones, or the history.
[[nodiscard]] int list_stops(const command_context& context, bool history);

/// `sluice hold list|release|discard`.
[[nodiscard]] int list_holds(const command_context& context);
[[nodiscard]] int release_hold(const command_context& context, const std::string& id, std::int64_t allowed);
[[nodiscard]] int discard_hold(const command_context& context, const std::string& id);

} // namespace sluice::app
