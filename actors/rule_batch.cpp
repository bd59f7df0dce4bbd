#include "actors/reply.hpp"
#include "actors/rule_chain.hpp"
#include "messages/request.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <cstddef>
#include <utility>

/// What becomes of what a rule_chain has read: the batch is cleared, then each of its records is worked on.
namespace sluice::actors {

namespace m = messages;
using core::step_kind;

void rule_chain::on_unsettled(m::unsettled_read& found) {
  recover_ = false;
  unsettled_ = std::move(found);
  std::vector<std::string> parents;
  parents.reserve(unsettled_.found.size());
  for (const auto& each : unsettled_.found)
    parents.push_back(delivery_->parent_of(each.about.record));
  read_anchors(parents);
}

void rule_chain::settle_all() {
  auto now = links_.node->time->wall();
  for (auto& found : std::exchange(unsettled_, {}).found) {
    if (found.made.settle_at && *found.made.settle_at > now)
      continue; // an earlier life has looked already, and what it sent may still arrive
    settle(std::move(found));
  }
  phase_.settled();
  wait_for_idle_ = true;
}

void rule_chain::settle(core::unsettled found) {
  auto record = found.made.record;
  auto attempts = found.made.settle_attempts;
  auto anchor_id = anchor_of(delivery_->parent_of(found.about.record));
  auto settlement = delivery_->settle(std::move(found), std::move(anchor_id), links_.node->time->wall());
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

void rule_chain::on_due(core::due_batch& read) {
  auto& taken = batch_.emplace();
  taken.step = step_kind::drain;
  taken.candidates = std::move(read.candidates);
  clear_withdrawals(read.volume);
}

void rule_chain::on_delta(core::scan_batch& read) {
  take_scan(read, step_kind::delta);
}

void rule_chain::on_backfill(core::scan_batch& read) {
  take_scan(read, step_kind::backfill);
}

/// A record of the batch that is still being worked on: the batch is read again once nothing is.
void rule_chain::take_scan(core::scan_batch& read, step_kind step) {
  if (meets_work_in_hand(read.candidates)) {
    wait_for_idle_ = true;
    return;
  }
  auto& taken = batch_.emplace();
  taken.step = step;
  taken.candidates = std::move(read.candidates);
  taken.examined_to = read.examined_to;
  taken.examined = read.examined;
  taken.through = read.through;
  clear_withdrawals(read.volume);
}

bool rule_chain::meets_work_in_hand(const std::vector<core::candidate>& candidates) const {
  for (const auto& candidate : candidates) {
    if (book_->in_hand(candidate.record.id))
      return true;
  }
  return false;
}

void rule_chain::clear_withdrawals(const std::optional<core::volume_count>& count) {
  if (!count) {
    find_parents();
    return;
  }
  auto cleared = [this, life = weak_from_this()](const m::withdrawal_clearance& answer) {
    if (life.expired() || !batch_)
      return;
    batch_->withdrawals = answer;
    find_parents();
    pump();
  };
  auto failed = [this, life = weak_from_this()](const caf::error& error) {
    if (!life.expired())
      trouble({core::run_ending::faulted, "the breaker did not answer: " + describe(error), {}});
  };
  m::request(self_, links_.node->breaker, links_.node->settings->actors.request_timeout,
             m::judge_withdrawals{rule_id_, *count}, cleared, failed);
}

void rule_chain::find_parents() {
  if (!delivery_->rule().dependent()) {
    work_batch();
    return;
  }
  for (const auto& candidate : batch_->candidates)
    batch_->parents.push_back(delivery_->parent_of(candidate.record));
  read_anchors(batch_->parents);
}

void rule_chain::on_anchors(m::anchors_read& answer) {
  for (auto& anchor : answer.anchors)
    anchors_.emplace(std::move(anchor.source_id), std::move(anchor.remote_id));
  if (batch_)
    work_batch();
  else
    settle_all();
}

std::string rule_chain::anchor_of(const std::string& parent) const {
  auto found = anchors_.find(parent);
  return found == anchors_.end() ? std::string{} : found->second;
}

void rule_chain::work_batch() {
  auto of = std::move(*batch_);
  batch_.reset();
  book_->counts().examined += of.examined;
  auto last = of.step == step_kind::backfill ? backfill_after_ : read_after_;
  if (of.step == step_kind::drain && !of.candidates.empty())
    drain_after_ = of.candidates.back().row->source_id;
  for (std::size_t i = 0; i < of.candidates.size(); ++i) {
    if (ending_)
      return;
    last = of.candidates[i].record.at();
    work_on(std::move(of.candidates[i]), of, of.parents.empty() ? std::string{} : of.parents[i]);
  }
  if (of.step != step_kind::drain) {
    end_scan_batch(of, last);
  } else if (of.candidates.empty()) {
    phase_.drained();
    wait_for_idle_ = true;
    find_next_due();
  }
}

void rule_chain::end_scan_batch(const read_batch& done, core::position last) {
  if (done.examined_to > last)
    stream(done.step).add_concluded(done.examined_to);
  if (done.step == step_kind::delta) {
    read_after_ = done.examined_to;
    pass_read_ = done.through;
    note_cursor();
    return;
  }
  begin_turn();
  backfill_after_ = done.examined_to;
  backfill_read_ = done.through;
  note_cursor();
  phase_.backfilled(wanted_elsewhere(), done.through);
  wait_for_idle_ = phase_.at() != core::chain_phase::place::backfill;
}

void rule_chain::work_on(core::candidate candidate, read_batch& of, const std::string& parent) {
  auto record = candidate.record.id;
  auto at = candidate.record.at();
  auto scanned = of.step != step_kind::drain;
  auto resend = of.step == step_kind::backfill && cursor_.backfill_resend;
  const judge_facts with{of.step, of.withdrawals.hold_live, of.withdrawals.allowed > 0, resend,
                         parent,  anchor_of(parent),        cursor_.looks_first};
  auto judged = delivery_->judge(std::move(candidate), with, links_.node->time->wall());
  count(book_->counts(), judged.decided);
  links_.node->metrics->decisions(judged.decided).add();
  std::optional<stream_ticket> ticket;
  if (scanned && judged.what == judged::kind::nothing)
    stream(of.step).add_concluded(at);
  else if (scanned)
    ticket = {of.step, stream(of.step).add(at)};
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
  if (judged.decided == core::action::withdraw)
    --of.withdrawals.allowed;
  if (judged.decided == core::action::withdraw || judged.decided == core::action::hold)
    book_->note_withdrawal(record);
  book_->need_run();
}

} // namespace sluice::actors
