#pragma once

#include "core/rule_job.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// What people ask of ledger rows that wait, and the jobs that do it to many. Only a rule's actor has its
/// rows written; each write stands in one transaction.
namespace sluice::storage {

/// One row is due now. `not_found`: the rule has no row of this record; `refused`: the act is not for it, and
/// why. A retry moves nothing but the row's next attempt: whoever has the row in hand may write what came of
/// it (decision 0050).
[[nodiscard]] result<core::ledger_row> offer_row(session& db, core::rule_id rule, core::row_act act,
                                                 std::string_view source_id, core::timestamp now);

/// How many rows the act is for now.
[[nodiscard]] result<std::int64_t> count_rows(session& db, core::rule_id rule, core::row_act act,
                                              const core::row_choice& which, core::timestamp now);

/// Counts its rows and begins it. `refused`: the rule has a live job, which the sentence names.
[[nodiscard]] result<core::rule_job> start_job(session& db, const core::job_start& start,
                                               core::timestamp now);

/// The next `limit` rows of the rule's live job, and its position with them. What is left of the rule after
/// its last row: it has ended.
[[nodiscard]] result<core::job_step> continue_job(session& db, core::rule_id rule, std::int64_t limit,
                                                  core::timestamp now);

/// `not_found`: the rule has no such job; `refused`: it has ended.
[[nodiscard]] result<core::rule_job> cancel_job(session& db, core::rule_id rule, std::string_view public_id,
                                                std::string_view by, core::timestamp now);

[[nodiscard]] result<std::vector<core::rule_job>> list_jobs(session& db, const core::job_page& page);
[[nodiscard]] result<std::optional<core::rule_job>> find_job(session& db, core::rule_id rule,
                                                             std::string_view public_id);

/// Every rule that has a live job.
[[nodiscard]] result<std::vector<core::rule_id>> rules_with_jobs(session& db);

} // namespace sluice::storage
