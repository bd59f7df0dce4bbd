#pragma once

#include "core/notification_route.hpp"
#include "storage/session.hpp"

#include <optional>
#include <string_view>
#include <vector>

// Each change raises `profiles_version` (storage/provider_profiles.hpp). Steps are written by the names of
// their profiles, which must be live ones of the route's tenant.

namespace sluice::storage {

/// Refused: the name is taken, a step names no profile, or core::route_faults has something to say.
/// `not_found`: there is no such tenant.
[[nodiscard]] result<core::notification_route>
make_notification_route(session& db, const core::notification_route& wanted, core::timestamp now);

/// Writes name and steps, compare-and-set on `written.revision`. Refused as above, and where the revision is
/// another or its tenant would change. `not_found`: it does not exist, or was removed.
[[nodiscard]] result<core::notification_route>
change_notification_route(session& db, const core::notification_route& written, core::timestamp now);

/// For good. False: it was removed already. Refused: its revision is another.
[[nodiscard]] result<bool> remove_notification_route(session& db, const core::route_removal& wanted,
                                                     core::timestamp now);

/// Live ones, by public id, or by the name within a tenant.
[[nodiscard]] result<std::optional<core::notification_route>>
find_notification_route(session& db, std::string_view public_id, const core::tenant_scope& tenants);
[[nodiscard]] result<std::optional<core::notification_route>>
find_notification_route_named(session& db, std::string_view tenant, std::string_view name);

[[nodiscard]] result<std::vector<core::notification_route>>
list_notification_routes(session& db, const core::route_page& page);

} // namespace sluice::storage
