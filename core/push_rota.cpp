#include "core/push_rota.hpp"

#include "core/assertion.hpp"

#include <algorithm>

namespace sluice::core {

push_rota::push_rota(push_rota_limits limits)
    : limits_{std::max<std::size_t>(limits.active, 1), std::max<std::size_t>(limits.failing, 1)} {}

bool push_rota::set_due(subscription_id subscription, timestamp at, timestamp now, bool failing) {
  auto& its = entries_[subscription];
  if (its.running) {
    if (at > now)
      return false; // its turn ends with everything that is due later
    its.due = its.due ? std::min(*its.due, at) : at;
    ++its.told;
    return true;
  }
  take_out_of_line(subscription, its);
  its.failing = its.failing || (failing && !its.judged);
  its.due = its.due ? std::min(*its.due, at) : at;
  put_in_line(subscription, its);
  return false;
}

std::vector<push_rota::turn> push_rota::take_ready(timestamp now) {
  std::vector<turn> taken;
  take_turns_of(false, now, taken);
  take_turns_of(true, now, taken);
  return taken;
}

void push_rota::take_turns_of(bool failing, timestamp now, std::vector<turn>& into) {
  auto& line = lines_[static_cast<std::size_t>(failing)];
  auto& running = running_[static_cast<std::size_t>(failing)];
  while (running < limits_[static_cast<std::size_t>(failing)] && !line.empty()
         && line.begin()->first <= now) {
    const auto subscription = line.begin()->second;
    line.erase(line.begin());
    auto& its = entries_.at(subscription);
    its.due.reset();
    its.told = 0;
    its.running = true;
    its.as_failing = failing;
    ++running;
    into.push_back({subscription, failing});
  }
}

void push_rota::end_turn(const turn_end& ended, timestamp now) {
  const auto found = entries_.find(ended.subscription);
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
    put_in_line(ended.subscription, its);
  else
    entries_.erase(found);
}

std::vector<subscription_id> push_rota::set_stop(const stop_target& where) {
  stops_.add(where);
  std::vector<subscription_id> reached;
  for (const auto& [subscription, its] : entries_) {
    if (!where.reaches(subscription, {}))
      continue;
    if (its.running)
      reached.push_back(subscription);
    else
      take_out_of_line(subscription, its);
  }
  std::ranges::sort(reached);
  return reached;
}

void push_rota::lift_stop(const stop_target& where) {
  stops_.remove(where);
  for (const auto& [subscription, its] : entries_) {
    if (!its.running && where.reaches(subscription, {}))
      put_in_line(subscription, its);
  }
}

std::optional<timestamp> push_rota::next_time() const {
  std::optional<timestamp> next;
  for (std::size_t which = 0; which < lines_.size(); ++which) {
    if (running_[which] >= limits_[which] || lines_[which].empty())
      continue;
    const auto at = lines_[which].begin()->first;
    next = next ? std::min(*next, at) : at;
  }
  return next;
}

bool push_rota::running(subscription_id subscription) const {
  const auto found = entries_.find(subscription);
  return found != entries_.end() && found->second.running;
}

std::vector<subscription_id> push_rota::running() const {
  std::vector<subscription_id> all;
  for (const auto& [subscription, its] : entries_) {
    if (its.running)
      all.push_back(subscription);
  }
  std::ranges::sort(all);
  return all;
}

void push_rota::put_in_line(subscription_id subscription, const entry& its) {
  if (its.due && !stopped(subscription))
    lines_[static_cast<std::size_t>(its.failing)].emplace(*its.due, subscription);
}

void push_rota::take_out_of_line(subscription_id subscription, const entry& its) {
  if (its.due)
    lines_[static_cast<std::size_t>(its.failing)].erase({*its.due, subscription});
}

} // namespace sluice::core
