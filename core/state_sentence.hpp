#pragma once

#include "core/rule_state.hpp"

#include <string>

namespace sluice::core {

/// Why a rule is failing, stale or throttled, for people; empty for other states.
[[nodiscard]] std::string describe(const rule_facts& rule, rule_state state);

} // namespace sluice::core
