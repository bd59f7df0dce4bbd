#pragma once

#include "core/anchor.hpp"
#include "core/rule.hpp"
#include "storage/session.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sluice::storage {

/// The push-out rule that delivers the parents of a dependent rule's records: of the same source and target,
/// and of its anchor domain. Nothing for a root domain's rule, and where no such rule exists.
[[nodiscard]] result<std::optional<core::rule_id>> find_parent_rule(session& db, const core::sync_rule& rule);

/// Of the parents named, those the target holds a reference to; each once, in no order.
[[nodiscard]] result<std::vector<core::anchor>> read_anchors(session& db, core::rule_id parent,
                                                             std::span<const std::string> source_ids);

} // namespace sluice::storage
