#pragma once

#include "crypto/p256.hpp"
#include "providers/web_push_subscription.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Message Encryption for Web Push (RFC 8291) in the content coding aes128gcm (RFC 8188).
namespace sluice::providers {

/// A push service takes at least this much (RFC 8030 section 7.2), and need not take more.
inline constexpr std::size_t web_push_body_bytes_max = 4096;
/// What is left for the message beside the coding's header (salt, record size, key), the tag and the
/// delimiter.
inline constexpr std::size_t web_push_plain_bytes_max =
    web_push_body_bytes_max - (16 + 4 + 1 + crypto::p256_public_key_size) - 16 - 1;

/// What has to be fresh for every message.
struct web_push_once {
  crypto::p256_key sender;
  std::string salt; ///< 16 bytes
};

/// Nothing only where OpenSSL cannot run.
[[nodiscard]] std::optional<web_push_once> draw_web_push_once();

/// The request's body: the header and one record. The text is padded with zeros to `padded_size`, which hides
/// how long it is. Nothing where the subscription's key is no point of the curve, or text and padding are
/// over the limit.
[[nodiscard]] std::optional<std::string> encrypt_web_push(const web_push_subscription& to,
                                                          std::string_view plain, std::size_t padded_size,
                                                          const web_push_once& once);

} // namespace sluice::providers
