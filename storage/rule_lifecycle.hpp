#pragma once

#include "core/rule.hpp"
#include "storage/session.hpp"

#include <string_view>

// What a person does to one rule; each in the caller's transaction, and running nodes are told. `not_found`:
// there is no such rule. `refused` says why.

namespace sluice::storage {

enum class rule_switch : std::uint8_t { off, on };

/// A rule that is switched on for the first time gets its cursor, T0 = now; one that was on before goes on
/// where its cursor stands. Returns the rule as it is then. `refused`: it was deleted.
[[nodiscard]] result<core::sync_rule> switch_rule(session& db, std::string_view name, rule_switch to,
                                                  core::timestamp now);

/// Soft-deletes: cursor and ledger stay, and a restore goes on from them. `refused`: it was deleted before,
/// or a rule is anchored on its domain.
[[nodiscard]] result<void> delete_rule(session& db, std::string_view name, core::timestamp now);

/// Undoes delete_rule. `refused`: it is not deleted, one of its connections is disconnected, or
/// rule_set_faults has something against it.
[[nodiscard]] result<core::sync_rule> restore_rule(session& db, std::string_view name, core::timestamp now);

/// Removes a rule for good. `refused`: it holds delivery state, cursor or ledger. Dropping that would let an
/// equal rule create everything a second time; it goes with its connection alone.
[[nodiscard]] result<void> force_delete_rule(session& db, std::string_view name);

} // namespace sluice::storage
