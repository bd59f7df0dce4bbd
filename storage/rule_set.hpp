#pragma once

#include "core/rule.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::storage {

/// A rule among all others, as they will be once an apply has written.
struct rule_among_others {
  core::sync_rule rule;
  std::string source_name;
  std::string target_name;
  bool planned = false; ///< the apply names it
};

/// What rules may not be to each other, each a sentence that names them: two push_out rules of one source,
/// target and domain; a dependent rule without its parent rule; rules that depend on each other in a circle.
[[nodiscard]] std::vector<std::string> rule_set_faults(std::span<const rule_among_others> rules);

/// The rules that depend on this one, by name.
[[nodiscard]] std::vector<std::string> dependents_of(const rule_among_others& parent,
                                                     std::span<const rule_among_others> rules);

} // namespace sluice::storage
