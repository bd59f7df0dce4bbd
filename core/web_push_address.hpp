#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace sluice::core {

/// The JSON of a PushSubscription (Push API section 8, toJSON) in one form: `endpoint`, `keys.p256dh` and
/// `keys.auth` alone, without white space and without padding. The endpoint is an https URL; the keys are
/// base64url of an uncompressed point of P-256 and of 16 bytes (RFC 8291 section 3.1, 3.2). The error is a
/// sentence that quotes nothing.
[[nodiscard]] std::expected<std::string, std::string> normalise_web_push(std::string_view text);

} // namespace sluice::core
