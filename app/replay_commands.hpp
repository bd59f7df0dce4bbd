#pragma once

#include "app/command_context.hpp"

#include <string>
#include <vector>

namespace sluice::app {

struct replay_options {
  std::string subscription; ///< name or id
  std::string from;         ///< RFC 3339
  std::string to;           ///< empty: now
  std::vector<std::string> states;
  bool yes = false;
  bool no_wait = false; ///< leave it to the node once it has begun
};

/// `sluice replay`: deliveries of a window begin anew. They are counted first, and done by the node as a job,
/// which this follows.
[[nodiscard]] int replay_window(const command_context& context, const replay_options& options);

/// `sluice replays`: a subscription's, newest first.
[[nodiscard]] int list_replays(const command_context& context, const std::string& subscription);
[[nodiscard]] int cancel_replay(const command_context& context, const std::string& subscription,
                                const std::string& id);

} // namespace sluice::app
