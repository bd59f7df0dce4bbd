#include "sim/simulation.hpp"
#include "storage/ledger.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

/// What happens in an hour, and how.
namespace sluice::sim {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t changes_an_hour = 280; ///< a few of them meet a record twice
constexpr std::size_t flurry_sizes[] = {1, 1, 2, 5, 10, 20, 40, 70};
constexpr double stops_an_hour = 0.5;
constexpr double backfills_an_hour = 0.4;
constexpr core::duration flood_lasts = 5min;
constexpr std::size_t flooded_changes = changes_an_hour * 10 / 12; ///< ten times as many as the hour's in it
constexpr std::int64_t crash_within = 60; ///< messages after the moment it was drawn for

} // namespace

std::vector<simulation::event> simulation::draw_hour() {
  auto begin = began_at_ + (hour_ - 1) * 1h;
  auto events = std::exchange(carried_, {});
  draw_flurries(events, begin, 59min, changes_an_hour);
  auto busy = events[dice_.below(events.size())].at;
  events.push_back({busy + dice_.between(0s, 2s), happening::node_crashes, 0});
  draw_acts(events, begin);
  draw_others(events, begin);
  events.push_back({begin + dice_.between(0s, 59min), happening::somebody_looks, 0});
  for (int quarter = 0; quarter < 4; ++quarter)
    draw_quarter(events, begin + quarter * 15min);
  std::ranges::stable_sort(events, {}, &event::at);
  auto next_hour = std::ranges::lower_bound(events, begin + 1h, {}, &event::at);
  carried_.assign(next_hour, events.end());
  events.erase(next_hour, events.end());
  return events;
}

void simulation::draw_flurries(std::vector<event>& into, core::duration begin, core::duration length,
                               std::size_t changes) {
  for (std::size_t drawn = 0; drawn < changes;) {
    auto size = dice_.pick(flurry_sizes);
    into.push_back({begin + dice_.between(0s, length), happening::records_change, size});
    drawn += size;
  }
}

void simulation::draw_acts(std::vector<event>& into, core::duration begin) {
  auto at_any_time = [&] { return begin + dice_.between(0s, 59min); };
  for (auto left = dice_.between(1, 2); left > 0; --left) {
    auto at = at_any_time();
    into.push_back({at, happening::operators_act, 0});
    into.push_back({at + dice_.between(10s, 8min), happening::operators_act, 0});
  }
  if (dice_.chance(stops_an_hour)) {
    auto busy = into[dice_.below(into.size())].at + dice_.between(0s, 1s);
    auto amid = dice_.chance(0.5);
    into.push_back({busy, amid ? happening::operators_stop_amid_work : happening::operators_stop, 0});
    into.push_back({busy + dice_.between(5s, 10min), happening::operators_resume, 0});
  }
  if (dice_.chance(backfills_an_hour)) {
    auto at = at_any_time();
    into.push_back({at, happening::operators_count_backfill, 0});
    auto started = at + dice_.between(1s, 1min);
    into.push_back({started, happening::operators_start_backfill, 0});
    into.push_back({started + dice_.between(0s, 2s), happening::somebody_looks, 0});
    into.push_back({started + dice_.between(0s, 6s), happening::operators_abort_backfill, 0});
  }
}

void simulation::draw_others(std::vector<event>& into, core::duration begin) {
  if (audience_) {
    for (const auto& [at, what] : audience_->draw_hour(begin))
      into.push_back({at, happening::audience_acts, 0, what});
  }
  if (mailroom_) {
    for (const auto& [at, what] : mailroom_->draw_hour(begin))
      into.push_back({at, happening::mailroom_acts, 0, {}, what});
  }
}

void simulation::draw_quarter(std::vector<event>& into, core::duration begin) {
  constexpr std::pair<fault, happening> kinds[] = {
      {fault::crashed, happening::node_crashes},
      {fault::lease_lost, happening::lease_is_lost},
      {fault::rule_actor_died, happening::rule_actor_dies},
      {fault::clock_set_forward, happening::clock_goes_forward},
      {fault::clock_set_back, happening::clock_goes_back},
      {fault::record_forgotten, happening::target_forgets},
      {fault::tokens_revoked, happening::tokens_are_revoked},
      {fault::target_down, happening::target_goes_down},
      {fault::flooded, happening::flood_begins},
  };
  for (const auto& [what, how] : kinds) {
    if (!dice_.chance(faults_.probability(what)))
      continue;
    auto at = begin + dice_.between(0s, 15min);
    into.push_back({at, how, 0});
    if (how == happening::flood_begins)
      draw_flurries(into, at, flood_lasts, flooded_changes);
  }
}

