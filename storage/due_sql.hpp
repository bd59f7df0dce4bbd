#pragma once

#include "storage/session.hpp"

#include <string>

namespace sluice::storage {

// The statements about rows that a drain offers by their state alone, without a time.

/// awaiting_anchor rows of a live record whose parent has a reference: takes rule, parent, source, domain,
/// after and limit. Columns: mirror_columns, ledger_columns.
[[nodiscard]] const std::string& anchored_chunk_sql(engine kind);

/// held rows whose record has something to deliver, be it the withdrawal: takes rule, source, domain, after
/// and limit. Same columns. Only while no hold is live.
[[nodiscard]] const std::string& unheld_chunk_sql(engine kind);

/// "SELECT rule_id, 0 AS at …": one row a rule that either of them offers something of; of the rule :rule
/// alone or of every rule.
enum class due_of { one_rule, every_rule };
[[nodiscard]] const std::string& due_by_state_sql(engine kind, due_of which);

} // namespace sluice::storage
