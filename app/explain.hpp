#pragma once

#include "app/command_context.hpp"

#include <string>

namespace sluice::app {

struct explain_options {
  std::string rule;
  std::string source_id;
};

/// `sluice explain`, of a node that answers, else of the database: why a record is where it is under a rule,
/// and what happens next.
[[nodiscard]] int explain(const command_context& context, const explain_options& options);

} // namespace sluice::app
