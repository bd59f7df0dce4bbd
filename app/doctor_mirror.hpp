#pragma once

#include "app/finding.hpp"
#include "storage/checkup.hpp"

#include <string>
#include <vector>

namespace sluice::app {

/// `sluice doctor --mirror`: what programs that write the mirror with their own SQL got wrong.
[[nodiscard]] findings judge_mirror(const std::vector<storage::mirror_faults>& faults,
                                    const std::vector<storage::unread_domain>& unread);
/// Nothing where no record was removed.
[[nodiscard]] findings judge_removed(const std::string& rule, const storage::counted_records& removed);

} // namespace sluice::app
