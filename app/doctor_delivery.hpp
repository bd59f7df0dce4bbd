#pragma once

#include "app/finding.hpp"
#include "core/time.hpp"
#include "storage/checkup.hpp"

#include <string_view>
#include <vector>

namespace sluice::app {

/// `sealing`: the name of the key that seals, empty where there is none.
[[nodiscard]] findings judge_credentials(const std::vector<storage::sealed_credentials>& credentials,
                                         std::string_view sealing);

[[nodiscard]] findings judge_rule(const storage::rule_between& rule, const storage::counted_records& late,
                                  core::duration overlap);

} // namespace sluice::app
