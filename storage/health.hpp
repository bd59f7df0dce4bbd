#pragma once

#include "core/rule_state.hpp"
#include "storage/session.hpp"

#include <optional>
#include <vector>

namespace sluice::storage {

/// The facts of every push-out rule, in id order, or of one; one query that reads no ledger.
[[nodiscard]] result<std::vector<core::rule_facts>> read_rule_facts(session& db,
                                                                    std::optional<core::rule_id> rule);

[[nodiscard]] result<core::installation_facts> read_installation_facts(session& db);

} // namespace sluice::storage
