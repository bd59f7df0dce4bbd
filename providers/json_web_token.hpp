#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::providers {

/// The bytes of the signature over the input; nothing where the key cannot sign.
using token_signer = std::function<std::optional<std::string>(std::string_view signing_input)>;

/// A JSON Web Token in the compact form of RFC 7515 section 7.1. `header` and `claims` are JSON texts.
[[nodiscard]] std::optional<std::string> json_web_token(std::string_view header, std::string_view claims,
                                                        const token_signer& sign);

} // namespace sluice::providers
