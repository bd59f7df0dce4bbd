#include "api/operation_parts.hpp"
#include "api/operations.hpp"

#include <algorithm>

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::size_t name_bytes_max = 100;
constexpr std::size_t tenants_max = 100;

/// Nobody hands out more than they have.
bool within(const core::tenant_scope& tenants, const caller& who) {
  if (who.tenants.everything())
    return true;
  return tenants.names
         && std::ranges::all_of(*tenants.names, [&](const auto& name) { return who.may_see(name); });
}

core::token_role role_of(body_reader& body) {
  const auto role = core::parse_token_role(body.text("role", 1, 20));
  if (!role)
    body.refuse("role", "role must be viewer, operator, admin or intake");
  return role.value_or(core::token_role::viewer);
}

core::tenant_scope tenants_of(body_reader& body, const caller& who) {
  core::tenant_scope tenants{body.optional_texts("tenants", name_bytes_max)};
  if (tenants.names && (tenants.names->empty() || tenants.names->size() > tenants_max))
    body.refuse("tenants", "tenants must name 1 to " + std::to_string(tenants_max)
                               + " tenants; without it the token sees every tenant");
  if (!within(tenants, who))
    body.refuse("tenants", "tenants must lie within those of the token that asks");
  return tenants;
}

/// The one answer that shows the token's text.
void make_token(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  core::token_request wanted;
  wanted.name = body.text("name", 1, name_bytes_max);
  wanted.role = role_of(body);
  wanted.tenants = tenants_of(body, asked.who);
  wanted.expires_at = body.optional_time("expires_at");
  wanted.by = actor_of(asked, body);
  if (wanted.expires_at && *wanted.expires_at <= at.now())
    body.refuse("expires_at", "expires_at must lie ahead");
  if (refused(body.finish(), answer))
    return;
  auto text = make_token_text();
  wanted.digest = token_digest(text);
  at.ask<core::api_token>(at.links().registrar, m::record_token{std::move(wanted)}, answer,
                          [answer, text = std::move(text)](core::api_token& made) {
                            auto view = token_view(made);
                            view["token"] = text;
                            answer(json_response(view, 201));
                          });
}

void list_tokens(desk& at, const request& asked, const responder& answer) {
  at.show<m::tokens_listed>(at.links().doorkeeper, m::list_tokens{}, answer,
                            [who = asked.who](const m::tokens_listed& listed) {
                              auto tokens = json::array();
                              for (const auto& token : listed.tokens)
                                if (within(token.tenants, who))
                                  tokens.push_back(token_view(token));
                              return json{{"tokens", std::move(tokens)}};
                            });
}

void revoke_token(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  const auto name = asked.parameters.at("token");
  at.ask<m::tokens_listed>(at.links().doorkeeper, m::list_tokens{}, answer,
                           [&at, answer, name, by, who = asked.who](m::tokens_listed& listed) {
                             const auto found = std::ranges::find_if(listed.tokens, [&](const auto& token) {
                               return token.name == name && !token.revoked_at && within(token.tenants, who);
                             });
                             if (found == listed.tokens.end())
                               answer(as_response(missing("live token", name)));
                             else
                               at.show<core::api_token>(at.links().registrar,
                                                        m::record_token_revoked{name, by}, answer,
                                                        token_view);
                           });
}

} // namespace

void add_token_operations(router& to) {
  to.add("GET", "/v1/tokens", access::administer, list_tokens);
  to.add("POST", "/v1/tokens", access::administer, make_token);
  to.add("POST", "/v1/tokens/{token}/revoke", access::administer, revoke_token);
}

} // namespace sluice::api
