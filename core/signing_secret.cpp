#include "core/signing_secret.hpp"

#include <algorithm>
#include <utility>

namespace sluice::core {

std::expected<std::vector<signing_secret>, std::string>
rotate_secret(std::vector<signing_secret> secrets, std::string fresh, timestamp now, duration overlap) {
  for (auto& secret : secrets)
    if (!secret.expires_at)
      secret.expires_at = now + overlap;
  std::erase_if(secrets, [now](const signing_secret& secret) { return !secret.signs(now); });
  if (secrets.size() >= signing_secrets_max) {
    const auto first = *std::ranges::min_element(secrets, {}, &signing_secret::expires_at)->expires_at;
    return std::unexpected{std::to_string(secrets.size()) + " secrets still sign, allowed are "
                           + std::to_string(signing_secrets_max)
                           + " with the new one; the first of them ends at " + to_rfc3339(first)};
  }
  secrets.insert(secrets.begin(), signing_secret{std::move(fresh), std::nullopt});
  return secrets;
}

} // namespace sluice::core
