#pragma once

#include "actors/chain_trouble.hpp"
#include "actors/order.hpp"
#include "actors/rule_links.hpp"
#include "core/ledger.hpp"
#include "core/run.hpp"
#include "messages/recorder.hpp"
#include "messages/sync_rule.hpp"
#include "telemetry/instruments.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sluice::actors {

/// What a chain has decided and learned and the database does not know yet.
///
///   noted --flush--> on its way --recorded--> durable; the records are no longer in hand
///
/// A run is opened before the first write and never for a chain that writes nothing. Tickets are concluded
/// when their rows are durable, so the cursor passes a record only after its outcome (D3).
class outcome_book {
public:
  struct recorded {
    std::vector<stream_ticket> tickets;
    bool backfill_dropped = false;
    std::optional<core::timestamp> next_due; ///< the earliest next attempt of its rows
    bool references_made = false;            ///< the target holds records it did not hold before
  };

  outcome_book(messages::sync_rule::pointer self, const rule_links& links, core::rule_id rule,
               std::weak_ptr<void> life);

  /// Both are told once a flush is durable, or cannot become it.
  void on_recorded(std::function<void(const recorded&)> told) { told_ = std::move(told); }
  void on_trouble(trouble_sink told) { trouble_ = std::move(told); }

  /// The record is being worked on until its outcome is durable: nobody else may take it up.
  void take_in_hand(core::record_id record);
  [[nodiscard]] bool in_hand(core::record_id record) const { return in_hand_.contains(record); }
  [[nodiscard]] std::size_t in_hand_count() const noexcept { return in_hand_count_.held(); }
  void let_go(core::record_id record); ///< it was given up without an outcome

  /// A record in hand that is withdrawn or held: until its row is durable a count of withdrawals is wrong.
  void note_withdrawal(core::record_id record) { withdrawals_.insert(record); }
  [[nodiscard]] bool withdrawals_open() const noexcept { return !withdrawals_.empty(); }

  /// While a batch is being read, a record whose outcome becomes durable stays in hand for in_hand(): the
  /// batch may have been read before, with the row as it was.
  void reading_began() { reading_ = true; }
  void reading_ended();

  void note_row(core::ledger_row row, core::record_id record, std::optional<stream_ticket> ticket);
  void note_row_only(core::ledger_row row) { next_.rows.push_back(std::move(row)); }
  /// What a call changed at the target: see core::known_delta and core::withdrew.
  void note_reach(std::int64_t known_delta, bool withdrew);

  /// Of a create on its way: so many of this batch, and each concluded once its row, or that it never left,
  /// is durable.
  void open_batch(core::intent_batch_id batch, std::size_t intents) { open_in_batch_[batch] += intents; }
  void note_concluded(core::intent_batch_id batch) { next_flushed_.batches.push_back(batch); }
  void note_withdrawn(core::withdrawn_intent intent) {
    next_.intents_withdrawn.push_back(intent);
    note_concluded(intent.batch);
  }
  void note_kept(core::intent intent) { next_.intents_kept.push_back(std::move(intent)); }

  /// Of a create that was unknown.
  void note_settled(core::record_id record) { next_.intents_done.push_back(record); }
  void note_postponed(core::postponed_intent intent) { next_.intents_postponed.push_back(intent); }
  void note_settled_later(core::record_id record);

  [[nodiscard]] core::run_counts& counts() noexcept { return next_.counts; }
  [[nodiscard]] core::cursor_advance& cursor() noexcept { return next_.cursor; }

  /// Opens the run if there is none yet. Until it is open nothing but the cursor is flushed.
  void need_run();
  [[nodiscard]] bool run_open() const noexcept { return static_cast<bool>(run_); }
  [[nodiscard]] core::run_id run() const noexcept { return run_; }
  void on_run_open(std::function<void()> told) { run_open_ = std::move(told); }

  /// Sends what was noted, if anything was and the run is open.
  void flush();

  /// Nothing noted, nothing on its way.
  [[nodiscard]] bool settled() const noexcept { return on_their_way_ == 0 && !noted(); }

private:
  [[nodiscard]] bool noted() const noexcept;
  [[nodiscard]] bool only_the_cursor_noted() const noexcept;
  /// What one flush made durable.
  struct flushed {
    std::vector<core::record_id> records;
    std::vector<stream_ticket> tickets;
    std::vector<core::intent_batch_id> batches;
    std::optional<core::timestamp> next_due;
    bool references_made = false;
  };
  void recorded_now(flushed what, bool backfill_dropped);

  messages::sync_rule::pointer self_;
  const rule_links& links_;
  std::weak_ptr<void> life_;
  core::rule_id rule_;
  core::run_id run_{};
  bool run_asked_ = false;
  messages::record_outcomes next_;
  flushed next_flushed_;
  std::unordered_map<core::intent_batch_id, std::size_t> open_in_batch_;
  std::unordered_set<core::record_id> in_hand_;
  std::unordered_set<core::record_id> withdrawals_; ///< of those in hand
  std::vector<core::record_id> let_go_while_reading_;
  telemetry::gauge_share in_hand_count_;
  bool reading_ = false;
  std::int64_t on_their_way_ = 0;
  std::function<void(const recorded&)> told_;
  std::function<void()> run_open_;
  trouble_sink trouble_;
};

} // namespace sluice::actors
