#pragma once

#include "app/command_context.hpp"

#include <string>

namespace sluice::app {

struct reconciliation_options {
  std::string kind; ///< that kind alone; empty: every kind
  bool for_people = false;
};

/// `sluice reconciliation`: what is not known, of notifications and of rules' creates.
[[nodiscard]] int list_unsettled(const command_context& context, const reconciliation_options& options);

} // namespace sluice::app
