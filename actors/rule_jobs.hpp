#pragma once

#include "actors/rule_links.hpp"
#include "core/ids.hpp"
#include "messages/acts.hpp"
#include "messages/recorder.hpp"
#include "messages/sync_rule.hpp"

#include <caf/result.hpp>

#include <cstdint>
#include <functional>

namespace sluice::actors {

/// Ledger rows that a person wants due now: one at once, many as a job.
///
///   idle --start_job, continue_job--> working --batch after batch--> idle: ended, or cancelled
///                                        | the database failed
///                                        v
///                                     waiting --alarm--> working
///
/// All of it happens in the rule's actor, between the steps of its chain: one batch is at the recorder at a
/// time, and its answer asks for the next. What the job is and how far it has come is the database's alone:
/// a batch's rows and the job's position are one transaction, so whoever lives next goes on from there.
class rule_jobs {
public:
  static constexpr std::uint64_t alarm_token = 16; ///< none of a chain's

  /// `rows_due`: rows wait for a drain.
  rule_jobs(messages::sync_rule::pointer self, const rule_links& links, core::rule_id rule,
            std::function<void()> rows_due);

  caf::result<core::ledger_row> offer(messages::offer_record& act);
  caf::result<core::rule_job> start(messages::start_job& act);
  caf::result<core::rule_job> cancel(messages::cancel_job& act);

  /// Goes on with the job of an earlier life, which may have died before it told of its rows.
  void resume();
  /// The pause after a failure is over.
  void on_alarm() { step(); }

private:
  void go_on();
  void step();
  void on_step(const core::job_step& done);
  void wait();

  messages::sync_rule::pointer self_;
  const rule_links& links_;
  core::rule_id rule_;
  std::function<void()> rows_due_;
  bool working_ = false; ///< a batch is at the recorder, or an alarm is set
};

} // namespace sluice::actors
