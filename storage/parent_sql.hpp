#pragma once

#include <string>

namespace sluice::storage {

/// That rule `p` delivers the parents of the records of the rule with this alias. Nothing fits a root
/// domain's rule, whose anchor domain is empty. The pluses leave SQLite one way to look: for the parent, by
/// its source and domain. One connection may have all the rules.
[[nodiscard]] inline std::string parent_of(const std::string& rule) {
  return "p.source_connection_id = +" + rule + ".source_connection_id AND +p.target_connection_id = +" + rule
         + ".target_connection_id AND p.domain = " + rule + ".anchor_domain AND " + rule
         + ".anchor_domain <> '' AND p.direction = 'push_out' AND p.deleted_at IS NULL";
}

} // namespace sluice::storage
