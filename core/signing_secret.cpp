#include "core/signing_secret.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::core {

namespace {

constexpr std::array<std::string_view, 2> signing_words{"hmac_sha256", "ed25519"};
static_assert(signing_words[static_cast<std::size_t>(signing::ed25519)] == "ed25519");

} // namespace

std::string_view to_string(signing how) noexcept {
  const auto index = static_cast<std::size_t>(how);
  return index < signing_words.size() ? signing_words[index] : std::string_view{"unknown"};
}

std::optional<signing> parse_signing(std::string_view text) noexcept {
  const auto found = std::ranges::find(signing_words, text);
  if (found == signing_words.end())
    return std::nullopt;
  return static_cast<signing>(found - signing_words.begin());
}

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
