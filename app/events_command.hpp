#pragma once

#include "app/command_context.hpp"

#include <cstdint>
#include <string>

namespace sluice::app {

struct event_list_options {
  std::string tenant; ///< empty: every one
  std::string type;   ///< empty: every one
  std::int64_t limit = 100;
};

struct publish_options {
  std::string type;
  std::string tenant; ///< empty: the only one the node's token sees
  std::string key;    ///< idempotency key; empty: none
  std::string file;   ///< the event's body; "-": standard input
};

/// `sluice events list`: the newest ones.
[[nodiscard]] int list_events(const command_context& context, const event_list_options& options);

/// `sluice events publish`: the file's bytes are the event's.
[[nodiscard]] int publish_event(const command_context& context, const publish_options& options);

} // namespace sluice::app
