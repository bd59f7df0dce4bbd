#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sluice::crypto {

/// RFC 4648. Bytes travel as std::string; every decoder is strict: no white space, no foreign character, the
/// exact padding of its form, and no stray bits behind the last byte, so that one value has one text.
[[nodiscard]] std::string to_base64(std::string_view bytes); ///< section 4, padded
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

[[nodiscard]] std::string to_base64url(std::string_view bytes); ///< section 5, without padding
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

[[nodiscard]] std::string to_hex(std::string_view bytes);                 ///< lower case
[[nodiscard]] std::optional<std::string> from_hex(std::string_view text); ///< either case

} // namespace sluice::crypto
