#include "actors/outcome_book.hpp"

#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <string>
#include <utility>

namespace sluice::actors {

namespace m = messages;

outcome_book::outcome_book(m::sync_rule::pointer self, const rule_links& links, core::rule_id rule,
                           std::weak_ptr<void> life)
    : self_(self), links_(links), life_(std::move(life)), rule_(rule),
      in_hand_count_(links.node->metrics->records_in_hand) {}

void outcome_book::take_in_hand(core::record_id record) {
  in_hand_count_.take();
  if (record)
    in_hand_.insert(record);
}

void outcome_book::let_go(core::record_id record) {
  in_hand_count_.give_back();
  withdrawals_.erase(record);
  if (reading_)
    let_go_while_reading_.push_back(record);
  else
    in_hand_.erase(record);
}

void outcome_book::reading_ended() {
  reading_ = false;
  for (auto record : std::exchange(let_go_while_reading_, {}))
    in_hand_.erase(record);
}

void outcome_book::note_row(core::ledger_row row, core::record_id record,
                            std::optional<stream_ticket> ticket) {
  auto& earliest = next_flushed_.next_due;
  if (row.next_attempt_at && (!earliest || *row.next_attempt_at < *earliest))
    earliest = row.next_attempt_at;
  next_.rows.push_back(std::move(row));
  next_flushed_.records.push_back(record);
  if (ticket)
    next_flushed_.tickets.push_back(*ticket);
}

void outcome_book::note_reach(std::int64_t known_delta, bool withdrew) {
  next_.known_delta += known_delta;
  next_.withdrawn += std::int64_t{withdrew};
  next_flushed_.references_made = next_flushed_.references_made || known_delta > 0;
}

void outcome_book::note_settled_later(core::record_id record) {
  next_flushed_.records.push_back(record);
}

bool outcome_book::noted() const noexcept {
  return !next_.cursor.empty() || !only_the_cursor_noted();
}

bool outcome_book::only_the_cursor_noted() const noexcept {
  return next_.rows.empty() && next_.batches_done.empty() && next_.intents_withdrawn.empty()
         && next_.intents_kept.empty() && next_.intents_done.empty() && next_.intents_postponed.empty()
         && next_flushed_.records.empty() && next_flushed_.batches.empty();
}

void outcome_book::need_run() {
  if (run_ || run_asked_)
    return;
  run_asked_ = true;
  auto opened = [this, life = life_](const m::run_opened& answer) {
    if (life.expired())
      return;
    run_ = answer.run;
    run_open_();
  };
  auto failed = [this, life = life_](const caf::error& error) {
    if (!life.expired())
      trouble_({core::run_ending::faulted, "the run could not be opened: " + describe(error), {}});
  };
  m::request(self_, links_.node->recorder, links_.node->settings->actors.request_timeout, m::open_run{rule_},
             opened, failed);
}

void outcome_book::flush() {
  if (!noted() || (!run_ && !only_the_cursor_noted()))
    return;
  next_.rule = rule_;
  next_.run = run_;
  ++on_their_way_;
  auto written = [this, life = life_, rule = rule_.value,
                  what = std::exchange(next_flushed_, {})](const m::outcomes_recorded& answer) mutable {
    if (answer.lost_races > 0)
      telemetry::log(telemetry::event::lost_race, "sync_rule",
                     {{"rule", std::to_string(rule)}, {"rows", std::to_string(answer.lost_races)}});
    if (!life.expired())
      recorded_now(std::move(what), answer.backfill_dropped);
  };
  auto failed = [this, life = life_](const caf::error& error) {
    if (life.expired())
      return;
    --on_their_way_;
    trouble_({core::run_ending::faulted, "outcomes could not be recorded: " + describe(error), {}});
  };
  m::request(self_, links_.node->recorder, links_.node->settings->actors.request_timeout,
             std::exchange(next_, {}), std::move(written), failed);
}

void outcome_book::recorded_now(flushed what, bool backfill_dropped) {
  --on_their_way_;
  for (auto record : what.records)
    let_go(record);
  for (auto batch : what.batches) {
    auto open = open_in_batch_.find(batch);
    if (--open->second > 0)
      continue;
    open_in_batch_.erase(open);
    next_.batches_done.push_back(batch);
  }
  told_({std::move(what.tickets), backfill_dropped, what.next_due, what.references_made});
}

} // namespace sluice::actors
