#pragma once

#include "core/notification.hpp"
#include "providers/notification_adapter.hpp"

#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace sluice::providers {

/// E-mail by SMTP, one recipient an attempt; settings as smtp_settings has them. The Message-ID carries the
/// attempt's id, by which bounce reports find it: `read_report` takes a whole mail (see delivery_status.hpp).
/// Whoever can write to the envelope's sender can make one up, if it knows an attempt's id: it is as good as
/// its mailbox. A server cannot be asked later.
[[nodiscard]] std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_smtp_adapter(const core::provider_profile& profile, const adapter_surroundings& around);

} // namespace sluice::providers
