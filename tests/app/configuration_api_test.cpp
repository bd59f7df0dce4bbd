#include "tests/app/node_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::node_world;

json rule_of(const node_world&) {
  return {{"source", "shop"},
          {"target", "crm"},
          {"domain", "orders"},
          {"mapping", {{"external_id", "/id"}, {"total", "/total"}}}};
}

TEST_CASE("a tenant, its connections and a rule are set up over the API alone, and deliver") {
  node_world w;
  const auto target = w.ask("GET", "/v1/connections/crm").document.at("settings");
  CHECK(w.ask("PUT", "/v1/tenants/globex", json::object()).status == 201);
  CHECK(w.ask("PUT", "/v1/connections/g-shop", {{"tenant", "globex"}, {"driver", "mirror"}}).status == 201);
  const json crm{{"tenant", "globex"}, {"driver", "rest"}, {"settings", target}};
  CHECK(w.ask("PUT", "/v1/connections/g-crm", crm).status == 201);
  CHECK(w.ask("PUT", "/v1/connections/g-crm", crm).document.at("applied") == false);
  auto rule = rule_of(w);
  rule["source"] = "g-shop";
  rule["target"] = "g-crm";
  rule["domain"] = "customers";
  CHECK(w.ask("PUT", "/v1/rules/g-rule/definition", rule).status == 201);
  w.import_records(2, "g-shop");
  w.wait_for("delivered", 2, "g-rule");
  CHECK(w.ask("GET", "/v1/tenants").document.at("tenants").size() == 2);
  CHECK(w.ask("GET", "/v1/connections").document.at("connections").size() == 4);
}

TEST_CASE("whoever edits says what they have seen, and does not undo what somebody else did") {
  node_world w;
  const auto path = std::string{"/v1/rules/orders/definition"};
  auto wanted = rule_of(w);
  const auto send = [&](const std::string& headers, const json& body) {
    return tests::http_client{w.port()}.send("PUT", path, body.dump(), w.authorized() + headers);
  };
  CHECK(send("If-None-Match: *\r\n", wanted).status == 201);
  CHECK(send("If-None-Match: *\r\n", wanted).status == 409);
  const auto seen = tests::http_client{w.port()}.send("GET", path, "", w.authorized());
  const auto at = seen.head.find("ETag: ");
  REQUIRE(at != std::string::npos);
  const auto etag = seen.head.substr(at + 6, seen.head.find("\r\n", at) - at - 6);
  wanted["mapping"]["note"] = "/note";
  CHECK(send("If-Match: " + etag + "\r\n", wanted).status == 200);
  wanted["mapping"]["other"] = "/other";
  const auto late = send("If-Match: " + etag + "\r\n", wanted);
  CHECK(late.status == 409);
  CHECK(late.body.find("read it again") != std::string::npos);
  CHECK(send("If-Match: yesterday\r\n", wanted).status == 400);
  CHECK(w.ask("GET", path).document.at("revision") == 2);
  CHECK_FALSE(w.ask("GET", path).document.at("mapping").contains("other"));
}

TEST_CASE("what is wrong in a configuration is named, all of it, and nothing is applied") {
  node_world w;
  const auto refused = w.ask("PUT", "/v1/rules/orders/definition", {{"source", "shop"}, {"colour", "blue"}});
  CHECK(refused.status == 422);
  CHECK(refused.document.at("faults").size() >= 3);
  CHECK(w.ask("PUT", "/v1/connections/x", {{"tenant", "acme"}, {"driver", "smoke"}}).status == 422);
  CHECK(w.ask("PUT", "/v1/connections/x", {{"tenant", "nobody"}, {"driver", "mirror"}}).status == 409);
  CHECK(w.ask("PUT", "/v1/connections/x",
              {{"tenant", "acme"}, {"driver", "rest"}, {"settings", json::object()}})
            .status
        == 201); // no rule asks anything of it yet
  auto rule = rule_of(w);
  rule["target"] = "x";
  CHECK(w.ask("PUT", "/v1/rules/orders/definition", rule).status == 409);
  const json secret{{"tenant", "acme"},
                    {"driver", "rest"},
                    {"settings", json::object()},
                    {"credentials", {{"token", "file:/etc/hostname"}}}};
  const auto spied = w.ask("PUT", "/v1/connections/y", secret);
  CHECK(spied.status == 422);
  CHECK(spied.document.dump().find("/etc/hostname") == std::string::npos);
  CHECK(w.ask("GET", "/v1/rules").document.at("rules").size() == 1);
}

