#pragma once

#include "app/command_context.hpp"

#include <cstdint>
#include <string>

namespace sluice::app {

struct callback_list_options {
  std::string profile;  ///< its name or id; empty: every one
  std::string progress; ///< empty: every one
  std::int64_t limit = 100;
};

/// `sluice callbacks list`: what providers told.
[[nodiscard]] int list_callbacks(const command_context& context, const callback_list_options& options);

/// `sluice callbacks refused`: what was posted and was not a provider's, or was not understood.
[[nodiscard]] int list_refused_callbacks(const command_context& context,
                                         const callback_list_options& options);

/// `sluice callbacks replay`: makes what became of messages anew from the events that are kept.
[[nodiscard]] int replay_callbacks(const command_context& context);

} // namespace sluice::app
