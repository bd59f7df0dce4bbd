#pragma once

#include "core/candidate_batch.hpp"
#include "core/ledger.hpp"
#include "core/ledger_page.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::storage {

using core::ledger_filter;
using core::listed_ledger_row;

/// Writes rows as one statement, compare-and-set: a row is written where the stored row_version is
/// row.row_version - 1 (0: no row yet). Returns how many were written; fewer means lost races, a legal
/// answer. `now` becomes updated_at.
[[nodiscard]] result<std::int64_t> write_ledger(session& db, core::rule_id rule,
                                                std::span<const core::ledger_row> rows, core::timestamp now);

[[nodiscard]] result<std::optional<core::ledger_row>> find_ledger_row(session& db, core::rule_id rule,
                                                                      std::string_view source_id);

[[nodiscard]] result<std::vector<listed_ledger_row>> list_ledger(session& db, const ledger_filter& filter);

/// Rows of a rule further on, in source id order: each step says how many rows after the one before (at
/// first after `after_source_id`; empty: from the first row on) the next one lies, 1 for the very next. Ends
/// early where the ledger does. What lies between is passed in the key's index alone.
[[nodiscard]] result<std::vector<core::ledger_row>> step_through_ledger(session& db, core::rule_id rule,
                                                                        std::string_view after_source_id,
                                                                        std::span<const std::int64_t> steps);

[[nodiscard]] result<std::map<core::delivery_status, std::int64_t>> count_ledger(session& db,
                                                                                 core::rule_id rule);

/// The earliest moment anything of this rule falls due: a next attempt or a look of its own at an
/// unknown create; at once where
/// read_due offers a row by its state alone. Nothing: nothing waits.
[[nodiscard]] result<std::optional<core::timestamp>> next_due(session& db, core::rule_id rule);

/// The same for every rule that has one. A rule with a batch of intents, which is a crash's when a node
/// starts, is due at once.
[[nodiscard]] result<std::vector<core::rule_due>> all_next_due(session& db);

} // namespace sluice::storage
