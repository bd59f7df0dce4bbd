#pragma once

#include "api/views.hpp"
#include "core/callback_audit.hpp"
#include "core/contact_record.hpp"
#include "core/notification_record.hpp"
#include "core/notification_route.hpp"
#include "core/profile_record.hpp"
#include "core/provider_report.hpp"
#include "core/reconciliation_overview.hpp"
#include "core/resealing.hpp"
#include "messages/notification_overview.hpp"

#include <vector>

/// How profiles, contact points, routes, notifications and what providers told look in JSON: in the API's
/// answers and in the commands' --json alike. No address and no credential is in any of it.
namespace sluice::api {

[[nodiscard]] json profile_view(const core::profile_record& one); ///< its credentials are masked
[[nodiscard]] json route_view(const core::notification_route& one);
[[nodiscard]] json contact_view(const core::contact_record& one);
[[nodiscard]] json notification_view(const core::notification_record& one);
/// With what became of its last attempt's message, and what is still to be found out about it.
[[nodiscard]] json notification_view(const core::notification_record& one,
                                     const core::notification_standing& standing);
/// With its attempts, too, and what became of each, in `history`.
[[nodiscard]] json notification_view(const messages::notification_found& found);
/// `profile` is the public id of a live one, else null.
[[nodiscard]] json provider_event_view(const core::kept_event& event,
                                       const std::vector<core::profile_record>& profiles);
[[nodiscard]] json callback_refusal_view(const core::refused_callback& refused,
                                         const std::vector<core::profile_record>& profiles);
/// How much is left to be found out, kind by kind.
/// Each key in use or in the settings, with what needs it.
[[nodiscard]] json key_uses_view(const messages::key_uses_counted& counted);

} // namespace sluice::api
