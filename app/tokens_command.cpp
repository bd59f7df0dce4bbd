#include "app/tokens_command.hpp"

#include "api/senders.hpp"
#include "api/views.hpp"
#include "app/node_client.hpp"
#include "storage/tokens.hpp"

namespace sluice::app {
namespace {

constexpr std::size_t name_bytes_max = 100;

std::string tenants_text(const core::tenant_scope& tenants) {
  if (tenants.everything())
    return "every tenant";
  std::string text;
  for (const auto& name : *tenants.names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string state_text(const core::api_token& token, core::timestamp now) {
  if (token.revoked_at)
    return "revoked " + core::to_rfc3339(*token.revoked_at);
  if (!token.live(now))
    return "expired " + core::to_rfc3339(*token.expires_at);
  return token.expires_at ? "until " + core::to_rfc3339(*token.expires_at) : "live";
}

core::token_request request_of(const token_options& options, const std::string& text, core::timestamp now) {
  core::token_request wanted{options.name, api::token_digest(text), *options.role, {}, {}, current_user()};
  if (!options.tenants.empty())
    wanted.tenants.names = options.tenants;
  if (options.expires_in > core::duration{0})
    wanted.expires_at = now + options.expires_in;
  return wanted;
}

} // namespace

int create_token(const command_context& context, const token_options& options) {
  if (options.name.empty() || options.name.size() > name_bytes_max) {
    print_error("no token is made", "its name has " + std::to_string(options.name.size()) + " bytes",
                "give it a name of 1 to " + std::to_string(name_bytes_max) + " bytes");
    return exit_usage;
  }
  auto db = open_session(context, storage::access::write);
  if (!db)
    return db.error();
  const auto text = api::make_token_text();
  const auto now = wall_now();
  const auto made = storage::transact(*db, [&](storage::session& within) {
    return storage::make_token(within, request_of(options, text, now), now);
  });
  if (!made)
    return report("no token is made", made.error());
  auto view = api::token_view(*made);
  view["token"] = text;
  if (context.style.json) {
    print_json(view);
  } else {
    print_note("token " + printable(made->name) + " may act as " + std::string{core::to_string(made->role)}
               + " on " + printable(tenants_text(made->tenants)) + "; it is shown this once:");
    print_line(text);
  }
  return exit_ok;
}

int list_tokens(const command_context& context) {
  auto db = open_session(context, storage::access::read);
  if (!db)
    return db.error();
  const auto tokens = storage::list_tokens(*db);
  if (!tokens)
    return report("the tokens cannot be read", tokens.error());
  auto document = nlohmann::ordered_json::array();
  text_table table{{"name", "role", "tenants", "created", "by", "state"}};
  for (const auto& token : *tokens) {
    document.push_back(api::token_view(token));
    table.add({token.name, std::string{core::to_string(token.role)}, tenants_text(token.tenants),
               core::to_rfc3339(token.created_at), token.created_by, state_text(token, wall_now())});
  }
  if (context.style.json)
    print_json({{"tokens", document}});
  else if (table.empty())
    print_line("no token was ever made");
  else
    table.print(context.style);
  return exit_ok;
}

int revoke_token(const command_context& context, const token_options& options) {
  auto db = open_session(context, storage::access::write);
  if (!db)
    return db.error();
  const auto revoked = storage::transact(*db, [&](storage::session& within) {
    return storage::revoke_token(within, options.name, current_user(), wall_now());
  });
  if (!revoked)
    return report("no token is revoked", revoked.error());
  if (context.style.json)
    print_json(api::token_view(*revoked));
  else
    print_line("token " + printable(revoked->name) + " opens nothing any more");
  return exit_ok;
}

} // namespace sluice::app
