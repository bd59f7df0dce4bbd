#pragma once

#include "core/api_token.hpp"
#include "core/ids.hpp"
#include "core/notification.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// One profile of a route. Written by its name; the rest is filled in when it is read.
struct route_step {
  std::string profile; ///< a profile's name, of the route's tenant
  provider_profile_id id{};
  provider_kind provider = provider_kind::webhook;
};

/// The profiles a notification is tried with: the first, then its fallbacks in their order.
struct notification_route {
  notification_route_id id{};
  std::string public_id; ///< UUIDv7
  std::string tenant;
  std::string name; ///< unique within the tenant
  std::vector<route_step> steps;
  std::int64_t revision = 0; ///< raised by every change
  timestamp created_at{};
  timestamp updated_at{};
};

inline constexpr std::size_t route_name_bytes_max = 128;
inline constexpr std::size_t route_steps_max = 8;

struct route_removal {
  notification_route_id route{};
  std::optional<std::int64_t> revision{}; ///< compare-and-set on it; absent: whatever it is
};

/// Which routes, in the order of their making.
struct route_page {
  tenant_scope tenants;
  std::optional<std::string> tenant; ///< absent: of every tenant that may be seen
  notification_route_id after_id{};  ///< the page before's last; none at first
  std::int64_t limit = 100;
};

/// Every fault of what a person wrote, each a sentence with the member's name and what is allowed.
[[nodiscard]] std::vector<std::string> route_faults(const notification_route& written);

template <class Inspector>
auto inspect(Inspector& f, route_step& x) {
  return f(x.profile, x.id, x.provider);
}

template <class Inspector>
auto inspect(Inspector& f, notification_route& x) {
  return f(x.id, x.public_id, x.tenant, x.name, x.steps, x.revision, x.created_at, x.updated_at);
}

template <class Inspector>
auto inspect(Inspector& f, route_removal& x) {
  return f(x.route, x.revision);
}

template <class Inspector>
auto inspect(Inspector& f, route_page& x) {
  return f(x.tenants, x.tenant, x.after_id, x.limit);
}

} // namespace sluice::core