TEST_CASE(
    "a connection whose address leads inside is refused when it is written down, and says what allows it") {
  node_world w;
  const auto put = [&](const json& settings) {
    return w.ask("PUT", "/v1/connections/x",
                 {{"tenant", "acme"}, {"driver", "rest"}, {"settings", settings}});
  };
  for (const char* host : {"10.0.0.1", "0xa000001", "012.0.0.1", "169.254.169.254", "[::1]", "[fe80::1]",
                           "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]", "[2002:a00:1::]", "0.0.0.0", "10.1."}) {
    INFO(host);
    const auto refused = put({{"base_url", std::string{"https://"} + host + "/v1"}});
    CHECK(refused.status == 409);
    const auto said = refused.document.dump();
    CHECK(said.find("connection x: settings.base_url: ") != std::string::npos);
    CHECK(said.find("allowed_networks") != std::string::npos);
  }
  const json token{{"base_url", "https://crm.example.com"},
                   {"auth", {{"type", "oauth2_client_credentials"}, {"token_url", "http://10.0.0.1/token"}}}};
  CHECK(put(token).document.dump().find("settings.auth.token_url") != std::string::npos);
  CHECK(w.ask("GET", "/v1/connections/x").status == 404);
  CHECK(put({{"base_url", "https://crm.example.com"}}).status == 201);
  CHECK(put({{"base_url", "https://10.0.0.1"}}).status == 409);
  CHECK(put({{"base_url", "http://127.1.2.3"}}).status == 200); // what the settings allow
}

TEST_CASE("a body cannot bring in more than the path names") {
  node_world w;
  const std::string smuggled = R"({"tenant":"acme","driver":"mirror"}],"tenants":[{"name":"evil"})";
  CHECK(tests::http_client{w.port()}.send("PUT", "/v1/connections/x", smuggled, w.authorized()).status
        == 400);
  CHECK(w.ask("PUT", "/v1/connections/x", {{"name", "y"}, {"tenant", "acme"}, {"driver", "mirror"}}).status
        == 422);
  CHECK(w.ask("PUT", "/v1/tenants/globex", json::array({1})).status == 400);
  CHECK(w.ask("GET", "/v1/tenants").document.at("tenants").size() == 1);
}

TEST_CASE("an apply file is applied over the API as by the command, or shown without") {
  node_world w;
  const json file{{"tenants", {{{"name", "globex"}}}},
                  {"connections", {{{"name", "g-shop"}, {"tenant", "globex"}, {"driver", "mirror"}}}}};
  const auto shown = w.ask("POST", "/v1/apply?dry_run=true", file);
  CHECK(shown.status == 200);
  CHECK(shown.document.at("applied") == false);
  CHECK(shown.document.at("changes").size() == 2);
  CHECK(w.ask("GET", "/v1/tenants").document.at("tenants").size() == 1);
  CHECK(w.ask("POST", "/v1/apply", file).document.at("applied") == true);
  CHECK(w.ask("POST", "/v1/apply", file).document.at("applied") == false);
  CHECK(w.ask("GET", "/v1/tenants").document.at("tenants").size() == 2);
  CHECK(w.ask("POST", "/v1/apply?dry_run=maybe", file).status == 422);
}

TEST_CASE("a connection is disconnected, brought back and removed over the API") {
  node_world w;
  w.import_records(3);
  w.wait_for("delivered", 3);
  const auto act = [&](const std::string& what) {
    return w.ask("POST", "/v1/connections/shop/" + what, json::object());
  };
  CHECK(act("reconnect").status == 409);
  CHECK(act("clear-error").status == 409);
  const auto gone = act("disconnect");
  CHECK(gone.status == 200);
  CHECK(gone.document.at("records") == 3);
  CHECK(w.ask("GET", "/v1/connections/shop").document.at("state") == "disconnected");
  CHECK(w.ask("GET", "/v1/rules/to-crm").status == 404);
  CHECK(act("reconnect").document.at("records") == 3);
  CHECK(w.ask("GET", "/v1/rules/to-crm").status == 200);
  const auto removed = act("uninstall");
  CHECK(removed.status == 200);
  CHECK(w.ask("GET", "/v1/connections/shop").status == 404);
  CHECK(act("disconnect").status == 404);
}

} // namespace
} // namespace sluice::app
