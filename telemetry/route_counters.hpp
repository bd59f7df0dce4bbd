#pragma once

#include "telemetry/metric_family.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace sluice::telemetry {

/// A counter for each route of the API and class of status; what met no route has a place of its own.
class route_counters final : public metric_family {
public:
  struct route {
    std::string method;
    std::string pattern; ///< never the path of one request
  };

  route_counters(list& all, const metric_description& description);

  /// Once, before anything is counted.
  void set_routes(std::vector<route> routes);

  /// `number` is the route's place among them; their count stands for none. Any thread.
  [[nodiscard]] counter& of(std::size_t number, int status) noexcept;

  /// Those that have counted something.
  [[nodiscard]] std::vector<sample> samples() const override;

private:
  std::vector<route> routes_;
  std::vector<counter> counters_;
};

} // namespace sluice::telemetry
