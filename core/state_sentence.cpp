#include "core/state_sentence.hpp"

namespace sluice::core {

namespace {

std::string with_reason(const std::string& sentence, const std::string& reason) {
  return reason.empty() ? sentence + "." : sentence + ": " + reason;
}

std::string describe_failing(const rule_facts& rule) {
  if (rule.target_status == connection_status::error)
    return "The target connection is in error: nothing is delivered into it before that is cleared.";
  const auto reason = rule.ended ? rule.ended->reason : std::string{};
  if (rule.ended && rule.ended->ending == run_ending::breaker_open)
    return with_reason("The target fails so often that it is left alone for a while", reason);
  return with_reason("The latest run broke off", reason);
}

} // namespace

std::string describe(const rule_facts& rule, rule_state state) {
  switch (state) {
  case rule_state::failing:
    return describe_failing(rule);
  case rule_state::stale:
    if (rule.running)
      return "A run is in progress and has shown no sign of life for too long.";
    if (!rule.has_work())
      return "The dispatcher has not looked at it for too long.";
    return rule.completed_at ? "Changes wait, and no run has completed for too long."
                             : "Changes wait, and no run has ever completed.";
  case rule_state::throttled:
    return rule.blocked_until ? "The target asked to be left alone for a while."
                              : "The target takes no more requests for now.";
  case rule_state::stopped:
  case rule_state::held:
  case rule_state::ok:
  case rule_state::none:
    break;
  }
  return {};
}

} // namespace sluice::core
