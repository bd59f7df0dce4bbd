#pragma once

#include "actors/call_desk.hpp"
#include "actors/chain_trouble.hpp"
#include "actors/outcome_book.hpp"
#include "actors/record_delivery.hpp"
#include "actors/rule_links.hpp"
#include "core/chain_phase.hpp"
#include "core/cursor.hpp"
#include "core/progress.hpp"
#include "messages/reader.hpp"
#include "messages/recorder.hpp"
#include "messages/sync_rule.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::actors {

/// One chain of one rule, from its start to its ending.
///
///   loading --> settle --> drain --> delta <--> backfill --> ending --> ended
///
/// Reads batches while its hands are not full, judges each record, gives the calls to the call desk and the
/// rows to the outcome book, and moves the cursor over what is durable. Between two batches the mailbox lets
/// wakes and stops in. All of it happens in the rule's actor; nothing here blocks.
class rule_chain : public std::enable_shared_from_this<rule_chain> {
public:
  struct ending {
    core::run_ending how = core::run_ending::completed;
    std::string reason;
    std::int64_t seen_counter = 0;
    std::optional<core::timestamp> retry_at;
    std::optional<core::timestamp> next_due;
    bool recovers = false; ///< it ended before it came to the intents of an earlier life
  };
  using ended_sink = std::function<void(const ending&)>;

  /// `recover`: nothing of an earlier life is known, so every intent left is unknown.
  rule_chain(messages::sync_rule::pointer self, const rule_links& links, core::rule_id rule, bool recover,
             ended_sink ended);

  void start();

  /// Records of the rule's source changed: another delta pass before the chain is through.
  void wake() { woken_ = true; }

  /// Ends at the next step boundary; calls in flight finish and are recorded.
  void stop();

  void take(messages::calls_answered& told);
  void on_alarm(messages::alarm_token token);

  /// Does whatever can be done now.
  void pump();

private:
  void on_loaded(messages::rule_loaded& loaded);
  void make_hands();
  void ask_clearance();

  // Reading: rule_reading.cpp.
  [[nodiscard]] bool may_read() const;
  void read_next();
  void adopt_intents();
  void read_unsettled();
  void read_due();
  void begin_pass();
  void read_scan(core::step_kind step);
  void on_unsettled(messages::unsettled_read& found);
  void on_due(core::due_batch& batch);
  void on_cursor(core::delivery_cursor& cursor);
  void on_delta(core::scan_batch& batch);
  void on_backfill(core::scan_batch& batch);
  [[nodiscard]] bool take_batch(core::scan_batch& batch, core::step_kind step);
  void work_on(core::candidate candidate, core::step_kind step);
  void end_pass();
  void complete();
  [[nodiscard]] bool meets_work_in_hand(const std::vector<core::candidate>& candidates) const;
  [[nodiscard]] core::progress& stream(core::step_kind step) {
    return step == core::step_kind::backfill ? backfill_ : delta_;
  }
  template <class Answer, class Ask>
  void ask_reader(Ask ask, void (rule_chain::*then)(Answer&));

  void on_recorded(const outcome_book::recorded& done);
  void note_cursor();
  [[nodiscard]] bool idle() const;
  void plan_alarm();
  void watch_steps();
  void trouble(chain_trouble what);
  void finish();
  void close_run();
  void ask_next_due();

  messages::sync_rule::pointer self_;
  const rule_links& links_;
  core::rule_id rule_id_;
  bool recover_;
  ended_sink ended_;
  const config::delivery_settings& settings_;

  core::delivery_cursor cursor_; ///< as last read, moved along with what was written since
  core::connection source_;
  core::connection target_;
  std::unique_ptr<record_delivery> delivery_;
  std::unique_ptr<outcome_book> book_;
  std::unique_ptr<call_desk> desk_;

  core::chain_phase phase_;
  core::progress delta_;
  core::progress backfill_;
  core::position read_after_{}; ///< of the delta pass in progress
  core::position backfill_after_{};
  core::timestamp pass_began_at_{}; ///< delta's position when the pass began
  std::string drain_after_;
  std::int64_t seen_counter_ = 0; ///< the change counter when the last pass began

  bool cleared_ = false;
  bool adopted_ = false; ///< the batches of intents an earlier life left
  bool reading_ = false;
  bool wait_for_idle_ = false; ///< the next read has to wait until nothing is in hand
  bool pass_open_ = false;
  bool pass_read_ = false;        ///< the pass has read all there is; it ends once nothing is in hand
  bool backfill_open_ = false;    ///< a backfill's reading has begun in this chain
  bool backfill_read_ = false;    ///< … and has come to its bound
  bool backfill_dropped_ = false; ///< the backfill that was read is no longer the one in the cursor
  bool completed_noted_ = false;
  bool woken_ = false;
  bool finishing_ = false;
  bool steps_watched_ = false;
  std::optional<chain_trouble> ending_;
  std::optional<core::timestamp> alarm_for_pause_;
};

} // namespace sluice::actors
