#pragma once

#include "core/notification.hpp"
#include "providers/notification_adapter.hpp"

#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace sluice::providers {

/// Web Push (RFC 8030), encrypted by RFC 8291, identified by RFC 8292. What arrives is one JSON object: "id"
/// (the notification's), "title", "body", "tag" (the collapse key) and "data".
///
/// Settings: `subject` (mailto: or https:, whom a push service turns to), `public_key` (optional, what
/// browsers subscribed with: checked to be the private key's), `ttl` (how long a message without an end is
/// kept, default and at most 28d), `padded_size` (bytes every message is padded to at least, default 0).
/// Credentials: `private_key`, 32 bytes in base64url, or PEM.
[[nodiscard]] std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_web_push_adapter(const core::provider_profile& profile, const adapter_surroundings& around);

} // namespace sluice::providers
