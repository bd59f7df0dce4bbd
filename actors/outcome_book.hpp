#pragma once

#include "actors/chain_trouble.hpp"
#include "actors/order.hpp"
#include "actors/rule_links.hpp"
#include "core/ledger.hpp"
#include "core/run.hpp"
#include "messages/recorder.hpp"
#include "messages/sync_rule.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_set>
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
  };

  outcome_book(messages::sync_rule::pointer self, const rule_links& links, core::rule_id rule,
               std::weak_ptr<void> life);

  /// Both are told once a flush is durable, or cannot become it.
  void on_recorded(std::function<void(const recorded&)> told) { told_ = std::move(told); }
  void on_trouble(trouble_sink told) { trouble_ = std::move(told); }

  /// The record is being worked on until its outcome is durable: nobody else may take it up.
  void take_in_hand(core::record_id record);
  [[nodiscard]] bool in_hand(core::record_id record) const { return in_hand_.contains(record); }
  [[nodiscard]] std::size_t in_hand_count() const noexcept { return in_hand_count_; }
  void let_go(core::record_id record); ///< it was given up without an outcome

  /// While a batch is being read, a record whose outcome becomes durable stays in hand for in_hand(): the
  /// batch may have been read before, with the row as it was.
  void reading_began() { reading_ = true; }
  void reading_ended();

  void note_row(core::ledger_row row, core::record_id record, std::optional<stream_ticket> ticket);
  void note_row_only(core::ledger_row row) { next_.rows.push_back(std::move(row)); }
  void note_intent_done(core::record_id record) { next_.intents_done.push_back(record); }
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
  void recorded_now(std::vector<core::record_id> records, std::vector<stream_ticket> tickets,
                    bool backfill_dropped);

  messages::sync_rule::pointer self_;
  const rule_links& links_;
  std::weak_ptr<void> life_;
  core::rule_id rule_;
  core::run_id run_{};
  bool run_asked_ = false;
  messages::record_outcomes next_;
  std::vector<core::record_id> next_records_;
  std::vector<stream_ticket> next_tickets_;
  std::unordered_set<core::record_id> in_hand_;
  std::vector<core::record_id> let_go_while_reading_;
  std::size_t in_hand_count_ = 0;
  bool reading_ = false;
  std::int64_t on_their_way_ = 0;
  std::function<void(const recorded&)> told_;
  std::function<void()> run_open_;
  trouble_sink trouble_;
};

} // namespace sluice::actors
