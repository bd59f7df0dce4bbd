#pragma once

#include "actors/call_desk.hpp"
#include "actors/chain_trouble.hpp"
#include "actors/outcome_book.hpp"
#include "actors/record_delivery.hpp"
#include "actors/rule_links.hpp"
#include "core/chain_phase.hpp"
#include "core/cursor.hpp"
#include "core/progress.hpp"
#include "messages/breaker.hpp"
#include "messages/reader.hpp"
#include "messages/recorder.hpp"
#include "messages/sync_rule.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sluice::actors {

/// A batch that was read and is not worked on yet.
struct read_batch {
  core::step_kind step = core::step_kind::delta;
  std::vector<core::candidate> candidates;
  std::vector<std::string> parents; ///< of a dependent rule: one a candidate, empty where it names none
  messages::withdrawal_clearance withdrawals;
  core::position examined_to{};
  std::int64_t examined = 0;
  bool through = false;
};

/// One chain of one rule, from its start to its ending.
///
///   loading --> settle --> drain --> delta <--> backfill --> ending --> ended
///
///   a batch: read --> cleared (withdrawals, anchors) --> worked on
///
/// Reads batches while its hands are not full, judges each record, gives the calls to the call desk and the
/// rows to the outcome book, and moves the cursor over what is durable. Between two batches the mailbox lets
/// wakes and stops in. All of it happens in the rule's actor; nothing here blocks.
class rule_chain : public std::enable_shared_from_this<rule_chain> {
public:
  struct ending {
    core::run_ending how = core::run_ending::completed;
    std::string reason;
    core::run_id run{}; ///< none: the chain wrote nothing
    std::int64_t seen_counter = 0;
    std::optional<core::timestamp> retry_at;
    std::optional<core::timestamp> next_due;
    bool recovers = false; ///< it ended before it came to the intents of an earlier life
  };
  using ended_sink = std::function<void(const ending&)>;

  /// What the rule knows of the chain before this one.
  struct predecessor {
    bool recover = true; ///< nothing of an earlier life is known: every intent left is unknown
    std::optional<core::run_ending> how; ///< absent: it was an earlier life's
    std::string reason;
  };

  rule_chain(messages::sync_rule::pointer self, const rule_links& links, core::rule_id rule,
             predecessor before, ended_sink ended);

  void start();

  /// Records of the rule's source changed, or a person began or ended its backfill: another delta pass, with
  /// the cursor read afresh, before the chain is through. A backfill's batch makes room for it once it has
  /// had its time.
  void wake();
  /// The same; false: the chain is ending and will not come to it.
  [[nodiscard]] bool look_again();

  /// Rows fell due that the drain has passed. False: the chain is ending and will not come to them.
  [[nodiscard]] bool drain_again();

  /// Ends at the next step boundary; calls in flight finish and are recorded.
  void stop(chain_trouble why);

  void take(messages::calls_answered& told);
  void on_alarm(messages::alarm_token token);

  /// Does whatever can be done now.
  void pump();

private:
  void on_loaded(messages::rule_loaded& loaded);
  void log_cursor(const messages::rule_loaded& loaded) const;
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
  void on_cursor(core::delivery_cursor& cursor);
  void end_pass();
  void complete();
  [[nodiscard]] bool propagates() const { return delivery_->rule().deletes != core::delete_policy::ignore; }
  [[nodiscard]] core::timestamp pass_floor() const;
  void read_anchors(const std::vector<std::string>& parents);

  // What becomes of what was read: rule_batch.cpp.
  void on_unsettled(messages::unsettled_read& found);
  void settle_all();
  void settle(core::unsettled found);
  void on_due(core::due_batch& read);
  void on_delta(core::scan_batch& read);
  void on_backfill(core::scan_batch& read);
  void take_scan(core::scan_batch& read, core::step_kind step);
  void clear_withdrawals(const std::optional<core::volume_count>& count);
  void find_parents();
  void on_anchors(messages::anchors_read& answer);
  [[nodiscard]] std::string anchor_of(const std::string& parent) const;
  void work_batch();
  void end_scan_batch(const read_batch& done, core::position last);
  void work_on(core::candidate candidate, read_batch& of, const std::string& parent);
  [[nodiscard]] bool meets_work_in_hand(const std::vector<core::candidate>& candidates) const;

  // Whose turn it is: rule_turns.cpp.
  [[nodiscard]] bool wanted_elsewhere() const noexcept { return woken_ || drain_again_; }
  void make_way();
  void begin_turn();
  void start_backfill_over();
  void on_due_alarm();
  void find_next_due();
  void watch_due(std::optional<core::timestamp> at);
  void on_next_due(messages::next_due_read& answer) { watch_due(answer.at); }
  [[nodiscard]] core::progress& stream(core::step_kind step) {
    return step == core::step_kind::backfill ? backfill_ : delta_;
  }
  template <class Answer, class Ask>
  void ask_reader(Ask ask, void (rule_chain::*then)(Answer&));

  void on_recorded(const outcome_book::recorded& done);
  void note_cursor();
  void tell_references(bool at_once);
  [[nodiscard]] bool idle() const;
  void plan_alarm();
  void watch_steps();
  void trouble(chain_trouble what);
  void finish();
  [[nodiscard]] bool must_show() const;
  template <class Ask>
  void record_end(Ask ask);
  void ask_next_due();

  static constexpr std::uint64_t pause_token = 1;
  static constexpr std::uint64_t step_token = 2;
  static constexpr std::uint64_t turn_token = 3;
  static constexpr std::uint64_t due_token = 4;

  messages::sync_rule::pointer self_;
  const rule_links& links_;
  core::rule_id rule_id_;
  predecessor before_;
  bool recover_; ///< its intents are still to be taken over
  ended_sink ended_;
  const config::delivery_settings& settings_;

  core::delivery_cursor cursor_; ///< as last read, moved along with what was written since
  core::connection source_;
  core::connection target_;
  std::unique_ptr<record_delivery> delivery_;
  std::unique_ptr<outcome_book> book_;
  std::unique_ptr<call_desk> desk_;
  std::optional<core::rule_id> parent_; ///< of a dependent rule
  std::optional<read_batch> batch_;     ///< being cleared
  messages::unsettled_read unsettled_;  ///< … and creates whose parents are being looked for
  std::unordered_map<std::string, std::string>
      anchors_; ///< of those: parent's source id to its id in the target

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
  bool backfill_cut_ = false;     ///< part of what was read was let go: it is read again
  std::optional<core::duration> turn_began_at_; ///< of the backfill, by the steady clock
  bool turn_alarm_set_ = false;
  bool completed_noted_ = false;
  bool woken_ = false;
  bool drain_again_ = false;
  std::optional<core::timestamp> due_at_; ///< while a backfill is in progress: when the chain drains again
  bool references_untold_ = false;
  core::duration references_told_at_ = core::duration::min() / 2; ///< by the steady clock
  bool finishing_ = false;
  bool steps_watched_ = false;
  std::optional<chain_trouble> ending_;
  std::optional<core::duration> alarm_for_pause_;
};

} // namespace sluice::actors
