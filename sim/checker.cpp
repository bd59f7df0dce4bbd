#include "sim/checker.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>

namespace sluice::sim {

namespace {

constexpr core::duration budget_window = std::chrono::seconds{60};

} // namespace

void checker::violated(int property, std::string what) {
  if (!found_)
    found_.emplace(violation{property, std::move(what)});
}

checker::record_facts& checker::facts_of(core::rule_id rule, const std::string& source_id) {
  return records_[{rule, source_id}];
}

const source_version* checker::newest(const std::string& source_id) const {
  auto found = versions_.find(source_id);
  return found == versions_.end() ? nullptr : &found->second.back();
}

void checker::source_wrote(const std::string& source_id, const source_version& version) {
  versions_[source_id].push_back(version);
}

void checker::stop_acknowledged(const core::stop_target& where) {
  if (std::ranges::find(stops_, where) == stops_.end())
    stops_.push_back(where);
}

void checker::call_started(std::size_t target, core::rule_id rule) {
  auto into = targets_[target].connection;
  auto stopped = std::ranges::find_if(
      stops_, [rule, into](const core::stop_target& where) { return where.reaches(rule, into); });
  if (stopped != stops_.end())
    violated(8, "a call starts though the stop of its " + std::string{to_string(stopped->scope)}
                    + " was acknowledged");
}

void checker::request_arrived(std::size_t target, moment at) {
  auto& window = windows_[target];
  window.starts.push_back(at.steady);
  while (at.steady - window.starts.front() > budget_window)
    window.starts.pop_front();
  auto limit = targets_[target].requests_per_minute;
  if (limit > 0 && std::ssize(window.starts) > limit)
    violated(9, std::to_string(window.starts.size()) + " requests within 60 s, the budget is "
                    + std::to_string(limit));
  std::erase_if(window.blocks, [&](const auto& block) {
    return block.until.steady <= at.steady || block.until.wall <= at.wall;
  });
  // What starts in the very moment of the answer cannot know of it yet.
  if (std::ranges::any_of(window.blocks, [&](const auto& block) { return block.from < at.steady; }))
    violated(9, "a request before the time a 429 named");
}

void checker::rate_limited(std::size_t target, core::duration wait, core::duration takes, moment at) {
  auto from = at.steady + takes;
  windows_[target].blocks.push_back({{from + wait, at.wall + takes + wait}, from});
}

void checker::object_forgotten(std::size_t target, const std::string& id) {
  forgotten_.emplace(target, id);
  for (auto& [key, held] : objects_) {
    if (key.first != target || held.erase(id) == 0)
      continue;
    for (auto& [record, facts] : records_) {
      if (record.second == key.second && rules_.at(record.first).target == target)
        facts.forgotten = true;
    }
  }
}

/// A wait of the wall clock is worth what the clock is: windows that were open when it was set forward are
/// not judged.
void checker::clock_set(core::duration by, moment at) {
  answers_until(at);
  if (by <= core::duration{0})
    return;
  for (auto& window : windows_)
    window.starts.clear();
  for (auto& [rule, window] : withdrawals_)
    window.told.clear();
}

void checker::answers_until(moment at) {
  while (!coming_.empty() && coming_.begin()->first <= at.steady) {
    auto [due, answer] = *coming_.begin();
    coming_.erase(coming_.begin());
    answered(answer, {due, at.wall - (at.steady - due)});
  }
}

void checker::lost(std::optional<core::rule_id> rule, moment at) {
  answers_until(at);
  for (const auto& [each, facts] : rules_) {
    if (!rule || each == *rule)
      lost_at_[each] = at.steady;
  }
  for (auto coming = coming_.begin(); coming != coming_.end();) {
    const auto& call = coming->second.call;
    if (rule && call.rule != *rule) {
      ++coming;
      continue;
    }
    auto& record = facts_of(call.rule, call.source_id);
    record.repeats = true;
    if (call.op == core::operation::create && call.arrived)
      record.unknown = unknown_create{at, call.key};
    coming = coming_.erase(coming);
  }
  for (auto& [key, record] : records_) {
    if ((rule && key.first != *rule) || record.answered_at != at.steady)
      continue;
    record.uncertain = record.repeats = true;
    std::erase_if(withdrawals_[key.first].told,
                  [&](const auto& told) { return told.first == at.steady && told.second == key.second; });
  }
  for (auto& window : windows_)
    std::erase_if(window.blocks, [&](const auto& block) { return block.from >= at.steady; });
  if (rule)
    calls_out_.erase(*rule);
  else
    calls_out_.clear();
}

void checker::released(core::rule_id rule, std::int64_t allowed, moment at) {
  withdrawals_[rule].releases.emplace_back(at.steady, allowed);
}

void checker::calls_out(core::rule_id rule, std::size_t count) {
  if (count > settings_.calls_out_max)
    violated(15, std::to_string(count) + " calls of rule " + rules_.at(rule).name
                     + " are handed over and not answered, at most " + std::to_string(settings_.calls_out_max)
                     + " may be");
}

void checker::messages_wait(std::size_t count) {
  if (count > settings_.messages_max)
    violated(15, std::to_string(count) + " messages wait, at most " + std::to_string(settings_.messages_max)
                     + " may");
}

} // namespace sluice::sim
