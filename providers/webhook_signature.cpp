#include "providers/webhook_signature.hpp"

#include "crypto/digest.hpp"
#include "crypto/ed25519.hpp"
#include "crypto/encoding.hpp"
#include "providers/webhook_secret.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace sluice::providers {

namespace {

constexpr std::string_view hmac_mark = "v1,";
constexpr std::string_view ed25519_mark = "v1a,";
constexpr std::string_view public_key_prefix = "whpk_";

std::string signed_content(std::string_view id, std::string_view seconds, std::string_view body) {
  std::string content;
  content.reserve(id.size() + seconds.size() + body.size() + 2);
  content.append(id).append(1, '.').append(seconds).append(1, '.').append(body);
  return content;
}

std::string hmac_signature(std::string_view key, std::string_view content) {
  const auto digest = crypto::hmac_sha256(key, content);
  return std::string{hmac_mark}.append(crypto::to_base64(crypto::as_bytes(digest)));
}

std::optional<std::string> signature_by(const webhook_secret& secret, std::string_view content) {
  if (secret.scheme == signature_scheme::hmac_sha256)
    return hmac_signature(secret.key, content);
  const auto signature = crypto::ed25519_sign(secret.key, content);
  if (!signature)
    return std::nullopt;
  return std::string{ed25519_mark}.append(crypto::to_base64(*signature));
}

/// What a receiver holds of the sender.
struct verifier {
  bool by_public_key = false;
  std::string key;

  [[nodiscard]] bool accepts(std::string_view signature, std::string_view content) const {
    if (!by_public_key)
      return crypto::equal_in_constant_time(signature, hmac_signature(key, content));
    if (!signature.starts_with(ed25519_mark))
      return false;
    const auto bytes = crypto::from_base64(signature.substr(ed25519_mark.size()));
    return bytes && crypto::ed25519_verify(key, content, *bytes);
  }
};

std::expected<verifier, std::string> read_verifier(std::string_view text) {
  if (text.starts_with(public_key_prefix)) {
    auto key = crypto::from_base64(text.substr(public_key_prefix.size()));
    if (!key || key->size() != crypto::ed25519_public_key_size)
      return std::unexpected{"a public key is \"whpk_\" and 32 bytes in base64"};
    return verifier{true, *std::move(key)};
  }
  auto secret = parse_webhook_secret(text);
  if (!secret)
    return std::unexpected{std::move(secret).error()};
  if (secret->scheme != signature_scheme::hmac_sha256)
    return std::unexpected{"a receiver verifies ed25519 with the public key, \"whpk_…\""};
  return verifier{false, std::move(secret->key)};
}

} // namespace

std::optional<core::timestamp> read_webhook_timestamp(std::string_view text) noexcept {
  std::int64_t seconds = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, seconds);
  constexpr std::int64_t seconds_max = 253'402'300'799; // the end of the year 9999
  if (fault != std::errc{} || stop != end || seconds < 0 || seconds > seconds_max)
    return std::nullopt;
  return core::timestamp{std::chrono::seconds{seconds}};
}

std::expected<void, std::string> check_verification_key(std::string_view key) {
  const auto read = read_verifier(key);
  if (!read)
    return std::unexpected{read.error()};
  return {};
}

std::expected<core::header_lines, std::string> sign_webhook(std::string_view id, std::string_view body,
                                                            const std::vector<core::signing_secret>& secrets,
                                                            core::timestamp now) {
  if (id.empty() || id.find('.') != std::string_view::npos)
    return std::unexpected{"an event's id is a text without a dot"};
  const auto seconds =
      std::to_string(std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count());
  const auto content = signed_content(id, seconds, body);
  std::string signatures;
  for (const auto& secret : secrets) {
    if (!secret.signs(now))
      continue;
    const auto read = parse_webhook_secret(secret.text);
    if (!read)
      return std::unexpected{read.error()};
    const auto signature = signature_by(*read, content);
    if (!signature)
      return std::unexpected{"a private key cannot sign"};
    signatures.append(signatures.empty() ? "" : " ").append(*signature);
  }
  if (signatures.empty())
    return std::unexpected{"no secret signs: every one has expired"};
  return core::header_lines{"webhook-id: " + std::string{id}, "webhook-timestamp: " + seconds,
                            "webhook-signature: " + signatures};
}

std::expected<void, std::string> verify_webhook(const received_webhook& received, std::string_view key,
                                                core::timestamp now, core::duration tolerance) {
  const auto by = read_verifier(key);
  if (!by)
    return std::unexpected{by.error()};
  if (received.id.empty() || received.signature.empty())
    return std::unexpected{"webhook-id or webhook-signature is missing"};
  const auto at = read_webhook_timestamp(received.timestamp);
  if (!at)
    return std::unexpected{"webhook-timestamp is no number of seconds since 1970"};
  if (*at < now - tolerance || *at > now + tolerance)
    return std::unexpected{"webhook-timestamp is more than " + core::to_text(tolerance) + " away from now"};
  const auto content = signed_content(received.id, received.timestamp, received.body);
  auto list = received.signature;
  while (!list.empty()) {
    const auto end = std::min(list.find(' '), list.size());
    if (by->accepts(list.substr(0, end), content))
      return {};
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return std::unexpected{"no signature is by this key over these bytes"};
}

} // namespace sluice::providers
