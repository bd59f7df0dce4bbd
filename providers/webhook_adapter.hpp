#pragma once

#include "core/notification.hpp"
#include "providers/notification_adapter.hpp"

#include <cstddef>
#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace sluice::providers {

inline constexpr std::size_t webhook_body_bytes_max = std::size_t{1} << 20U;

/// A receiver of one's own: each attempt is posted to it as JSON, signed by Standard Webhooks, whose
/// webhook-id is the notification's id, the same on every attempt:
///
///   {"id": attempt, "notification": id, "to": {"kind": …, "address": …},
///    "content": {"subject": …, "title": …, "text": …, "html": …, "data": {…}, "collapse_key": …, "urgency":
///    …}, "expires_at": RFC 3339}
///
/// with what is empty left out. Its answer means:
///
///   2xx                         accepted; without an id where the pointer finds none
///   3xx, 408, 425, 429          retryable
///   413                         rejected: the message's fault
///   other 4xx                   rejected: the provider's
///   5xx, any other status, no
///   whole answer                ambiguous; retryable where the receiver honours the webhook-id
///   no connection               retryable
[[nodiscard]] std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_webhook_adapter(const core::provider_profile& profile, const adapter_surroundings& around);

} // namespace sluice::providers
