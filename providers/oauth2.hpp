#pragma once

#include "core/http.hpp"
#include "core/outcome.hpp"
#include "providers/rest_settings.hpp"
#include "providers/writer.hpp"

#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace sluice::providers {

/// The client credentials grant (RFC 6749 section 4.4).
[[nodiscard]] core::http_request client_credentials_request(const rest_auth& auth, bool http2);

/// The JWT bearer grant (RFC 7523 section 2.1): `assertion` is the signed token.
[[nodiscard]] core::http_request jwt_bearer_request(std::string_view token_url, std::string_view assertion,
                                                    bool http2);

/// The token, or why there is none: `unauthorized` when the server refuses the client, `rate_limited`, or
/// `transient`. An answer without expires_in (RFC 6749 section 5.1 recommends it) counts for five minutes.
[[nodiscard]] std::expected<writer::access_token, core::outcome>
read_client_credentials(const core::http_answer& answer, std::span<const std::string> secrets);

} // namespace sluice::providers
