#pragma once

#include "core/time.hpp"
#include "crypto/p256.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sluice::providers {

/// The Authorization header's value by which an application server says who it is (RFC 8292 section 3):
/// "vapid t=<token>, k=<public key>". `origin` is the push service's, `subject` a mailto: or https: address
/// of ours; push services refuse a token that is good for more than 24 hours.
[[nodiscard]] std::optional<std::string> vapid_authorization(const crypto::p256_key& key,
                                                             std::string_view origin,
                                                             std::string_view subject,
                                                             core::timestamp expires_at);

} // namespace sluice::providers
