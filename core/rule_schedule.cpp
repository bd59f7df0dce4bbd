#include "core/rule_schedule.hpp"

#include <algorithm>
#include <utility>

namespace sluice::core {

std::vector<rule_id> rule_schedule::set_routes(const std::vector<route>& routes, timestamp now) {
  std::unordered_set<rule_id> named;
  for (const auto& route : routes) {
    named.insert(route.rule);
    auto [found, is_new] = entries_.try_emplace(route.rule);
    auto& entry = found->second;
    auto opens = route.open && !entry.open;
    entry.target = route.target;
    entry.open = route.open;
    entry.listed = true;
    entry.counter = std::max(entry.counter, route.change_counter);
    entry.seen = std::max(entry.seen, route.completed_counter);
    entry.backfilling = route.backfilling;
    if (opens) {
      entry.sweep_at = is_new ? first_sweep_of(route.rule, now) : now;
      entry.not_before.reset();
    }
    plan(route.rule, entry);
  }
  std::vector<rule_id> gone;
  for (auto& [rule, entry] : entries_) {
    if (named.contains(rule))
      continue;
    entry.open = false;
    entry.listed = false;
    if (!entry.running)
      gone.push_back(rule);
  }
  for (auto rule : gone)
    entries_.erase(rule);
  return gone;
}

bool rule_schedule::listed(rule_id rule) const {
  const auto found = entries_.find(rule);
  return found != entries_.end() && found->second.listed;
}

std::vector<rule_id> rule_schedule::running_closed() const {
  std::vector<rule_id> closed;
  for (const auto& [rule, entry] : entries_) {
    if (entry.running && !entry.open)
      closed.push_back(rule);
  }
  return closed;
}

timestamp rule_schedule::first_sweep_of(rule_id rule, timestamp now) const {
  if (settings_.first == first_sweep::at_once)
    return now;
  constexpr std::uint64_t golden =
      0x9E3779B97F4A7C15; // Knuth's multiplicative hash: neighbours land far apart
  auto place = (static_cast<std::uint64_t>(rule.value) * golden) >> 32;
  auto share =
      static_cast<std::int64_t>(place % static_cast<std::uint64_t>(settings_.sweep_interval.count()));
  return now + duration{share};
}

void rule_schedule::set_due(rule_id rule, timestamp at) {
  auto found = entries_.find(rule);
  if (found == entries_.end())
    return;
  found->second.due_at = at;
  plan(rule, found->second);
}

void rule_schedule::hurry(rule_id rule, timestamp now) {
  auto found = entries_.find(rule);
  if (found == entries_.end())
    return;
  found->second.sweep_at = now;
  found->second.again = found->second.running;
  plan(rule, found->second);
}

bool rule_schedule::changed(rule_id rule, std::int64_t counter) {
  auto found = entries_.find(rule);
  if (found == entries_.end())
    return false;
  auto& entry = found->second;
  entry.counter = std::max(entry.counter, counter);
  plan(rule, entry);
  return entry.running;
}

void rule_schedule::chain_ended(const ended& chain, timestamp now) {
  auto found = entries_.find(chain.rule);
  if (found == entries_.end())
    return;
  auto& entry = found->second;
  if (entry.running)
    --running_;
  entry.running = false;
  entry.due_at = chain.next_due;
  entry.not_before = chain.retry_at;
  entry.sweep_at = now + settings_.sweep_interval;
  switch (chain.how) {
  case run_ending::completed:
    entry.seen = std::max(entry.seen, chain.seen_counter);
    entry.backfilling = false;
    break;
  case run_ending::stopped:
    entry.sweep_at = now; // where the stop is over by now; else lifting it files the rule
    break;
  case run_ending::route_closed: // by now it may be open again: only the configuration says that it is not
  case run_ending::throttled:
  case run_ending::breaker_open:
  case run_ending::faulted:
  case run_ending::abandoned:
    if (!entry.not_before)
      entry.not_before = now + settings_.fault_pause;
    entry.sweep_at = *entry.not_before; // it stopped in the middle
    break;
  }
  if (std::exchange(entry.again, false))
    entry.sweep_at = now;
  plan(chain.rule, entry);
}

std::vector<rule_id> rule_schedule::set_stop(const stop_target& where) {
  stops_.add(where);
  std::vector<rule_id> running;
  for (const auto& [rule, entry] : entries_) {
    if (entry.running && where.reaches(rule, entry.target))
      running.push_back(rule);
  }
  return running;
}

void rule_schedule::lift_stop(const stop_target& where, timestamp now) {
  stops_.remove(where);
  for (auto& [rule, entry] : entries_) {
    if (!where.reaches(rule, entry.target))
      continue;
    entry.sweep_at = now;
    plan(rule, entry);
  }
}

void rule_schedule::clock_set_back(duration by) {
  for (auto& [rule, entry] : entries_) {
    entry.sweep_at -= by;
    if (entry.not_before)
      *entry.not_before -= by;
    plan(rule, entry);
  }
}

bool rule_schedule::stopped(rule_id rule) const {
  auto found = entries_.find(rule);
  return found != entries_.end() && stopped(rule, found->second);
}

/// Files the rule under the moment its next chain begins.
void rule_schedule::plan(rule_id rule, rule_entry& entry) {
  if (!entry.open || entry.running || entry.ready || stopped(rule, entry))
    return;
  auto at = entry.sweep_at;
  if (entry.counter != entry.seen || entry.backfilling)
    at = timestamp{};
  if (entry.due_at)
    at = std::min(at, *entry.due_at);
  if (entry.not_before)
    at = std::max(at, *entry.not_before);
  if (at == timestamp{}) {
    make_ready(rule, entry);
    return;
  }
  if (entry.wake_at != at) {
    entry.wake_at = at;
    wakes_.push({at, rule});
  }
}

void rule_schedule::make_ready(rule_id rule, rule_entry& entry) {
  entry.ready = true;
  entry.wake_at = {};
  ready_.push_back(rule);
}

void rule_schedule::collect_due(timestamp now) {
  while (!wakes_.empty() && wakes_.top().at <= now) {
    auto [at, rule] = wakes_.top();
    wakes_.pop();
    auto found = entries_.find(rule);
    if (found == entries_.end() || found->second.wake_at != at || found->second.running
        || found->second.ready)
      continue;
    found->second.wake_at = {};
    if (stopped(rule, found->second))
      continue; // lifting the stop files it anew
    found->second.not_before.reset();
    make_ready(rule, found->second);
  }
}

std::vector<rule_id> rule_schedule::take_ready(timestamp now) {
  collect_due(now);
  std::vector<rule_id> taken;
  while (!ready_.empty() && running_ < settings_.chains_max) {
    auto rule = ready_.front();
    ready_.pop_front();
    auto found = entries_.find(rule);
    if (found == entries_.end())
      continue;
    auto& entry = found->second;
    entry.ready = false;
    if (!entry.open || stopped(rule, entry))
      continue;
    entry.running = true;
    entry.due_at.reset();
    ++running_;
    taken.push_back(rule);
  }
  return taken;
}

std::optional<timestamp> rule_schedule::next_time() const {
  if (wakes_.empty())
    return std::nullopt;
  return wakes_.top().at;
}

bool rule_schedule::running(rule_id rule) const {
  auto found = entries_.find(rule);
  return found != entries_.end() && found->second.running;
}

std::vector<rule_id> rule_schedule::running_rules() const {
  std::vector<rule_id> rules;
  for (const auto& [rule, entry] : entries_) {
    if (entry.running)
      rules.push_back(rule);
  }
  return rules;
}

bool rule_schedule::idle(timestamp now) const {
  return running_ == 0 && ready_.empty() && (wakes_.empty() || wakes_.top().at > now);
}

} // namespace sluice::core
