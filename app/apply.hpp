#pragma once

#include "app/command_context.hpp"

#include <string>

namespace sluice::app {

struct apply_options {
  std::string file;
  bool yes = false; ///< do not ask
};

/// `sluice apply`: brings tenants, connections, rules and subscriptions to what a file says, in one
/// transaction, after showing the difference and asking. Nothing is removed. The writer of every push_out
/// rule is made before anything is kept, so that faults of a target's settings and credentials are found
/// here. The secret of a subscription that is made is shown this once.
[[nodiscard]] int apply(const command_context& context, const apply_options& options);

} // namespace sluice::app
