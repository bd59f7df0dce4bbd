#pragma once

#include "core/callback_audit.hpp"
#include "core/ids.hpp"
#include "core/provider_report.hpp"
#include "core/reconciliation.hpp"
#include "core/time.hpp"
#include "messages/clean_up.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// The recorder's conversation about what providers tell. Every request is answered once its transaction is
/// committed; a failure carries messages::fault.
namespace sluice::messages {

/// callback_intake, and whoever asked a provider: kept whole or not at all. `not_found`: a tenant is gone.
/// From one asker one at a time, for two in one transaction may wait for those of another node.
struct record_reports {
  std::vector<core::provider_report> reports;
};

/// callback_intake: the security audit, which keeps so many.
struct record_refusals {
  std::vector<core::refused_callback> refused;
  core::callback_audit_limits limits;
};

/// projector: the oldest events nobody has looked at, with everything they bring about. A transaction of its
/// own.
struct project_events {
  std::int64_t limit = 0;
  core::reconciliation_schedule schedule; ///< of those without an attempt
};

/// projector, for a person: the projections of a batch of attempts anew. A transaction of its own. The first
/// batch, which begins behind no attempt, leaves the row in the audit that says who asked.
struct rebuild_batch {
  core::notification_attempt_id after{};
  std::int64_t limit = 0; ///< attempts, about
  std::string by;
};

/// projector, once in a while and again while rows were removed: a batch of what is retained no longer.
struct prune_reports {
  core::timestamp until{};
  std::int64_t limit = 0;
};

// clang-format off
using callback_recorder = caf::typed_actor<
  caf::replies_to<record_reports>::with<core::reports_appended>,
  caf::reacts_to<record_refusals>,
  caf::replies_to<project_events>::with<core::events_projected>,
  caf::replies_to<rebuild_batch>::with<core::projections_rebuilt>,
  caf::replies_to<prune_reports>::with<rows_removed>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, record_reports& x) {
  return f(x.reports);
}

template <class Inspector>
auto inspect(Inspector& f, record_refusals& x) {
  return f(x.refused, x.limits);
}

template <class Inspector>
auto inspect(Inspector& f, project_events& x) {
  return f(x.limit); // the schedule is the settings'
}

template <class Inspector>
auto inspect(Inspector& f, rebuild_batch& x) {
  return f(x.after, x.limit, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, prune_reports& x) {
  return f(x.until, x.limit);
}

} // namespace sluice::messages
