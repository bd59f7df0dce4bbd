#include "api/operation_parts.hpp"
#include "api/operations.hpp"

#include <chrono>

namespace sluice::api {

namespace {

constexpr std::size_t token_bytes_max = 512;

json session_view(const caller& who, const std::string& csrf) {
  return {{"name", who.name},
          {"role", core::to_string(who.role)},
          {"tenants", tenants_view(who.tenants)},
          {"csrf", csrf.empty() ? json(nullptr) : json(csrf)}};
}

/// RFC 6265 section 4.1, with SameSite: no script reads it, no other site's page sends it.
std::string cookie_text(const desk_links& links, const std::string& value, std::chrono::seconds lifetime) {
  return std::string{session_cookie} + "=" + value + "; Path=/; HttpOnly; SameSite=Strict; Max-Age="
         + std::to_string(lifetime.count()) + (links.secure_cookies ? "; Secure" : "");
}

void sign_in(const desk& at, const std::string& digest, const caller& who, const responder& answer) {
  const auto& sessions = at.links().who->sessions();
  const auto session = sessions.begin(digest, at.now());
  const auto sealed = sessions.seal(session);
  if (!sealed) {
    answer(as_response(unavailable("no sign-in can be made: " + sealed.error())));
    return;
  }
  const auto lifetime = std::chrono::floor<std::chrono::seconds>(sessions.lifetime());
  auto made = json_response(session_view(who, session.csrf), 201);
  made.headers.emplace_back("Set-Cookie", cookie_text(at.links(), *sealed, lifetime));
  answer(std::move(made));
}

/// A token, shown once, for a cookie that stands for it.
void begin_session(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto token = body.text("token", 1, token_bytes_max);
  if (refused(body.finish(), answer))
    return;
  shown_sender shown;
  shown.digest = token_digest(token);
  at.with_sender(shown, [&at, answer, digest = shown.digest](const std::expected<caller, problem>& who) {
    if (!who)
      answer(as_response(who.error()));
    else if (!permits(who->role, access::viewer))
      answer(as_response(
          forbidden("it posts records and sees nothing; a sign-in takes a viewer's token or more")));
    else
      sign_in(at, digest, *who, answer);
  });
}

void show_session(desk&, const request& asked, const responder& answer) {
  answer(json_response(session_view(asked.who, asked.csrf)));
}

void end_session(desk& at, const request&, const responder& answer) {
  response gone;
  gone.status = 204;
  gone.headers.emplace_back("Set-Cookie", cookie_text(at.links(), "", std::chrono::seconds{0}));
  answer(std::move(gone));
}

} // namespace

void add_session_operations(router& to) {
  to.add("POST", "/v1/session", access::anyone, begin_session);
  to.add("GET", "/v1/session", access::viewer, show_session);
  to.add("DELETE", "/v1/session", access::anyone, end_session);
}

} // namespace sluice::api
