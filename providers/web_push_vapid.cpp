#include "providers/web_push_vapid.hpp"

#include "core/payload.hpp"
#include "crypto/encoding.hpp"
#include "providers/json_web_token.hpp"

#include <utility>

namespace sluice::providers {

namespace {

/// Half of what RFC 8292 section 2 allows: a clock that is hours off, on either side, does no harm.
constexpr core::duration lifetime = std::chrono::hours{12};
constexpr core::duration reused_for = std::chrono::hours{1};
/// There are few push services; whoever makes up more of them gets no more than this remembered.
constexpr std::size_t origins_max = 256;

} // namespace

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

vapid_identity::vapid_identity(crypto::p256_key key, std::string subject)
    : key_{std::move(key)}, subject_{std::move(subject)} {}

std::optional<std::string> vapid_identity::authorization(std::string_view origin, core::timestamp now) const {
  const std::scoped_lock lock{mutex_};
  const auto found = by_origin_.find(origin);
  // A time before it was made is that of a clock that was put right since.
  if (found != by_origin_.end() && now >= found->second.made_at && now - found->second.made_at < reused_for)
    return found->second.text;
  auto made = vapid_authorization(key_, origin, subject_, now + lifetime);
  if (!made)
    return std::nullopt;
  if (found == by_origin_.end() && by_origin_.size() >= origins_max)
    by_origin_.clear();
  by_origin_.insert_or_assign(std::string{origin}, signed_value{*made, now});
  return made;
}

} // namespace sluice::providers
