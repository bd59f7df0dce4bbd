#pragma once

#include "providers/notification_adapter.hpp"

#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace sluice::providers {

/// E-mail by Amazon SES: the API's version 2 sends, SNS tells what became of it. SES cannot be asked about a
/// message.
[[nodiscard]] std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_ses_adapter(const core::provider_profile& profile, const adapter_surroundings& around);

} // namespace sluice::providers
