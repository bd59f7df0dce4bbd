#pragma once

#include "core/notification.hpp"
#include "crypto/key_ring.hpp"
#include "crypto/seal.hpp"

#include <expected>
#include <optional>
#include <string>
#include <string_view>

// What is told to a person is kept sealed, bound to the tenant and the notification's public id.

namespace sluice::storage {

/// Throws where there is no key: use inside `guarded`.
[[nodiscard]] std::string seal_content(const core::message_content& content,
                                       std::string_view tenant_public_id, std::string_view public_id,
                                       const crypto::key_ring& keys);

/// Nothing: no key opens it, it is another notification's, or it is no content.
[[nodiscard]] std::optional<core::message_content> open_content(std::string_view sealed,
                                                                std::string_view tenant_public_id,
                                                                std::string_view public_id,
                                                                const crypto::key_ring& keys);

} // namespace sluice::storage
