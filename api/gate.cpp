#include "api/gate.hpp"

#include "api/text_match.hpp"
#include "api/url_text.hpp"
#include "core/error_text.hpp"
#include "crypto/digest.hpp"

#include <algorithm>
#include <utility>

namespace sluice::api {

namespace {

constexpr std::string_view json = "application/json";
constexpr std::string_view lines = "application/x-ndjson";

bool is_stream(const route& to, const request_head& head) {
  return to.takes_lines && is_media_type(head.content_type, lines);
}

problem wrong_type(const route& to) {
  const auto allowed = to.takes_lines ? std::string{json} + " or " + std::string{lines} : std::string{json};
  return {415,
          "unsupported_media_type",
          "The body has the wrong type.",
          "a body must come with Content-Type: " + allowed,
          {},
          {{"Accept", to.takes_lines ? std::string{json} + ", " + std::string{lines} : std::string{json}}}};
}

/// What names things must be fit for the database: UTF-8 without NUL.
bool is_readable(const request_target& target) {
  const auto readable = [](const std::string& text) { return core::error_text(text, text.size()) == text; };
  return std::ranges::all_of(target.segments, readable)
         && std::ranges::all_of(target.query, [&](const auto& each) { return readable(each.second); });
}

/// What a browser sends by itself is not enough to act: a page of somebody else's cannot show the second
/// half.
bool forged(const shown_sender& shown, const request_head& head) {
  const auto looks = head.method == "GET" || head.method == "HEAD";
  return shown.session && !looks && !crypto::equal_in_constant_time(shown.session->csrf, head.csrf);
}

std::optional<problem> refused_caller(const route& to, const caller& who) {
  if (permits(who.role, to.needed))
    return std::nullopt;
  return forbidden("its role is " + std::string{core::to_string(who.role)} + "; this takes "
                   + std::string{holders_of(to.needed)});
}

} // namespace

gate::gate(const router& routes, std::shared_ptr<const senders> who, std::uint64_t body_bytes_max)
    : routes_(routes), who_(std::move(who)), body_bytes_max_(body_bytes_max) {}

std::expected<arrival, problem> gate::read(const request_head& head, bool local_user,
                                           core::timestamp now) const {
  if (!head.has_host && !head.is_http_1_0)
    return std::unexpected{bad_request("a request of HTTP/1.1 needs a Host header")};
  arrival made;
  made.shown = who_->shown(head.authorization, head.cookie, now);
  made.shown.local_user = local_user;
  auto target = split_target(head.target);
  if (!target || !is_readable(*target)) {
    made.found =
        std::unexpected{bad_request("the target must be a path whose escapes are UTF-8 without NUL")};
    return made;
  }
  auto& asked = made.found->asked;
  asked.method = head.method;
  asked.segments = std::move(target->segments);
  asked.query = std::move(target->query);
  asked.idempotency_key = head.idempotency_key;
  asked.if_match = head.if_match;
  asked.if_none_match = head.if_none_match;
  const auto route = routes_.match(asked);
  if (route) {
    made.found->to = *route;
    if ((*route)->raw)
      asked.idempotency_key.clear(); // whatever it says, its sender knows nothing of our keys
  } else {
    made.found = std::unexpected{route.error()};
  }
  return made;
}

std::expected<admitted, problem> gate::admit(arrival&& arrived, const request_head& head,
                                             std::optional<caller> who) const {
  if (!who && !arrived.for_anyone())
    return std::unexpected{unauthorized("send a token as `Authorization: Bearer TOKEN`")};
  if (!arrived.found)
    return std::unexpected{std::move(arrived.found.error())};
  auto& made = *arrived.found;
  if (who) {
    if (forged(arrived.shown, head))
      return std::unexpected{forbidden("a signed-in page must show its sign-in's csrf as X-Sluice-Csrf")};
    if (auto refused = refused_caller(*made.to, *who))
      return std::unexpected{std::move(*refused)};
    made.asked.who = std::move(*who);
    if (arrived.shown.session)
      made.asked.csrf = arrived.shown.session->csrf;
  }
  if (auto refused = refused_body(*made.to, head))
    return std::unexpected{std::move(*refused)};
  made.streamed = is_stream(*made.to, head);
  return std::move(made);
}

std::optional<problem> gate::refused_body(const route& to, const request_head& head) const {
  if (!head.has_body())
    return std::nullopt;
  const auto limit = limit_of(to);
  if (!is_stream(to, head) && head.content_length > limit.bytes_max)
    return body_too_large(limit);
  if (!to.raw && !is_stream(to, head) && !is_media_type(head.content_type, json))
    return wrong_type(to);
  if (!head.expect.empty() && !std::ranges::equal(head.expect, std::string_view{"100-continue"}, {}, lower))
    return problem{417,
                   "expectation_failed",
                   "The request expects what is not served.",
                   "the one expectation that is met is 100-continue",
                   {},
                   {}};
  return std::nullopt;
}

body_limit gate::limit_of(const route& to) const noexcept {
  if (to.raw)
    return {to.raw->body_bytes_max, "callbacks.body_bytes_max"};
  return {body_bytes_max_, "api.body_bytes_max"};
}

problem body_too_large(const body_limit& limit) {
  return {413,
          "too_large",
          "The body is too large.",
          "at most " + std::to_string(limit.bytes_max) + " bytes are taken (" + std::string{limit.setting}
              + ")",
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
