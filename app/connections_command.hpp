#pragma once

#include "app/command_context.hpp"

#include <string>

namespace sluice::app {

struct connection_options {
  std::string name;
  bool now = false; ///< purge: without waiting for the grace period
  bool yes = false; ///< uninstall: it is meant
};

/// `sluice connections list`: what is connected, and until when what is disconnected can be brought back.
[[nodiscard]] int list_connections(const command_context& context);

/// The life of one connection, as storage/lifecycle.hpp has it. They write configuration, as `apply` does,
/// and running nodes follow.
[[nodiscard]] int disconnect(const command_context& context, const connection_options& options);
/// `sluice connections clear-error`
[[nodiscard]] int clear_error(const command_context& context, const connection_options& options);
[[nodiscard]] int reconnect(const command_context& context, const connection_options& options);

/// Removes what was disconnected longer than the grace period ago; with `now` the one connection named.
[[nodiscard]] int purge(const command_context& context, const connection_options& options);

/// Disconnects and purges at once.
[[nodiscard]] int uninstall(const command_context& context, const connection_options& options);

} // namespace sluice::app
