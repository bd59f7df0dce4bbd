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
constexpr std::int64_t crash_within = 60; ///< messages after the moment it was drawn for

} // namespace

std::vector<simulation::event> simulation::draw_hour() {
  auto begin = began_at_ + (hour_ - 1) * 1h;
  auto at_any_time = [&] { return begin + dice_.between(0s, 59min); };
  std::vector<event> events;
  draw_flurries(events, begin);
  auto busy = events[dice_.below(events.size())].at;
  events.push_back({busy + dice_.between(0s, 2s), happening::node_crashes, 0});
  for (auto left = dice_.between(1, 2); left > 0; --left) {
    auto at = at_any_time();
    events.push_back({at, happening::operators_act, 0});
    events.push_back({at + dice_.between(10s, 8min), happening::operators_act, 0});
  }
  events.push_back({at_any_time(), happening::somebody_looks, 0});
  for (int quarter = 0; quarter < 4; ++quarter)
    draw_quarter(events, begin + quarter * 15min);
  std::ranges::stable_sort(events, {}, &event::at);
  return events;
}

void simulation::draw_flurries(std::vector<event>& into, core::duration begin) {
  for (std::size_t changes = 0; changes < changes_an_hour;) {
    auto size = dice_.pick(flurry_sizes);
    into.push_back({begin + dice_.between(0s, 59min), happening::records_change, size});
    changes += size;
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
  };
  for (const auto& [what, how] : kinds) {
    if (dice_.chance(faults_.probability(what)))
      into.push_back({begin + dice_.between(0s, 15min), how, 0});
  }
}

void simulation::let_happen(const event& what) {
  auto& target = *dice_.pick(targets_);
  switch (what.what) {
  case happening::records_change:
    source_->change(what.count);
    break;
  case happening::operators_act:
    note("an operator " + operators_->act());
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
  case happening::somebody_looks:
    look();
    break;
  }
}

void simulation::crash() {
  note("crash");
  faults_.count(fault::crashed);
  checker_.lost(std::nullopt, now());
  calls_out_.clear();
  world_.crash();
  look();
  world_.start();
}

/// The writes that were on their way come too late: they must change nothing.
void simulation::lose_the_lease() {
  // While records change, so that there is something to write.
  source_->change(dice_.below(20) + 5);
  for (auto left = dice_.between(10, 150); left > 0 && world_.deliver_next(); --left) {
  }
  note("the lease is lost");
  faults_.count(fault::lease_lost);
  checker_.lost(std::nullopt, now());
  calls_out_.clear();
  crash_in_ = 0; // a new node would have the lease, and write
  world_.lose_the_lease();
  auto before = state_text();
  deliver_all();
  if (state_text() != before)
    checker_.stale_owner_wrote("a node wrote after another had taken its lease");
  world_.crash();
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
  world_.jump_wall_clock(by);
}

/// What the ledger and the cursors say, to be compared.
std::string simulation::state_text() {
  std::string text;
  for (const auto& rule : plan_.rules) {
    auto seen = observe(rule);
    text += core::to_rfc3339(seen.cursor.delta.changed_at) + core::to_rfc3339(seen.cursor.updated_at);
    for (const auto& record : seen.records)
      text += record.row ? std::to_string(record.row->row_version) + "," : "-,";
    text += std::to_string(world_.intents(rule.name).size());
  }
  return text;
}

} // namespace sluice::sim
