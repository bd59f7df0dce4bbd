#pragma once

#include <string>

namespace sluice::storage {

/// The facts of every push-out rule, in id order, or of the rule :rule alone.
enum class facts_of { one_rule, every_rule };
[[nodiscard]] const std::string& rule_facts_sql(facts_of which);

} // namespace sluice::storage
