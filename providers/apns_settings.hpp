#pragma once

#include "core/notification.hpp"
#include "core/time.hpp"
#include "crypto/p256.hpp"

#include <expected>
#include <string>
#include <vector>

namespace sluice::providers {

/// One app of one developer account, as make_apns_adapter's settings name it.
struct apns_settings {
  crypto::p256_key key;
  std::string base_url;
  std::string topic;
  std::string key_id;
  std::string team_id;
  std::string sound; ///< empty: none
  core::duration ttl{};
};

/// The error lists every fault of the profile's settings and credentials.
[[nodiscard]] std::expected<apns_settings, std::vector<std::string>>
parse_apns_settings(const core::provider_profile& profile);

} // namespace sluice::providers
