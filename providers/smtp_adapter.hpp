#pragma once

#include "core/notification.hpp"
#include "providers/notification_adapter.hpp"

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// E-mail by SMTP, one recipient an attempt; settings as smtp_settings has them. The Message-ID carries the
/// attempt's id, by which bounce reports find it (see delivery_status.hpp). A server cannot be asked later.
[[nodiscard]] std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_smtp_adapter(const core::provider_profile& profile, const adapter_surroundings& around);

/// What a bounce report, a whole mail, says of this profile's messages; see read_bounce_report. Whoever can
/// write to the envelope's sender can make one up, if it knows an attempt's id: it is as good as its mailbox.
/// Settings that cannot be read refuse every report.
[[nodiscard]] std::expected<std::vector<core::provider_event>, core::callback_refusal>
read_smtp_bounce(const core::provider_profile& profile, std::string_view mail);

} // namespace sluice::providers
