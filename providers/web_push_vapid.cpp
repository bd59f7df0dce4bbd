#include "providers/web_push_vapid.hpp"

#include "core/payload.hpp"
#include "crypto/encoding.hpp"
#include "providers/json_web_token.hpp"

namespace sluice::providers {

std::optional<std::string> vapid_authorization(const crypto::p256_key& key, std::string_view origin,
                                               std::string_view subject, core::timestamp expires_at) {
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(expires_at.time_since_epoch()).count();
  std::string claims = R"({"aud":)";
  core::append_json_string(claims, origin);
  claims += R"(,"exp":)" + std::to_string(seconds) + R"(,"sub":)";
  core::append_json_string(claims, subject);
  claims += '}';
  const auto token = json_web_token(R"({"typ":"JWT","alg":"ES256"})", claims,
                                    [&](std::string_view input) { return key.sign(input); });
  if (!token) {
    return std::nullopt;
  }
  return "vapid t=" + *token + ", k=" + crypto::to_base64url(key.public_key());
}

} // namespace sluice::providers
