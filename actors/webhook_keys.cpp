#include "actors/webhook_keys.hpp"

#include "providers/webhook_secret.hpp"

namespace sluice::actors {

using providers::signature_scheme;

std::string make_secret(core::signing signed_by) {
  return providers::make_webhook_secret(signed_by == core::signing::ed25519 ? signature_scheme::ed25519
                                                                            : signature_scheme::hmac_sha256);
}

std::string verification_key_of(const std::string& secret) {
  const auto read = providers::parse_webhook_secret(secret);
  return read ? providers::verification_key(*read) : std::string{};
}

std::optional<core::signing> signing_of(const std::string& secret) {
  const auto read = providers::parse_webhook_secret(secret);
  if (!read)
    return std::nullopt;
  return read->scheme == signature_scheme::ed25519 ? core::signing::ed25519 : core::signing::hmac_sha256;
}

} // namespace sluice::actors
