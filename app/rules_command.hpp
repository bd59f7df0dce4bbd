#pragma once

#include "app/command_context.hpp"

#include <string>

namespace sluice::app {

struct rule_options {
  std::string name;
  bool force = false; ///< delete: for good
};

/// `sluice rules list`: what is delivered from where to where, deleted ones included.
[[nodiscard]] int list_rules(const command_context& context);

/// What a person does to one rule, as storage/rule_lifecycle.hpp has it. A rule that is switched on or
/// restored has its writer checked first, as `apply` does.
[[nodiscard]] int switch_rule_on(const command_context& context, const rule_options& options);
[[nodiscard]] int switch_rule_off(const command_context& context, const rule_options& options);
[[nodiscard]] int delete_rule(const command_context& context, const rule_options& options);
[[nodiscard]] int restore_rule(const command_context& context, const rule_options& options);

} // namespace sluice::app
