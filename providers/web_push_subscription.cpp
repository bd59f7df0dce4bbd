#include "providers/web_push_subscription.hpp"

#include "core/letter_case.hpp"
#include "core/outside_address.hpp"
#include "core/payload.hpp"
#include "crypto/encoding.hpp"
#include "crypto/p256.hpp"

#include <optional>
#include <vector>

namespace sluice::providers {

namespace {

/// The bytes of a member in base64url; nothing where they are not `size`.
std::optional<std::string> bytes_of(const core::value& member, std::size_t size) {
  if (member.kind != core::value_kind::string) {
    return std::nullopt;
  }
  auto bytes = crypto::from_base64url(member.text);
  return bytes && bytes->size() == size ? bytes : std::nullopt;
}

std::string origin_of(const core::outside_url& url) {
  auto origin = "https://" + std::string{url.host};
  core::make_lower(origin);
  auto port = url.port;
  while (port.starts_with('0')) {
    port.remove_prefix(1);
  }
  if (!port.empty() && port != "443") {
    origin += ':';
    origin += port;
  }
  return origin;
}

} // namespace

std::expected<web_push_subscription, std::string> parse_web_push_subscription(std::string_view json) {
  std::vector<core::value> members;
  auto reader = core::payload_reader::compile({"/endpoint", "/keys/p256dh", "/keys/auth"},
                                              {.depth_max = 8, .bytes_max = web_push_subscription_bytes_max});
  if (!reader || !reader->read(json, members)) {
    return std::unexpected{"the subscription must be the JSON of a PushSubscription, at most "
                           + std::to_string(web_push_subscription_bytes_max) + " bytes"};
  }
  if (members[0].kind != core::value_kind::string) {
    return std::unexpected{"the subscription lacks its endpoint"};
  }
  const auto url = core::parse_outside_url(members[0].text);
  if (!url) {
    return std::unexpected{"the subscription's endpoint " + url.error()};
  }
  if (!url->https) {
    return std::unexpected{"the subscription's endpoint must begin with https:// (RFC 8030 section 8)"};
  }
  auto public_key = bytes_of(members[1], crypto::p256_public_key_size);
  if (!public_key || public_key->front() != '\x04') {
    return std::unexpected{"the subscription's keys.p256dh must be 65 bytes in base64url without padding, an "
                           "uncompressed point of P-256"};
  }
  auto secret = bytes_of(members[2], web_push_secret_size);
  if (!secret) {
    return std::unexpected{"the subscription's keys.auth must be 16 bytes in base64url without padding"};
  }
  auto origin = origin_of(*url);
  return web_push_subscription{std::move(members[0].text), std::move(origin), std::move(*public_key),
                               std::move(*secret)};
}

} // namespace sluice::providers
