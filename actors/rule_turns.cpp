#include "actors/rule_chain.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <utility>

/// How a rule_chain's backfill and what must not wait behind it take turns.
namespace sluice::actors {

namespace m = messages;
using place = core::chain_phase::place;

/// A turn begins with the first batch after a delta pass.
void rule_chain::begin_turn() {
  if (turn_began_at_)
    return;
  turn_began_at_ = links_.node->time->steady();
  turn_alarm_set_ = false;
}

/// New records, and rows that fell due, wait until nothing of the backfill is in hand. What it has read but
/// not sent is let go once its turn has lasted long enough, so that a slow target does not make them wait for
/// batches of calls.
void rule_chain::make_way() {
  if (!turn_began_at_ || reading_ || batch_)
    return;
  if (phase_.at() == place::backfill && wanted_elsewhere()) {
    phase_.backfilled(true, backfill_read_);
    wait_for_idle_ = true;
  }
  auto waited_for = wanted_elsewhere() || phase_.at() == place::delta;
  if (!waited_for || !backfill_.pending() || backfill_cut_)
    return;
  auto left = *turn_began_at_ + settings_.backfill_batch_time - links_.node->time->steady();
  if (left <= core::duration{0}) {
    desk_->let_go();
    backfill_cut_ = true;
  } else if (!std::exchange(turn_alarm_set_, true)) {
    self_->send(links_.node->alarm, m::set_timer{left, {turn_token}, m::sync_rule{self_}});
  }
}

/// From where the durable outcomes end, after another delta pass.
void rule_chain::start_backfill_over() {
  desk_->go_on();
  backfill_ = {};
  backfill_open_ = backfill_read_ = false;
  phase_.start_over();
}

} // namespace sluice::actors
