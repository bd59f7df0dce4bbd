#include "core/turn_rota.hpp"

#include "core/assertion.hpp"

#include <algorithm>

namespace sluice::core {

template <class Id>
turn_rota<Id>::turn_rota(turn_rota_limits limits)
    : limits_{std::max<std::size_t>(limits.active, 1), std::max<std::size_t>(limits.failing, 1)} {}

template <class Id>
bool turn_rota<Id>::set_due(Id who, timestamp at, timestamp now, bool failing) {
  auto& its = entries_[who];
  if (its.running) {
    if (at > now)
      return false; // its turn ends with everything that is due later
    its.due = its.due ? std::min(*its.due, at) : at;
    ++its.told;
    return true;
  }
  take_out_of_line(who, its);
  its.failing = its.failing || (failing && !its.judged);
  its.due = its.due ? std::min(*its.due, at) : at;
  put_in_line(who, its);
  return false;
}

template <class Id>
std::vector<typename turn_rota<Id>::turn> turn_rota<Id>::take_ready(timestamp now) {
  std::vector<turn> taken;
  take_turns_of(false, now, taken);
  take_turns_of(true, now, taken);
  return taken;
}

template <class Id>
void turn_rota<Id>::take_turns_of(bool failing, timestamp now, std::vector<turn>& into) {
  auto& line = lines_[static_cast<std::size_t>(failing)];
  auto& running = running_[static_cast<std::size_t>(failing)];
  while (running < limits_[static_cast<std::size_t>(failing)] && !line.empty()
         && line.begin()->first <= now) {
    const auto who = line.begin()->second;
    line.erase(line.begin());
    auto& its = entries_.at(who);
    its.due.reset();
    its.told = 0;
    its.running = true;
    its.as_failing = failing;
    ++running;
    into.push_back({who, failing});
  }
}

template <class Id>
void turn_rota<Id>::end_turn(const turn_end& ended, timestamp now) {
  const auto found = entries_.find(ended.who);
  if (found == entries_.end() || !found->second.running)
    return;
  auto& its = found->second;
  auto& running = running_[static_cast<std::size_t>(its.as_failing)];
  assert_that(running > 0, "a turn that ends was counted when it began");
  --running;
  its.running = false;
  its.failing = ended.failing;
  its.judged = true;
  const auto missed = ended.heard < its.told;
  its.due.reset();
  if (missed)
    its.due = now;
  else if (ended.next_due)
    its.due = std::max(*ended.next_due, now); // behind those that wait already
  if (its.due || its.failing)
    put_in_line(ended.who, its);
  else
    entries_.erase(found);
}

template <class Id>
std::vector<Id> turn_rota<Id>::set_stop(const stop_target& where) {
  stops_.add(where);
  std::vector<Id> reached;
  for (const auto& [who, its] : entries_) {
    if (!where.reaches(who, {}))
      continue;
    if (its.running)
      reached.push_back(who);
    else
      take_out_of_line(who, its);
  }
  std::ranges::sort(reached);
  return reached;
}

template <class Id>
void turn_rota<Id>::lift_stop(const stop_target& where) {
  stops_.remove(where);
  for (const auto& [who, its] : entries_) {
    if (!its.running && where.reaches(who, {}))
      put_in_line(who, its);
  }
}

template <class Id>
std::optional<timestamp> turn_rota<Id>::next_time() const {
  std::optional<timestamp> next;
  for (std::size_t which = 0; which < lines_.size(); ++which) {
    if (running_[which] >= limits_[which] || lines_[which].empty())
      continue;
    const auto at = lines_[which].begin()->first;
    next = next ? std::min(*next, at) : at;
  }
  return next;
}

template <class Id>
bool turn_rota<Id>::running(Id who) const {
  const auto found = entries_.find(who);
  return found != entries_.end() && found->second.running;
}

template <class Id>
std::vector<Id> turn_rota<Id>::running() const {
  std::vector<Id> all;
  for (const auto& [who, its] : entries_) {
    if (its.running)
      all.push_back(who);
  }
  std::ranges::sort(all);
  return all;
}

template <class Id>
void turn_rota<Id>::put_in_line(Id who, const entry& its) {
  if (its.due && !stopped(who))
    lines_[static_cast<std::size_t>(its.failing)].emplace(*its.due, who);
}

template <class Id>
void turn_rota<Id>::take_out_of_line(Id who, const entry& its) {
  if (its.due)
    lines_[static_cast<std::size_t>(its.failing)].erase({*its.due, who});
}

template class turn_rota<subscription_id>;
template class turn_rota<provider_profile_id>;

} // namespace sluice::core
