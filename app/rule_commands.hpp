#pragma once

#include "app/command_context.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::app {

/// `sluice rules plan`: what delivering now would do, counted by the node without sending anything.
[[nodiscard]] int plan_rule(const command_context& context, const std::string& rule);

struct backfill_options {
  std::string rule;
  std::string until; ///< RFC 3339; empty: now
  bool resend = false;
  bool yes = false;                    ///< with `creates`: what was seen before
  std::optional<std::int64_t> creates; ///< at most so many are agreed to
};

/// `sluice backfill preview|start|abort`.
[[nodiscard]] int preview_backfill(const command_context& context, const backfill_options& options);
[[nodiscard]] int start_backfill(const command_context& context, const backfill_options& options);
[[nodiscard]] int abort_backfill(const command_context& context, const std::string& rule);

} // namespace sluice::app
