#pragma once

#include "providers/text_encoding.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// X-Twilio-Signature, as Twilio's "Secure webhooks" has it.
namespace sluice::providers {

/// Base64 of the HMAC-SHA1 by the account's auth token over the URL and, sorted by their bytes, each
/// parameter's name and value; what stands in `fields` twice counts once, as in Twilio's own libraries.
[[nodiscard]] std::string twilio_signature(std::string_view auth_token, std::string_view url,
                                           const form_fields& fields);

/// The forms in which Twilio may have signed the address: its libraries try it with and without the port,
/// because the signing side is not of one mind, nor is it on an apostrophe in the query ("'" or "%27").
/// `public_url` is the configured one, whatever the request says of scheme, host and port; `raw_query` is the
/// query as it came.
[[nodiscard]] std::vector<std::string> twilio_signed_urls(std::string_view public_url,
                                                          std::string_view raw_query);

/// Whether the signature is by one of the tokens over one of the URLs. Compares in constant time.
[[nodiscard]] bool verify_twilio_signature(std::span<const std::string> auth_tokens,
                                           std::span<const std::string> urls, const form_fields& fields,
                                           std::string_view signature);

/// Whether the query's bodySHA256 is the body's digest: how a body that is no form is signed.
[[nodiscard]] bool is_twilio_body(std::string_view raw_query, std::string_view body);

} // namespace sluice::providers
