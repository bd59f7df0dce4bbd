#pragma once

#include "core/api_token.hpp"
#include "core/ids.hpp"
#include "core/run.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::storage {

/// Opens a run: status running, started_at now, a public UUIDv7.
[[nodiscard]] result<core::run_id> open_run(session& db, core::rule_id rule, core::timestamp now);

/// Adds to a running run's counters.
[[nodiscard]] result<void> count_run(session& db, core::run_id run, const core::run_counts& counts);

/// First writer wins: false when the run had ended already.
[[nodiscard]] result<bool> close_run(session& db, core::run_id run, core::run_ending ending,
                                     std::string_view reason, core::timestamp now);

/// A chain that opened no run is over. One that broke off leaves a run that says so; one that completed
/// leaves a run only where the rule's latest run says otherwise, so that its state does not stay what it was.
/// False: nothing was written.
[[nodiscard]] result<bool> record_ending(session& db, core::rule_id rule, core::run_ending ending,
                                         std::string_view reason, core::timestamp now);

/// Ends every running run of a rule (a dead chain's, after a restart) as abandoned; returns how many.
[[nodiscard]] result<std::int64_t> abandon_runs(session& db, std::optional<core::rule_id> rule,
                                                core::timestamp now);

/// Removes up to `limit` runs started before `before`; returns how many.
[[nodiscard]] result<std::int64_t> prune_runs(session& db, core::timestamp before, std::int64_t limit);

using core::listed_run;

/// The newest, of one rule or of all whose connections lie within the tenants.
[[nodiscard]] result<std::vector<listed_run>> list_runs(session& db, std::optional<core::rule_id> rule,
                                                        std::int64_t limit,
                                                        const core::tenant_scope& tenants = {});

/// The last word of a rule whose latest run broke off.
struct broken_off {
  std::string rule_name;
  core::run_ending ending{};
  std::string reason;
};

/// Rules whose latest run began at or after `since` and faulted or met an open circuit, by name.
[[nodiscard]] result<std::vector<broken_off>> list_broken_off(session& db, core::timestamp since);

} // namespace sluice::storage
