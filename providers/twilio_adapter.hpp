#pragma once

#include "providers/notification_adapter.hpp"

namespace sluice::providers {

/// SMS by Twilio's Messages API (version 2010-04-01). Settings: account_sid, either from or
/// messaging_service_sid, base_url. Credentials: auth_token, and where requests are to be sent with an API
/// key api_key and api_key_secret; secondary_auth_token while the account's tokens are being changed.
[[nodiscard]] std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_twilio_adapter(const core::provider_profile& profile, const adapter_surroundings& around);

} // namespace sluice::providers
