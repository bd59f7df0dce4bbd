#include "core/rule_survey.hpp"

#include <algorithm>
#include <unordered_map>

namespace sluice::core {

namespace {

static_assert(static_cast<std::size_t>(rule_state::none) + 1 == rule_state_count);

[[nodiscard]] bool held_back(const rule_facts& rule, timestamp now) {
  return !rule.route_open || rule.stops.stopped() || (rule.blocked_until && *rule.blocked_until > now);
}

} // namespace

rule_survey survey_of(std::span<const rule_facts> rules, const installation_facts& installation,
                      std::span<const rule_due> due, const health_settings& settings, timestamp now) {
  std::unordered_map<rule_id, timestamp> due_at;
  for (const auto& each : due)
    due_at.emplace(each.rule, each.at);
  rule_survey found;
  found.heartbeat_at = installation.heartbeat_at;
  for (const auto& rule : rules) {
    ++found.in_state[static_cast<std::size_t>(state_of(rule, installation, settings, now))];
    const auto its_due = due_at.find(rule.rule);
    if (its_due != due_at.end() && !held_back(rule, now))
      found.oldest_due = std::min(found.oldest_due.value_or(its_due->second), its_due->second);
  }
  return found;
}

} // namespace sluice::core
