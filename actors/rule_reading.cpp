#include "actors/reply.hpp"
#include "actors/rule_asking.hpp"
#include "actors/rule_chain.hpp"
#include "messages/request.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// The reading part of rule_chain: which batch comes next.
namespace sluice::actors {

namespace m = messages;
using core::step_kind;
using place = core::chain_phase::place;

namespace {

constexpr std::int64_t recovered_intents_max = 10000;

} // namespace

/// A chain's hands are full with `batches_in_hand` batches; it does not read on while calls wait for their
/// budget.
bool rule_chain::may_read() const {
  if (reading_ || batch_ || desk_->has_waiting())
    return false;
  if (propagates() && book_->withdrawals_open())
    return false; // the next batch's count would miss them
  auto drains_next = drain_again_ && !pass_open_;
  if (wait_for_idle_ || backfill_dropped_ || backfill_cut_ || pass_read_ || drains_next
      || phase_.at() == place::through)
    return idle();
  auto batch = static_cast<std::size_t>(settings_.scan_batch_size);
  return book_->in_hand_count() + batch <= batch * static_cast<std::size_t>(settings_.batches_in_hand);
}

void rule_chain::read_next() {
  wait_for_idle_ = false;
  if (std::exchange(backfill_dropped_, false) || std::exchange(backfill_cut_, false))
    start_backfill_over();
  if (pass_read_)
    end_pass();
  if (!pass_open_ && std::exchange(drain_again_, false)) {
    drain_after_.clear();
    phase_.due_again();
  }
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
  m::request(self_, links_.node->recorder, links_.node->settings->actors.request_timeout,
             m::adopt_intents{rule_id_}, adopted, failed);
}

void rule_chain::read_unsettled() {
  if (recover_ && !adopted_) {
    adopt_intents();
    return;
  }
  auto limit = recover_ ? recovered_intents_max : std::int64_t{settings_.drain_chunk_size};
  ask_reader<m::unsettled_read>(m::read_unsettled{rule_id_, recover_, limit}, &rule_chain::on_unsettled);
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
  query.anchor_domain = delivery_->rule().anchor_domain;
  query.target = target_.id;
  if (propagates()) {
    query.volume_window = links_.node->settings->volume.window;
    query.delta_after = {pass_floor(), {}};
  }
  ask_reader<core::due_batch>(m::read_due{std::move(query)}, &rule_chain::on_due);
}

/// A pass begins with the cursor as it stands: a marker or a person may have moved it.
void rule_chain::begin_pass() {
  woken_ = false;
  ask_reader<core::delivery_cursor>(m::read_cursor{rule_id_}, &rule_chain::on_cursor);
}

void rule_chain::on_cursor(core::delivery_cursor& cursor) {
  if (cursor.backfill_generation != cursor_.backfill_generation || !cursor.backfill_until) {
    backfill_ = {};
    backfill_open_ = backfill_read_ = false;
  }
  cursor_ = cursor;
  seen_counter_ = cursor_.change_counter;
  pass_began_at_ = cursor_.delta.changed_at;
  read_after_ = {pass_floor(), {}};
  delta_ = {};
  pass_open_ = true;
}

core::timestamp rule_chain::pass_floor() const {
  auto floor = core::delta_pass_floor(cursor_, settings_.scan_overlap);
  return delivery_->rule().dependent() ? std::max(floor, cursor_.activated_at) : floor;
}

void rule_chain::read_scan(step_kind step) {
  if (step == step_kind::backfill && !std::exchange(backfill_open_, true))
    backfill_after_ = cursor_.backfill;
  core::scan_query query;
  query.rule = rule_id_;
  query.source = source_.id;
  query.domain = delivery_->rule().domain;
  query.deletes = delivery_->rule().deletes;
  query.dependent = delivery_->rule().dependent();
  query.limit = settings_.scan_batch_size;
  query.examine_limit = settings_.scan_examine_limit;
  query.after = step == step_kind::backfill ? backfill_after_ : read_after_;
  if (step == step_kind::backfill)
    query.until = cursor_.backfill_until;
  if (propagates()) {
    query.volume_window = links_.node->settings->volume.window;
    query.now = links_.node->time->wall();
  }
  auto then = step == step_kind::backfill ? &rule_chain::on_backfill : &rule_chain::on_delta;
  ask_reader<core::scan_batch>(m::read_scan{std::move(query), step}, then);
}

/// Which of the parents that a batch names the target holds.
void rule_chain::read_anchors(const std::vector<std::string>& parents) {
  anchors_.clear();
  std::set<std::string> named(parents.begin(), parents.end());
  named.erase(std::string{});
  m::anchors_read none;
  if (!parent_ || named.empty())
    on_anchors(none);
  else
    ask_reader<m::anchors_read>(m::read_anchors{*parent_, {named.begin(), named.end()}},
                                &rule_chain::on_anchors);
}

/// Everything the pass brought is durable: the next pass need not look further back than where this one
/// began.
void rule_chain::end_pass() {
  pass_read_ = pass_open_ = false;
  if (cursor_.previous_pass_at != pass_began_at_)
    book_->cursor().pass_began_at = cursor_.previous_pass_at = pass_began_at_;
  if (std::exchange(cursor_.rescan_from, std::nullopt))
    book_->cursor().rescanned_counter = seen_counter_;
  phase_.passed(woken_, cursor_.backfill_until.has_value() && !delivery_->rule().dependent());
  turn_began_at_.reset();
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
