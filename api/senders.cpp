#include "api/senders.hpp"

#include "api/text_match.hpp"
#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "crypto/random.hpp"

#include <algorithm>
#include <utility>

namespace sluice::api {

namespace {

/// RFC 6750 section 2.1; the scheme's case does not matter.
std::optional<std::string_view> bearer_token(std::string_view authorization) {
  constexpr std::string_view scheme = "bearer ";
  if (!begins_with_word(authorization, scheme))
    return std::nullopt;
  authorization.remove_prefix(
      std::min(authorization.find_first_not_of(' ', scheme.size()), authorization.size()));
  return authorization;
}

/// RFC 6265 section 4.2.1: "name=value; name=value".
std::string_view cookie_named(std::string_view name, std::string_view header) {
  while (!header.empty()) {
    const auto end = std::min(header.find(';'), header.size());
    auto pair = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
    if (pair.size() > name.size() && pair.starts_with(name) && pair[name.size()] == '=')
      return pair.substr(name.size() + 1);
  }
  return {};
}

problem unknown_token() {
  auto refused = unauthorized("the token is not known, or not any more");
  refused.headers = {{"WWW-Authenticate", "Bearer error=\"invalid_token\""}};
  return refused;
}

} // namespace

std::string make_token_text() {
  constexpr std::size_t random_bytes = 32;
  return "sluice_" + crypto::to_base64url(crypto::random_bytes(random_bytes));
}

std::string token_digest(std::string_view token) {
  const auto digest = crypto::sha256(token);
  return crypto::to_hex(crypto::as_bytes(digest));
}

senders::senders(std::string_view settings_token, session_seal sessions)
    : settings_digest_(settings_token.empty() ? std::string{} : token_digest(settings_token)),
      sessions_(std::move(sessions)) {}

shown_sender senders::shown(std::string_view authorization, std::string_view cookie,
                            core::timestamp now) const {
  shown_sender found;
  if (const auto token = bearer_token(authorization)) {
    found.digest = token_digest(*token);
    return found;
  }
  found.session = sessions_.open(cookie_named(session_cookie, cookie), now);
  if (found.session)
    found.digest = found.session->token_digest;
  return found;
}

std::optional<caller> senders::known(const shown_sender& shown) const {
  if (shown.local_user)
    return trusted_caller("local");
  // Digests are compared, so that not even the token's length shows in the time taken.
  if (!settings_digest_.empty() && crypto::equal_in_constant_time(shown.digest, settings_digest_))
    return trusted_caller("api");
  return std::nullopt;
}

std::expected<caller, problem> senders::by_token(const found_token& found, core::timestamp now) {
  if (!found)
    return std::unexpected{found.error()};
  const auto& token = *found;
  if (!token || !token->live(now))
    return std::unexpected{unknown_token()};
  return caller{token->name, token->role, token->tenants, false};
}

} // namespace sluice::api
