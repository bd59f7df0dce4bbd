#include "app/status_command.hpp"
#include "app/stop_commands.hpp"
#include "app/tokens_command.hpp"
#include "storage/tokens.hpp"
#include "tests/app/node_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::node_world;
using namespace std::chrono_literals;

/// Makes a token over the API and returns its text.
std::string made(const node_world& w, const json& wanted) {
  const auto answer = w.ask("POST", "/v1/tokens", wanted);
  REQUIRE(answer.status == 201);
  return answer.document.at("token").get<std::string>();
}

TEST_CASE("a token is shown once, kept as a digest, and works until it is revoked") {
  node_world w;
  const auto token = made(w, {{"name", "pager"}, {"role", "viewer"}, {"by", "ann"}});
  CHECK(token.starts_with("sluice_"));
  CHECK(token.size() == 50);
  const auto listed = w.ask("GET", "/v1/tokens").document.dump();
  CHECK(listed.find("pager") != std::string::npos);
  CHECK(listed.find(token) == std::string::npos);
  CHECK(w.ask_as(token, "GET", "/v1/status").status == 200);
  CHECK(w.ask_as(token, "POST", "/v1/rules/to-crm/off").status == 403);
  CHECK(w.ask_as(token, "GET", "/v1/tokens").status == 403);
  CHECK(w.ask("POST", "/v1/tokens/pager/revoke", {{"by", "bob"}}).document.at("revoked_by") == "bob");
  CHECK(w.ask_as(token, "GET", "/v1/status").status == 401);
  CHECK(w.ask("POST", "/v1/tokens/pager/revoke", json::object()).status == 404);
}

TEST_CASE("a token that is not allowed is refused with what is") {
  node_world w;
  const auto status = [&](const json& wanted) { return w.ask("POST", "/v1/tokens", wanted).status; };
  CHECK(status({{"name", "a"}}) == 422);
  CHECK(status({{"name", "a"}, {"role", "king"}}) == 422);
  CHECK(status({{"name", ""}, {"role", "viewer"}}) == 422);
  CHECK(status({{"name", std::string(101, 'a')}, {"role", "viewer"}}) == 422);
  CHECK(status({{"name", "a"}, {"role", "viewer"}, {"tenants", json::array()}}) == 422);
  CHECK(status({{"name", "a"}, {"role", "viewer"}, {"tenants", "acme"}}) == 422);
  CHECK(status({{"name", "a"}, {"role", "viewer"}, {"tenants", {"acme", "acme"}}}) == 422);
  CHECK(status({{"name", "a"}, {"role", "viewer"}, {"tenants", {"nobody"}}}) == 404);
  CHECK(status({{"name", "a"}, {"role", "viewer"}, {"expires_at", "2001-01-01T00:00:00Z"}}) == 422);
  CHECK(w.ask("GET", "/v1/tokens").document.at("tokens").empty());
  CHECK(status({{"name", "a"}, {"role", "viewer"}}) == 201);
  CHECK(status({{"name", "a"}, {"role", "viewer"}}) == 409);
}

TEST_CASE("commands make, list and revoke tokens in the database, and a running node knows at once") {
  node_world w;
  token_options options;
  options.name = "deploys";
  options.role = core::token_role::operating;
  options.tenants = {"acme"};
  options.expires_in = 1h;
  CHECK(create_token(w.context, options) == exit_ok);
  CHECK(create_token(w.context, options) == exit_refused);
  CHECK(list_tokens(w.context) == exit_ok);
  const auto listed = w.ask("GET", "/v1/tokens").document.at("tokens");
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].at("role") == "operator");
  CHECK(listed[0].at("tenants") == json{"acme"});
  CHECK(listed[0].at("expires_at").is_string());
  options.tenants = {"nobody"};
  options.name = "other";
  CHECK(create_token(w.context, options) == exit_refused);
  options.name = "";
  CHECK(create_token(w.context, options) == exit_usage);
  const auto token = made(w, {{"name", "short-lived"}, {"role", "viewer"}});
  REQUIRE(w.ask_as(token, "GET", "/v1/status").status == 200);
  options.name = "short-lived";
  CHECK(revoke_token(w.context, options) == exit_ok);
  CHECK(w.ask_as(token, "GET", "/v1/status").status == 401);
  CHECK(revoke_token(w.context, options) == exit_refused);
}

TEST_CASE("a sign-in shows who signed in and takes no token that sees nothing") {
  node_world w;
  const auto sign_in = [&](const std::string& token) {
    return w.ask_as("", "POST", "/v1/session", {{"token", token}});
  };
  const auto session = sign_in(w.context.settings.api.token);
  CHECK(session.status == 201);
  CHECK(session.document.at("role") == "admin");
  CHECK(session.document.at("tenants").is_null());
  CHECK(session.document.at("csrf").get<std::string>().size() == 32);
  CHECK(sign_in("not-a-token").status == 401);
  CHECK(sign_in(made(w, {{"name", "feed"}, {"role", "intake"}})).status == 403);
  const auto limited = sign_in(made(w, {{"name", "ann"}, {"role", "viewer"}, {"tenants", {"acme"}}}));
  CHECK(limited.document.at("name") == "ann");
  CHECK(limited.document.at("tenants") == json{"acme"});
}

TEST_CASE("on its own machine a command needs neither an address nor a token") {
  node_world w{{}, [](config::settings& settings) { settings.api.socket = "auto"; }};
  auto context = w.context;
  context.settings.api.listen.clear();
  context.settings.api.token.clear();
  CHECK(show_status(context, {}) == exit_ok);
  CHECK(stop(context, {true, "", "", ""}, "a look first") == exit_ok);
  CHECK(w.ask("GET", "/v1/stops").document.at("stops").size() == 1);
  CHECK(w.node->stop());
  w.node.reset();
  CHECK(show_status(context, {}) == exit_usage);
}

TEST_CASE("an act that is asked for again with its key is done once, and its answer comes again") {
  node_world w{{}, [](config::settings& settings) { settings.keys.keys = {"test:" + std::string(64, '7')}; }};
  const auto send = [&](const std::string& key, const json& body, const std::string& path = "/v1/tokens") {
    return tests::http_client{w.port()}.send("POST", path, body.dump(),
                                             w.authorized() + "Idempotency-Key: " + key + "\r\n");
  };
  const json wanted{{"name", "pager"}, {"role", "viewer"}};
  const auto first = send("one", wanted);
  CHECK(first.status == 201);
  const auto again = send("one", wanted);
  CHECK(again.status == 201);
  CHECK(again.body == first.body);
  CHECK(again.head.find("Idempotency-Replayed: true") != std::string::npos);
  CHECK(w.ask("GET", "/v1/tokens").document.at("tokens").size() == 1);
  CHECK(send("one", {{"name", "other"}, {"role", "viewer"}}).status == 422);
  CHECK(send("two", wanted).status == 409);
  CHECK(send("two", {{"name", "other"}, {"role", "viewer"}}).status == 201); // nothing had been done by it
  CHECK(send("one", {{"scope", "global"}, {"reason", "x"}}, "/v1/stops").status == 201);
  CHECK(send(std::string(256, 'k'), wanted).status == 400);
  CHECK(send("with space", wanted).status == 400);
}

} // namespace
} // namespace sluice::app
