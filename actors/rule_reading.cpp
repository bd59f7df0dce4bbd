#include "actors/reply.hpp"
#include "actors/rule_chain.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <utility>

/// The reading half of rule_chain: which batch comes next, and what becomes of its records.
namespace sluice::actors {

namespace m = messages;
using core::step_kind;
using place = core::chain_phase::place;

namespace {

constexpr std::int64_t recovered_intents_max = 10000;

} // namespace

template <class Answer, class Ask>
void rule_chain::ask_reader(Ask ask, void (rule_chain::*then)(Answer&)) {
  reading_ = true;
  book_->reading_began();
  auto answered = [this, life = weak_from_this(), then](Answer& answer) {
    if (life.expired())
      return;
    reading_ = false;
    if (!ending_)
      (this->*then)(answer);
    book_->reading_ended();
    pump();
  };
  auto failed = [this, life = weak_from_this()](const caf::error& error) {
    if (life.expired())
      return;
    reading_ = false;
    book_->reading_ended();
    trouble(reading_failed(error));
  };
  self_->request(links_.reader, links_.node->settings->actors.request_timeout, std::move(ask))
      .then(answered, failed);
}

/// A chain's hands are full with `batches_in_hand` batches; it does not read on while calls wait for their
/// budget.
bool rule_chain::may_read() const {
  if (reading_ || desk_->has_waiting())
    return false;
  if (wait_for_idle_ || backfill_dropped_ || pass_read_ || phase_.at() == place::through)
    return idle();
  auto batch = static_cast<std::size_t>(settings_.scan_batch_size);
  return book_->in_hand_count() + batch <= batch * static_cast<std::size_t>(settings_.batches_in_hand);
}

void rule_chain::read_next() {
  wait_for_idle_ = false;
  if (std::exchange(backfill_dropped_, false)) {
    backfill_ = {};
    backfill_open_ = backfill_read_ = false;
    phase_.start_over();
  }
  if (pass_read_)
    end_pass();
  switch (phase_.at()) {
  case place::settle:
    read_unsettled();
    break;
  case place::drain:
    read_due();
    break;
  case place::delta:
    pass_open_ ? read_scan(step_kind::delta) : begin_pass();
    break;
  case place::backfill:
    read_scan(step_kind::backfill);
    break;
  case place::through:
    complete();
    break;
  }
}

/// What an earlier life left on its way is unknown first of all.
void rule_chain::adopt_intents() {
  reading_ = true;
  auto adopted = [this, life = weak_from_this()] {
    if (life.expired())
      return;
    reading_ = false;
    adopted_ = true;
    pump();
  };
  auto failed = [this, life = weak_from_this()](const caf::error& error) {
    if (life.expired())
      return;
    reading_ = false;
    trouble({core::run_ending::faulted, "intents could not be adopted: " + describe(error), {}});
  };
  self_
      ->request(links_.node->recorder, links_.node->settings->actors.request_timeout,
                m::adopt_intents{rule_id_})
      .then(adopted, failed);
}

void rule_chain::read_unsettled() {
  if (recover_ && !adopted_) {
    adopt_intents();
    return;
  }
  auto limit = recover_ ? recovered_intents_max : std::int64_t{settings_.drain_chunk_size};
  ask_reader<m::unsettled_read>(m::read_unsettled{rule_id_, recover_, limit}, &rule_chain::on_unsettled);
}

void rule_chain::on_unsettled(m::unsettled_read& read) {
  recover_ = false;
  auto now = links_.node->time->wall();
  for (auto& found : read.found) {
    if (found.made.settle_at && *found.made.settle_at > now)
      continue; // an earlier life has looked already, and what it sent may still arrive
    auto record = found.made.record;
    auto attempts = found.made.settle_attempts;
    auto settlement = delivery_->settle(std::move(found), now);
    if (settlement.row || settlement.next)
      book_->need_run();
    if (settlement.next) {
      book_->take_in_hand(record);
      if (settlement.row)
        book_->note_row_only(std::move(*settlement.row));
      desk_->add(std::move(*settlement.next));
    } else if (settlement.row) { // for a person
      book_->take_in_hand(record);
      book_->note_postponed({record, std::nullopt, attempts});
      book_->note_row(std::move(*settlement.row), record, std::nullopt);
    }
  }
  phase_.settled();
  wait_for_idle_ = true;
}

void rule_chain::read_due() {
  core::drain_query query;
  query.rule = rule_id_;
  query.source = source_.id;
  query.domain = delivery_->rule().domain;
  query.after_source_id = drain_after_;
  query.now = links_.node->time->wall();
  query.revision = delivery_->rule().revision;
  query.limit = settings_.drain_chunk_size;
  ask_reader<core::due_batch>(m::read_due{std::move(query)}, &rule_chain::on_due);
}

void rule_chain::on_due(core::due_batch& batch) {
  if (batch.candidates.empty()) {
    phase_.drained();
    wait_for_idle_ = true;
    return;
  }
  drain_after_ = batch.candidates.back().row->source_id;
  for (auto& candidate : batch.candidates) {
    if (ending_)
      return;
    work_on(std::move(candidate), step_kind::drain);
  }
}

/// A pass begins with the cursor as it stands: a marker or a person may have moved it.
void rule_chain::begin_pass() {
  woken_ = false;
  ask_reader<core::delivery_cursor>(m::read_cursor{rule_id_}, &rule_chain::on_cursor);
}

void rule_chain::on_cursor(core::delivery_cursor& cursor) {
  cursor_ = cursor;
  seen_counter_ = cursor_.change_counter;
  pass_began_at_ = cursor_.delta.changed_at;
  read_after_ = {core::delta_pass_floor(cursor_, settings_.scan_overlap), {}};
  delta_ = {};
  pass_open_ = true;
}

void rule_chain::read_scan(step_kind step) {
  if (step == step_kind::backfill && !std::exchange(backfill_open_, true))
    backfill_after_ = cursor_.backfill;
  core::scan_query query;
  query.rule = rule_id_;
  query.source = source_.id;
  query.domain = delivery_->rule().domain;
  query.deletes = delivery_->rule().deletes;
  query.limit = settings_.scan_batch_size;
  query.examine_limit = settings_.scan_examine_limit;
  query.after = step == step_kind::backfill ? backfill_after_ : read_after_;
  if (step == step_kind::backfill)
    query.until = cursor_.backfill_until;
  auto then = step == step_kind::backfill ? &rule_chain::on_backfill : &rule_chain::on_delta;
  ask_reader<core::scan_batch>(m::read_scan{std::move(query), step}, then);
}

void rule_chain::on_delta(core::scan_batch& batch) {
  if (!take_batch(batch, step_kind::delta))
    return;
  read_after_ = batch.examined_to;
  pass_read_ = batch.through;
}

void rule_chain::on_backfill(core::scan_batch& batch) {
  if (!take_batch(batch, step_kind::backfill))
    return;
  backfill_after_ = batch.examined_to;
  backfill_read_ = batch.through;
  note_cursor();
  phase_.backfilled(woken_, batch.through);
  wait_for_idle_ = phase_.at() != place::backfill;
}

/// False: a record of the batch is still being worked on, so the batch is read again once nothing is.
bool rule_chain::take_batch(core::scan_batch& batch, step_kind step) {
  if (meets_work_in_hand(batch.candidates)) {
    wait_for_idle_ = true;
    return false;
  }
  book_->counts().examined += batch.examined;
  auto last = step == step_kind::backfill ? backfill_after_ : read_after_;
  for (auto& candidate : batch.candidates) {
    if (ending_)
      return false;
    last = candidate.record.at();
    work_on(std::move(candidate), step);
  }
  if (batch.examined_to > last)
    stream(step).add_concluded(batch.examined_to);
  note_cursor();
  return true;
}

bool rule_chain::meets_work_in_hand(const std::vector<core::candidate>& candidates) const {
  for (const auto& candidate : candidates) {
    if (book_->in_hand(candidate.record.id))
      return true;
  }
  return false;
}

void rule_chain::work_on(core::candidate candidate, step_kind step) {
  auto record = candidate.record.id;
  auto at = candidate.record.at();
  auto scanned = step != step_kind::drain;
  auto judged = delivery_->judge(std::move(candidate), step, links_.node->time->wall());
  count(book_->counts(), judged.decided);
  std::optional<stream_ticket> ticket;
  if (scanned && judged.what == judged::kind::nothing)
    stream(step).add_concluded(at);
  else if (scanned)
    ticket = {step, stream(step).add(at)};
  switch (judged.what) {
  case judged::kind::nothing:
    return;
  case judged::kind::fault:
    trouble({core::run_ending::faulted, std::move(judged.reason), {}});
    return;
  case judged::kind::booked:
    book_->take_in_hand(record);
    book_->note_row(std::move(judged.row), record, ticket);
    break;
  case judged::kind::ordered:
    book_->take_in_hand(record);
    judged.next.ticket = ticket;
    desk_->add(std::move(judged.next));
    break;
  }
  book_->need_run();
}

/// Everything the pass brought is durable: the next pass need not look further back than where this one
/// began.
void rule_chain::end_pass() {
  pass_read_ = pass_open_ = false;
  if (cursor_.previous_pass_at != pass_began_at_)
    book_->cursor().pass_began_at = cursor_.previous_pass_at = pass_began_at_;
  if (std::exchange(cursor_.rescan_from, std::nullopt))
    book_->cursor().rescanned_counter = seen_counter_;
  phase_.passed(woken_, cursor_.backfill_until.has_value());
}

/// Through, and nothing in hand: the chain has seen every change up to its counter.
void rule_chain::complete() {
  if (woken_) {
    phase_.start_over();
    begin_pass();
    return;
  }
  if (cursor_.completed_counter != seen_counter_ && !std::exchange(completed_noted_, true))
    book_->cursor().completed_counter = seen_counter_;
  ending_.emplace(chain_trouble{core::run_ending::completed, {}, {}});
  desk_->withdraw();
  pump();
}

} // namespace sluice::actors
