#pragma once

#include "core/time.hpp"
#include "providers/apns_settings.hpp"
#include "providers/notification_adapter.hpp"

#include <optional>
#include <string_view>

namespace sluice::providers {

/// A provider token (Apple, "Establishing a token-based connection to APNs"), to be used for 50 minutes:
/// Apple refuses those older than an hour, and new ones more often than every 20 minutes.
[[nodiscard]] std::optional<notification_adapter::access_token> sign_apns_token(const apns_settings& settings,
                                                                                core::timestamp now);

/// Whether another token may be made in the place of one that APNs calls expired: it is old enough, or was
/// made by a clock that ran ahead, or is none of ours.
[[nodiscard]] bool may_replace_apns_token(std::string_view token, core::timestamp now);

} // namespace sluice::providers
