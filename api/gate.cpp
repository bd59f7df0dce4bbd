#include "api/gate.hpp"

#include "api/url_text.hpp"
#include "core/error_text.hpp"
#include "crypto/digest.hpp"

#include <algorithm>
#include <utility>

namespace sluice::api {

namespace {

std::string digest_of(std::string_view text) {
  const auto digest = crypto::sha256(text);
  return std::string{crypto::as_bytes(digest)};
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

bool begins_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size()
         && std::ranges::equal(text.substr(0, word.size()), word, {}, lower, lower);
}

/// RFC 6750 section 2.1; the scheme's case does not matter.
std::optional<std::string_view> bearer_token(std::string_view authorization) {
  constexpr std::string_view scheme = "bearer ";
  if (!begins_with_word(authorization, scheme))
    return std::nullopt;
  authorization.remove_prefix(
      std::min(authorization.find_first_not_of(' ', scheme.size()), authorization.size()));
  return authorization;
}

bool is_json(std::string_view content_type) {
  constexpr std::string_view json = "application/json";
  if (!begins_with_word(content_type, json))
    return false;
  const auto rest = content_type.substr(json.size());
  return rest.empty() || rest.front() == ';' || rest.front() == ' ';
}

/// What names things must be fit for the database: UTF-8 without NUL.
bool is_readable(const request_target& target) {
  const auto readable = [](const std::string& text) { return core::error_text(text, text.size()) == text; };
  return std::ranges::all_of(target.segments, readable)
         && std::ranges::all_of(target.query, [&](const auto& each) { return readable(each.second); });
}

} // namespace

gate::gate(const router& routes, std::string_view token, std::uint64_t body_bytes_max)
    : routes_(routes), token_digest_(digest_of(token)), body_bytes_max_(body_bytes_max) {}

std::expected<admitted, problem> gate::admit(const request_head& head) const {
  if (!head.has_host && !head.is_http_1_0)
    return std::unexpected{bad_request("a request of HTTP/1.1 needs a Host header")};
  if (auto refused = refused_sender(head))
    return std::unexpected{std::move(*refused)};
  auto target = split_target(head.target);
  if (!target || !is_readable(*target))
    return std::unexpected{bad_request("the target must be a path whose escapes are UTF-8 without NUL")};
  admitted made;
  made.asked.method = head.method;
  made.asked.segments = std::move(target->segments);
  made.asked.query = std::move(target->query);
  auto route = routes_.match(made.asked);
  if (!route)
    return std::unexpected{std::move(route.error())};
  if (auto refused = refused_body(head))
    return std::unexpected{std::move(*refused)};
  made.to = *route;
  return made;
}

std::optional<problem> gate::refused_sender(const request_head& head) const {
  const auto shown = bearer_token(head.authorization);
  if (!shown)
    return unauthorized("send the token of the setting api.token as `Authorization: Bearer TOKEN`");
  if (crypto::equal_in_constant_time(digest_of(*shown), token_digest_))
    return std::nullopt;
  auto refused = unauthorized("the token is not the one of the setting api.token");
  refused.headers = {{"WWW-Authenticate", "Bearer error=\"invalid_token\""}};
  return refused;
}

std::optional<problem> gate::refused_body(const request_head& head) const {
  if (!head.has_body())
    return std::nullopt;
  if (head.content_length > body_bytes_max_)
    return body_too_large(body_bytes_max_);
  if (!is_json(head.content_type))
    return problem{415,
                   "unsupported_media_type",
                   "The body has the wrong type.",
                   "a body must come with Content-Type: application/json",
                   {},
                   {{"Accept", "application/json"}}};
  if (!head.expect.empty() && !std::ranges::equal(head.expect, std::string_view{"100-continue"}, {}, lower))
    return problem{417,
                   "expectation_failed",
                   "The request expects what is not served.",
                   "the one expectation that is met is 100-continue",
                   {},
                   {}};
  return std::nullopt;
}

problem body_too_large(std::uint64_t most) {
  return {413,
          "too_large",
          "The body is too large.",
          "at most " + std::to_string(most) + " bytes are taken (api.body_bytes_max)",
          {},
          {}};
}

problem head_too_large(std::uint64_t most) {
  return {431,
          "head_too_large",
          "The request's head is too large.",
          "at most " + std::to_string(most) + " bytes are taken (api.header_bytes_max)",
          {},
          {}};
}

} // namespace sluice::api