void simulation::let_happen(const event& what) {
  auto& target = *dice_.pick(targets_);
  switch (what.what) {
  case happening::records_change:
    source_->change(what.count);
    break;
  case happening::operators_act:
  case happening::operators_stop:
  case happening::operators_stop_amid_work:
  case happening::operators_resume:
  case happening::operators_count_backfill:
  case happening::operators_start_backfill:
  case happening::operators_abort_backfill:
    let_operators(what.what);
    break;
  case happening::node_crashes:
    crash_in_ = dice_.between(1, crash_within);
    break;
  case happening::lease_is_lost:
    lose_the_lease();
    break;
  case happening::rule_actor_dies:
    kill_a_rule();
    break;
  case happening::clock_goes_forward:
    set_clock(dice_.between(1s, 20min));
    break;
  case happening::clock_goes_back:
    set_clock(-dice_.between(1s, 20min));
    break;
  case happening::target_forgets:
    faults_.count(fault::record_forgotten);
    target.forget_something();
    break;
  case happening::tokens_are_revoked:
    faults_.count(fault::tokens_revoked);
    target.revoke_tokens();
    break;
  case happening::target_goes_down:
    faults_.count(fault::target_down);
    target.go_down(dice_.between(10s, 5min));
    break;
  case happening::flood_begins:
    note("ten times as much changes");
    faults_.count(fault::flooded);
    break;
  case happening::somebody_looks:
    look();
    break;
  case happening::audience_acts:
    audience_->let_happen(what.audience);
    break;
  case happening::mailroom_acts:
    mailroom_->let_happen(what.mail);
    break;
  }
}

void simulation::let_operators(happening what) {
  auto did = [&] {
    switch (what) {
    case happening::operators_stop_amid_work:
      get_to_work();
      [[fallthrough]];
    case happening::operators_stop:
      return operators_->set_stop();
    case happening::operators_resume:
      return operators_->end_stop();
    case happening::operators_count_backfill:
      return operators_->count_backfill();
    case happening::operators_start_backfill:
      return operators_->start_backfill();
    case happening::operators_abort_backfill:
      return operators_->abort_backfill();
    default:
      return operators_->act();
    }
  }();
  note("an operator " + did);
}

void simulation::get_to_work() {
  source_->change(dice_.below(20) + 5);
  for (auto left = dice_.between(10, 150); left > 0 && world_.deliver_next(); --left) {
  }
}

/// What was answered and is not recorded.
void simulation::lose_everything() {
  checker_.lost(std::nullopt, now());
  event_checker_.lost(now());
  calls_out_.clear();
}

void simulation::crash() {
  note("crash");
  faults_.count(fault::crashed);
  lose_everything();
  world_.crash();
  people_forget();
  look();
  world_.start();
}

/// Nobody answers what was asked of a node that died.
void simulation::people_forget() {
  operators_->node_died();
  if (audience_)
    audience_->node_died();
  if (mailroom_)
    mailroom_->node_died();
}

/// The writes that were on their way come too late: they must change nothing.
void simulation::lose_the_lease() {
  get_to_work(); // so that there is something to write
  note("the lease is lost");
  faults_.count(fault::lease_lost);
  lose_everything();
  crash_in_ = 0; // a new node would have the lease, and write
  world_.lose_the_lease();
  auto before = state_text();
  deliver_all();
  if (state_text() != before)
    checker_.stale_owner_wrote("a node wrote after another had taken its lease");
  world_.crash();
  people_forget();
  look();
  world_.start();
}

void simulation::kill_a_rule() {
  const auto& rule = dice_.pick(plan_.rules);
  if (!world_.has_rule_actor(rule.name))
    return;
  note("the actor of rule " + rule.name + " dies");
  faults_.count(fault::rule_actor_died);
  auto id = world_.rule_id(rule.name);
  checker_.lost(id, now());
  calls_out_.erase(id);
  world_.kill(world_.rule(rule.name));
}

/// Not while a target works on a create its caller has given up: what a wait of the wall clock is worth then,
/// nobody can say.
void simulation::set_clock(core::duration by) {
  if (std::ranges::any_of(targets_, [](const auto& target) { return target->works(); }))
    return;
  note("the clock is set by " + core::to_text(by));
  faults_.count(by > core::duration{0} ? fault::clock_set_forward : fault::clock_set_back);
  checker_.clock_set(by, now());
  event_checker_.clock_set(now());
  notification_checker_.clock_set();
  world_.jump_wall_clock(by);
}

} // namespace sluice::sim
