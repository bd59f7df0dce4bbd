#pragma once

#include "core/notification.hpp"
#include "providers/notification_adapter.hpp"

#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace sluice::providers {

/// Apple Push Notification service, by its HTTP/2 API with provider tokens. A message with a title or a text
/// is an alert; one with data alone wakes the app in the background. The members of `data` stand beside
/// "aps".
///
/// Settings: `topic` (the app's bundle id), `key_id` and `team_id` (10 characters each), `environment`
/// (production, sandbox), `base_url` (instead of the environment's), `sound` (of an alert; none by itself),
/// `ttl` (how long a message without an end is kept, default and at most 30d). Credentials: `private_key`,
/// the .p8 file's text.
[[nodiscard]] std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_apns_adapter(const core::provider_profile& profile, const adapter_surroundings& around);

} // namespace sluice::providers
