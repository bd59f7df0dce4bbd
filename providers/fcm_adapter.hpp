#pragma once

#include "providers/notification_adapter.hpp"

namespace sluice::providers {

/// Push messages by Firebase Cloud Messaging's HTTP v1 API, to an installation ("fid") or, of apps that have
/// not gone over to them, to a registration token. Settings: project_id, base_url, token_url. Credentials:
/// the service account's key file as it is.
[[nodiscard]] std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_fcm_adapter(const core::provider_profile& profile, const adapter_surroundings& around);

} // namespace sluice::providers
