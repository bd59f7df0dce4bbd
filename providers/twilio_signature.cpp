#include "providers/twilio_signature.hpp"

#include "core/outside_address.hpp"
#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string out{text};
  for (auto at = out.find(what); at != std::string::npos; at = out.find(what, at + by.size()))
    out.replace(at, what.size(), by);
  return out;
}

std::vector<std::string> without_repeats(std::vector<std::string> texts) {
  std::ranges::sort(texts);
  const auto [first, last] = std::ranges::unique(texts);
  texts.erase(first, last);
  return texts;
}

/// Scheme, host and port as configured, and with the port taken away or the standard one put there.
std::vector<std::string> origins_of(const core::outside_url& url) {
  std::vector<std::string> made{std::string{url.origin}};
  if (url.port.empty())
    made.push_back(std::string{url.origin}.append(url.https ? ":443" : ":80"));
  else
    made.emplace_back(url.origin.substr(0, url.origin.size() - url.port.size() - 1));
  return made;
}

/// Once for all URLs: whoever sends a callback chooses how many fields it has.
std::string signed_fields(form_fields fields) {
  std::ranges::sort(fields);
  const auto repeats = std::ranges::unique(fields);
  fields.erase(repeats.begin(), repeats.end());
  std::string content;
  for (const auto& [name, value] : fields)
    content.append(name).append(value);
  return content;
}

std::string signature_over(std::string_view auth_token, std::string_view content) {
  const auto digest = crypto::hmac_sha1(auth_token, content);
  return crypto::to_base64(crypto::as_bytes(digest));
}

} // namespace

std::string twilio_signature(std::string_view auth_token, std::string_view url, const form_fields& fields) {
  return signature_over(auth_token, std::string{url} + signed_fields(fields));
}

std::vector<std::string> twilio_signed_urls(std::string_view public_url, std::string_view raw_query) {
  const auto url = core::parse_outside_url(public_url);
  if (!url)
    return {};
  std::vector<std::string> made;
  for (const auto& origin : origins_of(*url)) {
    const auto address = origin + std::string{url->path.substr(0, url->path.find('?'))};
    if (raw_query.empty()) {
      made.push_back(address);
      continue;
    }
    made.push_back(address + "?" + std::string{raw_query});
    made.push_back(address + "?" + replaced(raw_query, "'", "%27"));
    made.push_back(address + "?" + replaced(raw_query, "%27", "'"));
  }
  return without_repeats(std::move(made));
}

bool verify_twilio_signature(std::span<const std::string> auth_tokens, std::span<const std::string> urls,
                             const form_fields& fields, std::string_view signature) {
  const auto content = signed_fields(fields);
  bool good = false;
  for (const auto& token : auth_tokens)
    for (const auto& url : urls)
      good = crypto::equal_in_constant_time(signature, signature_over(token, url + content)) || good;
  return good;
}

bool is_twilio_body(std::string_view raw_query, std::string_view body) {
  const auto fields = parse_form(raw_query);
  const auto named = std::ranges::find(fields, "bodySHA256", &form_fields::value_type::first);
  if (named == fields.end())
    return false;
  const auto digest = crypto::sha256(body);
  return crypto::equal_in_constant_time(named->second, crypto::to_hex(crypto::as_bytes(digest)));
}

} // namespace sluice::providers
