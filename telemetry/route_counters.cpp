#include "telemetry/route_counters.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::telemetry {

namespace {

constexpr std::array<std::string_view, 4> classes{"2xx", "3xx", "4xx", "5xx"};

std::vector<label_description> route_labels() {
  return {{"route", {}, "a route's pattern, or none"},
          {"method", {}, "the route's method, or none"},
          {"status", {classes.begin(), classes.end()}, {}}};
}

} // namespace

route_counters::route_counters(list& all, const metric_description& description)
    : metric_family(all, description, metric_type::counter, route_labels()) {
  set_routes({});
}

void route_counters::set_routes(std::vector<route> routes) {
  routes_ = std::move(routes);
  routes_.push_back({"none", "none"});
  counters_ = std::vector<counter>(routes_.size() * classes.size());
}

counter& route_counters::of(std::size_t number, int status) noexcept {
  const auto first = std::min(number, routes_.size() - 1) * classes.size();
  const auto last_class = static_cast<int>(classes.size()) - 1;
  return counters_[first + static_cast<std::size_t>(std::clamp(status / 100 - 2, 0, last_class))];
}

std::vector<sample> route_counters::samples() const {
  std::vector<sample> found;
  for (std::size_t at = 0; at < counters_.size(); ++at) {
    if (counters_[at].value() == 0)
      continue;
    const auto& [method, pattern] = routes_[at / classes.size()];
    add_sample(
        found,
        {{"route", pattern}, {"method", method}, {"status", std::string{classes[at % classes.size()]}}},
        counters_[at]);
  }
  return found;
}

} // namespace sluice::telemetry
