#include "core/notification_route.hpp"

#include "core/name_fault.hpp"

#include <set>
#include <string_view>

namespace sluice::core {

std::vector<std::string> route_faults(const notification_route& written) {
  std::vector<std::string> faults;
  if (auto fault = name_fault(written.name, route_name_bytes_max))
    faults.push_back("name: " + *fault);
  if (written.steps.empty() || written.steps.size() > route_steps_max)
    faults.push_back("profiles: a route has 1 to " + std::to_string(route_steps_max)
                     + " of them, the first and its fallbacks");
  std::set<std::string_view> seen;
  for (const auto& step : written.steps)
    if (!seen.insert(step.profile).second)
      faults.push_back("profiles: \"" + step.profile + "\" is named twice; each is tried once");
  return faults;
}

} // namespace sluice::core
