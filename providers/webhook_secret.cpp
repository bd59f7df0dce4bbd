#include "providers/webhook_secret.hpp"

#include "crypto/ed25519.hpp"
#include "crypto/encoding.hpp"
#include "crypto/random.hpp"

#include <array>
#include <utility>

namespace sluice::providers {

namespace {

constexpr std::array<std::string_view, 2> scheme_words{"hmac_sha256", "ed25519"};
constexpr std::array<std::string_view, 2> prefixes{"whsec_", "whsk_"};
constexpr std::string_view public_key_prefix = "whpk_";
constexpr std::size_t fresh_key_bytes = 32;

std::string text_of(std::string_view prefix, std::string_view key) {
  return std::string{prefix}.append(crypto::to_base64(key));
}

std::expected<webhook_secret, std::string> read_hmac_key(std::string key) {
  if (key.size() < hmac_key_bytes_min || key.size() > hmac_key_bytes_max)
    return std::unexpected{"a secret of " + std::to_string(key.size()) + " bytes is none; allowed are "
                           + std::to_string(hmac_key_bytes_min) + " to "
                           + std::to_string(hmac_key_bytes_max)};
  return webhook_secret{signature_scheme::hmac_sha256, std::move(key)};
}

std::expected<webhook_secret, std::string> read_private_key(std::string key) {
  auto seed = key.substr(0, crypto::ed25519_seed_size);
  const bool with_public = key.size() == crypto::ed25519_seed_size + crypto::ed25519_public_key_size;
  const auto public_key = crypto::ed25519_public_key(seed);
  if (!public_key || (!with_public && key.size() != crypto::ed25519_seed_size)
      || (with_public && key.substr(crypto::ed25519_seed_size) != *public_key))
    return std::unexpected{
        "a private key of ed25519 has 32 bytes, or 64 with the public key that belongs to it"};
  return webhook_secret{signature_scheme::ed25519, std::move(seed)};
}

} // namespace

std::string_view to_string(signature_scheme scheme) noexcept {
  const auto index = static_cast<std::size_t>(scheme);
  return index < scheme_words.size() ? scheme_words[index] : std::string_view{"unknown"};
}

std::optional<signature_scheme> parse_signature_scheme(std::string_view text) noexcept {
  for (std::size_t index = 0; index < scheme_words.size(); ++index)
    if (scheme_words[index] == text)
      return static_cast<signature_scheme>(index);
  return std::nullopt;
}

std::expected<webhook_secret, std::string> parse_webhook_secret(std::string_view text) {
  for (std::size_t index = 0; index < prefixes.size(); ++index) {
    if (!text.starts_with(prefixes[index]))
      continue;
    auto key = crypto::from_base64(text.substr(prefixes[index].size()));
    if (!key)
      return std::unexpected{"what follows \"" + std::string{prefixes[index]}
                             + "\" is not base64 with padding"};
    return index == 0 ? read_hmac_key(*std::move(key)) : read_private_key(*std::move(key));
  }
  return std::unexpected{"a secret begins with \"whsec_\" (HMAC) or \"whsk_\" (ed25519)"};
}

std::string make_webhook_secret(signature_scheme scheme) {
  return text_of(prefixes.at(static_cast<std::size_t>(scheme)), crypto::random_bytes(fresh_key_bytes));
}

std::string verification_key(const webhook_secret& secret) {
  if (secret.scheme == signature_scheme::hmac_sha256)
    return text_of(prefixes[0], secret.key);
  return text_of(public_key_prefix, crypto::ed25519_public_key(secret.key).value_or(std::string{}));
}

} // namespace sluice::providers
