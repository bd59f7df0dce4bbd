#pragma once

#include "app/demo_data.hpp"
#include "config/apply_file.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace sluice::app {

/// What a comparison of the demo's records with what the target holds came to.
struct demo_verdict {
  std::int64_t agree = 0; ///< delivered with the fields their rule's mapping gives, or left out by its filter
  std::int64_t differ = 0;           ///< missing, doubled, different or not the demo's
  std::vector<std::string> examples; ///< of those that differ, a sentence each
};

/// Compares one domain: `held` is the answer of the target's `GET /_state/{domain}`. The rule's mapping and
/// filter are evaluated anew, apart from what was sent. The error is a sentence.
[[nodiscard]] std::expected<demo_verdict, std::string>
compare_with_target(const demo_domain& domain, const core::configuration::rule& rule,
                    const std::string& held);

} // namespace sluice::app
