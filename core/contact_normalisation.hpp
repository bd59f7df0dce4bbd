#pragma once

#include "core/contact_point.hpp"

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace sluice::core {

inline constexpr std::size_t contact_bytes_max = 4096; ///< of any address

/// The one text an address has, so that the same contact point is found however it was written. White space
/// around it goes; CR, LF, NUL and every other control character are refused.
///
///   email             RFC 5321 dot-string; the domain in lower case, the local part as it came
///   phone             E.164; core/phone_number.hpp
///   fcm_…             as it came: base64url, '_', '-' and ':'
///   apns_token        hexadecimal in lower case
///   web_push          compact JSON of endpoint, p256dh and auth, in this order and without padding
///   other             as it came: UTF-8
///
/// The error is a sentence that says what is allowed and quotes nothing of the address.
[[nodiscard]] std::expected<contact_address, std::string> normalise_contact(contact_kind kind,
                                                                            std::string_view text);

} // namespace sluice::core
