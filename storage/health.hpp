#pragma once

#include "core/candidate_batch.hpp"
#include "core/rule_state.hpp"
#include "storage/session.hpp"

#include <optional>
#include <vector>

namespace sluice::storage {

/// The facts of every push-out rule, in id order, or of one; one query that reads no ledger.
[[nodiscard]] result<std::vector<core::rule_facts>> read_rule_facts(session& db,
                                                                    std::optional<core::rule_id> rule);

[[nodiscard]] result<core::installation_facts> read_installation_facts(session& db);

/// The earliest attempt of each active push-out rule that has one due. Costs a look a rule, however many rows
/// wait.
[[nodiscard]] result<std::vector<core::rule_due>> read_overdue(session& db, core::timestamp now);

} // namespace sluice::storage
