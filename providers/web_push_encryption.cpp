#include "providers/web_push_encryption.hpp"

#include "crypto/aes_128_gcm.hpp"
#include "crypto/hkdf.hpp"
#include "crypto/random.hpp"

#include <algorithm>
#include <cstdint>

namespace sluice::providers {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t salt_size = 16;
constexpr std::uint32_t record_size = web_push_body_bytes_max;

/// RFC 8188 section 2.1; the key id is the sender's public key (RFC 8291 section 4).
std::string coding_header(const web_push_once& once) {
  auto header = once.salt;
  for (int shift = 24; shift >= 0; shift -= 8) {
    header += static_cast<char>(record_size >> shift & 0xffU);
  }
  header += static_cast<char>(once.sender.public_key().size());
  return header += once.sender.public_key();
}

} // namespace

std::optional<web_push_once> draw_web_push_once() {
  auto sender = crypto::p256_key::generate();
  if (!sender) {
    return std::nullopt;
  }
  return web_push_once{std::move(*sender), crypto::random_bytes(salt_size)};
}

std::optional<std::string> encrypt_web_push(const web_push_subscription& to, std::string_view plain,
                                            std::size_t padded_size, const web_push_once& once) {
  padded_size = std::max(padded_size, plain.size());
  if (padded_size > web_push_plain_bytes_max || once.salt.size() != salt_size) {
    return std::nullopt;
  }
  const auto shared = once.sender.agree(to.public_key);
  if (!shared) {
    return std::nullopt;
  }
  // RFC 8291 section 3.4.
  const auto about_keys = std::string{"WebPush: info\0"sv} + to.public_key + once.sender.public_key();
  const auto key_material = crypto::hkdf_sha256(*shared, to.secret, about_keys, 32);
  const auto key = crypto::hkdf_sha256(*key_material, once.salt, "Content-Encoding: aes128gcm\0"sv,
                                       crypto::aes_128_gcm_key_size);
  const auto nonce = crypto::hkdf_sha256(*key_material, once.salt, "Content-Encoding: nonce\0"sv,
                                         crypto::aes_128_gcm_nonce_size);
  std::string record{plain};
  record += '\x02'; // the last record's delimiter, RFC 8188 section 2
  record.append(padded_size - plain.size(), '\0');
  const auto sealed = crypto::aes_128_gcm_seal(*key, *nonce, record);
  if (!sealed) {
    return std::nullopt;
  }
  return coding_header(once) + *sealed;
}

} // namespace sluice::providers
