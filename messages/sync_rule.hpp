#pragma once

#include "core/cursor.hpp"
#include "core/ids.hpp"
#include "core/ledger.hpp"
#include "core/run.hpp"
#include "core/stop.hpp"
#include "messages/acts.hpp"
#include "messages/alarm.hpp"
#include "messages/courier.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <string>

/// The conversation with one rule.
namespace sluice::messages {

/// dispatcher: begin a chain. A rule that runs one takes it as a wake.
struct start_chain {};

/// dispatcher: the rule's source changed while its chain runs; served after the step.
struct records_changed {};

/// dispatcher: rows of the rule fell due while its chain runs, perhaps past its drain, or creates are to be
/// settled: settle and drain again, between two steps. A rule that runs none wants a chain.
struct rows_due {};

/// dispatcher, at a stop, at shutdown and when the rule's route has closed: end the chain at the next step
/// boundary; calls in flight finish and are recorded.
struct stop_chain {
  std::string reason = "the node stops"; ///< the run's
  core::run_ending ending = core::run_ending::stopped;
};

/// dispatcher, when it finds that the rule has a live job, and when the rule's actor was started again after
/// one had begun: the rule goes on with the job, if there is one.
struct continue_job {};

/// Internal: the chain that ended is let go, behind the message that ended it.
struct release_chain {};

// clang-format off
using sync_rule = caf::typed_actor<
  caf::reacts_to<start_chain>,
  caf::reacts_to<records_changed>,
  caf::reacts_to<rows_due>,
  caf::reacts_to<stop_chain>,
  caf::reacts_to<calls_answered>,
  caf::reacts_to<alarm_rang>,
  caf::reacts_to<continue_job>,
  caf::replies_to<start_backfill>::with<core::delivery_cursor>,
  caf::replies_to<abort_backfill>::with<core::delivery_cursor>,
  caf::replies_to<release_hold>::with<core::delivery_stop>,
  caf::replies_to<discard_hold>::with<core::delivery_stop>,
  caf::replies_to<offer_record>::with<core::ledger_row>,
  caf::replies_to<start_job>::with<core::rule_job>,
  caf::replies_to<cancel_job>::with<core::rule_job>,
  caf::replies_to<link_record>::with<core::ledger_row>,
  caf::replies_to<link_records>::with<core::links_recorded>,
  caf::replies_to<resend_record>::with<core::ledger_row>,
  caf::reacts_to<release_chain>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, start_chain&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, records_changed&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, rows_due&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, stop_chain& x) {
  return f(x.reason, x.ending);
}

template <class Inspector>
auto inspect(Inspector& f, continue_job&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, release_chain&) {
  return f();
}

} // namespace sluice::messages
