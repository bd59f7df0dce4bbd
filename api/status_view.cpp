#include "api/status_view.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace sluice::api {

json status_view(const messages::health_read& read, const seen_names& called,
                 const core::health_settings& settings, core::timestamp now, bool all) {
  std::map<std::string, std::int64_t> counts;
  auto rules = json::array();
  for (const auto& rule : read.rules) {
    if (!called.shows_rule(rule.rule))
      continue;
    const auto state = core::state_of(rule, read.installation, settings, now);
    ++counts[std::string{core::to_string(state)}];
    const auto well = state == core::rule_state::ok || state == core::rule_state::none;
    if (all || !well || rule.backfill_until)
      rules.push_back(rule_state_view(rule, state, called));
  }
  return {{"global", core::to_string(core::global_state_of(read.rules, read.installation, settings, now))},
          {"heartbeat_at", time_view(read.installation.heartbeat_at)},
          {"now", time_view(now)},
          {"counts", counts},
          {"rules", std::move(rules)}};
}

} // namespace sluice::api
