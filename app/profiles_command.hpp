#pragma once

#include "app/command_context.hpp"

#include <string>
#include <vector>

namespace sluice::app {

/// `sluice profiles list` and `sluice routes list`
[[nodiscard]] int list_profiles(const command_context& context, const std::string& tenant);
[[nodiscard]] int list_routes(const command_context& context, const std::string& tenant);

/// `sluice profiles show`: its credentials are masked.
[[nodiscard]] int show_profile(const command_context& context, const std::string& named);

/// `sluice profiles set`: makes the profile the file describes, or changes the one of its tenant and name.
[[nodiscard]] int set_profile(const command_context& context, const std::string& file);

struct route_options {
  std::string name;
  std::string tenant;
  std::vector<std::string> profiles; ///< the first, then its fallbacks
};

/// `sluice routes set`: makes it, or changes the one of its tenant and name.
[[nodiscard]] int set_route(const command_context& context, const route_options& options);

/// `sluice profiles remove` and `sluice routes remove`, which ask unless `yes`.
[[nodiscard]] int remove_profile(const command_context& context, const std::string& named, bool yes);
[[nodiscard]] int remove_route(const command_context& context, const std::string& named, bool yes);

} // namespace sluice::app
