#include "core/rule_state.hpp"

#include <algorithm>

namespace sluice::core {

namespace {

/// When the rule was last known to go well. A run that ended otherwise is no such sign, lest a rule hide its
/// trouble behind its latest attempt. A dispatcher's tick is one, up to the change that has not been served.
[[nodiscard]] timestamp last_sign_of_life(const rule_facts& rule, const installation_facts& installation) {
  auto latest = rule.completed_at.value_or(rule.updated_at);
  if (rule.running)
    latest = std::max(latest, rule.cursor_updated_at.value_or(latest));
  if (!installation.heartbeat_at)
    return latest;
  if (rule.change_counter == rule.completed_counter)
    return std::max(latest, *installation.heartbeat_at);
  if (rule.changed_at)
    return std::max(latest, std::min(*rule.changed_at, *installation.heartbeat_at));
  return latest;
}

[[nodiscard]] bool is_stale(const rule_facts& rule, const installation_facts& installation,
                            const health_settings& settings, timestamp now) {
  return now - last_sign_of_life(rule, installation) > settings.stale_after;
}

[[nodiscard]] bool is_failing(const rule_facts& rule) {
  if (rule.target_status == connection_status::error)
    return true;
  return rule.ended
         && (rule.ended->ending == run_ending::faulted || rule.ended->ending == run_ending::breaker_open);
}

[[nodiscard]] bool is_throttled(const rule_facts& rule, timestamp now) {
  if (rule.blocked_until && *rule.blocked_until > now)
    return true;
  return rule.ended && rule.ended->ending == run_ending::throttled;
}

} // namespace

std::string_view to_string(rule_state state) noexcept {
  switch (state) {
  case rule_state::stopped:
    return "stopped";
  case rule_state::held:
    return "held";
  case rule_state::failing:
    return "failing";
  case rule_state::stale:
    return "stale";
  case rule_state::throttled:
    return "throttled";
  case rule_state::ok:
    return "ok";
  case rule_state::none:
    return "none";
  }
  return "unknown";
}

std::string_view to_string(global_state state) noexcept {
  switch (state) {
  case global_state::stopped:
    return "stopped";
  case global_state::scheduler_down:
    return "scheduler_down";
  case global_state::runs_not_completing:
    return "runs_not_completing";
  case global_state::ok:
    return "ok";
  }
  return "unknown";
}

rule_state state_of(const rule_facts& rule, const installation_facts& installation,
                    const health_settings& settings, timestamp now) {
  const bool held = rule.stops.hold != 0;
  if (!rule.route_open && !rule.running && !rule.ended && !held)
    return rule_state::none;
  if (rule.stops.stopped())
    return rule_state::stopped;
  if (held)
    return rule_state::held;
  if (is_failing(rule))
    return rule_state::failing;
  if (is_stale(rule, installation, settings, now))
    return rule_state::stale;
  return is_throttled(rule, now) ? rule_state::throttled : rule_state::ok;
}

global_state global_state_of(std::span<const rule_facts> rules, const installation_facts& installation,
                             const health_settings& settings, timestamp now) {
  if (installation.stopped)
    return global_state::stopped;
  if (!installation.heartbeat_at || now - *installation.heartbeat_at > settings.heartbeat_stale_after)
    return global_state::scheduler_down;
  // What a person stopped is not expected to complete.
  const auto should_complete = [](const rule_facts& rule) {
    return rule.route_open && rule.has_work() && !rule.stops.stopped();
  };
  const auto lives = [&](const rule_facts& rule) {
    return should_complete(rule) && !is_stale(rule, installation, settings, now);
  };
  if (std::ranges::any_of(rules, should_complete) && std::ranges::none_of(rules, lives))
    return global_state::runs_not_completing;
  return global_state::ok;
}

} // namespace sluice::core
