#pragma once

#include "core/http.hpp"
#include "core/submission.hpp"
#include "core/time.hpp"

#include <string>
#include <string_view>

namespace sluice::providers {

/// What APNs answered to a notification of `attempt_id` (Apple, "Handling notification responses from APNs").
/// Only status 410 with Unregistered or ExpiredToken retires a token: BadDeviceToken may mean the other
/// environment, DeviceTokenNotForTopic another app.
[[nodiscard]] core::submission read_apns_answer(std::string_view attempt_id, const core::http_answer& answer,
                                                core::timestamp now);

/// The answer's reason, empty where it gives none.
[[nodiscard]] std::string apns_reason(const core::http_answer& answer);

} // namespace sluice::providers
