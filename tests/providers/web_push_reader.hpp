#pragma once

#include "crypto/aes_128_gcm.hpp"
#include "crypto/encoding.hpp"
#include "crypto/hkdf.hpp"
#include "crypto/p256.hpp"
#include "push_fixture.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sluice::providers::testing {

/// What the browser of RFC 8291 section 5 makes of a message's body: the reverse of what is tested, written
/// from RFC 8188 section 2 and RFC 8291 section 3.
inline std::optional<std::string> read_as_browser(std::string_view body) {
  using namespace std::string_view_literals;
  if (body.size() < 86 + 17 || body.substr(16, 5) != "\0\0\x10\0\x41"sv) {
    return std::nullopt;
  }
  const auto salt = body.substr(0, 16);
  const auto sender = body.substr(21, 65);
  const auto own = crypto::p256_key::from_bytes(crypto::from_base64url(browser_private).value()).value();
  const auto shared = own.agree(sender);
  if (!shared) {
    return std::nullopt;
  }
  const auto about_keys = std::string{"WebPush: info\0"sv} + own.public_key() + std::string{sender};
  const auto material =
      crypto::hkdf_sha256(*shared, crypto::from_base64url(browser_secret).value(), about_keys, 32).value();
  const auto key = crypto::hkdf_sha256(material, salt, "Content-Encoding: aes128gcm\0"sv, 16).value();
  const auto nonce = crypto::hkdf_sha256(material, salt, "Content-Encoding: nonce\0"sv, 12).value();
  auto record = crypto::aes_128_gcm_open(key, nonce, body.substr(86));
  if (!record) {
    return std::nullopt;
  }
  while (record->ends_with('\0')) {
    record->pop_back();
  }
  if (!record->ends_with('\x02')) {
    return std::nullopt;
  }
  record->pop_back();
  return record;
}

} // namespace sluice::providers::testing
