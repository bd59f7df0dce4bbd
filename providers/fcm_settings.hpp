#pragma once

#include "core/notification.hpp"
#include "crypto/rsa_private_key.hpp"

#include <expected>
#include <string>
#include <vector>

namespace sluice::providers {

/// A Firebase project as one profile uses it, and the service account that sends for it.
struct fcm_settings {
  std::string base_url;  ///< without a slash at its end
  std::string token_url; ///< where access tokens are asked for; the tokens' audience
  std::string project_id;
  std::string client_email;
  std::string private_key_id; ///< empty: not named
  crypto::rsa_private_key private_key;
};

/// Reads both JSON texts of the profile. The credentials are the service account's key file as Google gives
/// it out. The error lists every fault with its place; values of credentials are never quoted.
[[nodiscard]] std::expected<fcm_settings, std::vector<std::string>>
parse_fcm_settings(const core::provider_profile& profile);

} // namespace sluice::providers
