#include "api/operations.hpp"
#include "tests/app/subscription_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::subscription_world;

/// Beside acme and its rule there is globex with a rule of its own, which has delivered, is stopped and holds
/// withdrawals, and with a subscription that has a delivery; and there is a token for each role that sees
/// acme alone.
struct two_tenants : subscription_world {
  two_tenants() {
    REQUIRE(apply(context, {.file = folder.file("globex.toml", configuration("globex", "g-")), .yes = true})
            == exit_ok);
    import_records(1);
    wait_for("delivered", 1);
    import_records(2, "g-shop");
    wait_for("delivered", 2, "g-to-crm");
    for (const std::string role : {"viewer", "operator", "admin"})
      tokens[role] = ask("POST", "/v1/tokens", {{"name", role}, {"role", role}, {"tenants", {"acme"}}})
                         .document.at("token")
                         .get<std::string>();
    const json wanted{{"scope", "rule"}, {"rule", "g-to-crm"}, {"reason", "globex asked for it"}};
    stop = ask("POST", "/v1/stops", wanted).document.at("id").get<std::string>();
    const auto theirs = made({{"tenant", "globex"}, {"name", "g-reader"}, {"mode", "pull"}});
    subscription = theirs.at("id").get<std::string>();
    REQUIRE(post_event("?tenant=globex&type=g-orders.paid", "{}").status == 201);
    event = deliveries(theirs, 1)[0].at("event").get<std::string>();
  }

  api::client::answer as(const std::string& role, const std::string& method, const std::string& target,
                         const json& body = nullptr) {
    return ask_as(tokens.at(role), method, target, body);
  }

  std::map<std::string, std::string> tokens;
  std::string stop;
  std::string subscription;
  std::string event;
};

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + by.size()))
    text.replace(at, part.size(), by);
  return text;
}

/// A body the route takes.
json body_for(const std::string& target) {
  if (target.ends_with("/link"))
    return {{"remote_id", "1"}};
  if (target.ends_with("/replays"))
    return {{"from", "2026-01-01T00:00:00Z"}, {"to", "2026-01-02T00:00:00Z"}};
  if (target.ends_with("/links"))
    return {{"links", json::array({{{"source_id", "c1"}, {"remote_id", "1"}}})}};
  if (target.ends_with("/cursor"))
    return {{"from", 0}, {"to", 0}};
  if (target.starts_with("/v1/rules") && (target.ends_with("/retry") || target.ends_with("/reopen")))
    return {{"all", true}};
  if (target.ends_with("/backfill"))
    return {{"until", "2026-01-01T00:00:00Z"}, {"records", 0}, {"creates", 0}};
  if (target.ends_with("/release"))
    return {{"allowed", 1}};
  return json::object();
}

TEST_CASE("what belongs to another tenant does not exist, in no route that names it") {
  two_tenants w;
  const std::map<std::string, std::string> theirs{{"{rule}", "g-to-crm"},
                                                  {"{source_id}", "c1"},
                                                  {"{id}", w.stop},
                                                  {"{connection}", "g-shop"},
                                                  {"{subscription}", w.subscription},
                                                  {"{event}", w.event}};
  api::router routes;
  api::add_operations(routes);
  auto tried = 0;
  for (const auto& route : routes.routes()) {
    const auto named = [&](const std::string& pattern, bool exists) {
      auto target = pattern;
      for (const auto& [part, name] : theirs)
        target = replaced(target, part, exists || part == "{source_id}" ? name : "nobody");
      return target;
    };
    if (named(route.pattern, true) == route.pattern || route.method == "PUT")
      continue;
    const auto target = named(route.pattern, true);
    INFO(route.method << " " << target);
    const auto body = route.method == "POST" ? body_for(target) : json(nullptr);
    const auto role = route.needed == api::access::viewer ? "viewer" : "admin";
    const auto theirs_told = w.as(role, route.method, target, body);
    const auto nobody_told = w.as(role, route.method, named(route.pattern, false), body);
    CHECK(theirs_told.status == 404);
    auto told = theirs_told.document.dump();
    for (const auto& [part, name] : theirs)
      told = part == "{source_id}" ? told : replaced(told, name, "nobody");
    CHECK(told == nobody_told.document.dump());
    ++tried;
  }
  CHECK(tried >= 35);
}

TEST_CASE(
    "an admin of one tenant sets up what is that tenant's alone, and no name of another's is taken over") {
  two_tenants w;
  const auto put = [&](const std::string& target, const json& body) {
    return w.as("admin", "PUT", target, body);
  };
  const auto settings = w.ask("GET", "/v1/connections/crm").document.at("settings");
  const json mine{{"tenant", "acme"}, {"driver", "mirror"}};
  CHECK(put("/v1/connections/shop-2", mine).status == 201);
  CHECK(put("/v1/connections/shop-3", {{"tenant", "globex"}, {"driver", "mirror"}}).status == 403);
  CHECK(put("/v1/connections/g-shop", mine).status == 409);
  CHECK(put("/v1/tenants/initech", json::object()).status == 403);
  json rule{{"source", "shop-2"},
            {"target", "crm"},
            {"domain", "customers"},
            {"mapping", {{"external_id", "/id"}}}};
  CHECK(put("/v1/rules/second/definition", rule).status == 201);
  CHECK(put("/v1/rules/g-to-crm/definition", rule).status == 409);
  rule["target"] = "g-crm";
  CHECK(put("/v1/rules/third/definition", rule).status == 404);
  CHECK(w.ask("GET", "/v1/rules").document.at("rules").size() == 3);
  CHECK(w.as("viewer", "GET", "/v1/rules").document.at("rules").size() == 2);
  CHECK(w.as("viewer", "GET", "/v1/connections").document.at("connections").size() == 3);
}

TEST_CASE("no list, count or history shows a tenant what belongs to another") {
  two_tenants w;
  api::router routes;
  api::add_operations(routes);
  auto tried = 0;
  for (const auto& route : routes.routes()) {
    if (route.method != "GET" || route.pattern.find('{') != std::string::npos || route.pattern == "/v1/live")
      continue; // the stream without an end is looked at in live_test
    INFO(route.pattern);
    for (const std::string query : {"", "?rules=all", "?limit=1"}) {
      const auto answer = w.as("admin", "GET", route.pattern + query);
      const auto text = answer.document.dump();
      CHECK(text.find("g-") == std::string::npos);
      CHECK(text.find("globex") == std::string::npos);
    }
    ++tried;
  }
  CHECK(tried >= 6);
  CHECK(w.as("viewer", "GET", "/v1/status?rules=all").document.at("rules").size() == 1);
  CHECK(w.as("viewer", "GET", "/v1/status").document.at("counts").size() == 1);
  CHECK(w.ask("GET", "/v1/status?rules=all").document.at("rules").size() == 2);
  CHECK(w.as("viewer", "GET", "/v1/stops").document.at("stops").empty());
  CHECK(w.as("viewer", "GET", "/v1/stops/history").document.at("stops").empty());
  CHECK(w.ask("GET", "/v1/stops").document.at("stops").size() == 1);
  const auto runs = w.as("viewer", "GET", "/v1/runs").document;
  for (const auto& run : runs.at("runs"))
    CHECK(run.at("rule") == "to-crm");
}

TEST_CASE("whoever is limited to tenants stops what is theirs and nothing else") {
  two_tenants w;
  const auto set = [&](json where) {
    where["reason"] = "a look first";
    return w.as("operator", "POST", "/v1/stops", where);
  };
  CHECK(set({{"scope", "rule"}, {"rule", "g-to-crm"}}).status == 404);
  CHECK(set({{"scope", "connection"}, {"connection", "g-crm"}}).status == 404);
  CHECK(set({{"scope", "global"}}).status == 403);
  const auto mine = set({{"scope", "connection"}, {"connection", "crm"}});
  CHECK(mine.status == 201);
  CHECK(mine.document.at("set_by") == "operator");
  CHECK(w.as("viewer", "GET", "/v1/stops").document.at("stops").size() == 1);
  CHECK(w.as("operator", "POST", "/v1/stops/" + w.stop + "/end", json::object()).status == 404);
  const json their_rule{{"scope", "rule"}, {"rule", "g-to-crm"}};
  CHECK(w.as("operator", "POST", "/v1/stops/end", their_rule).status == 404);
  CHECK(w.as("operator", "POST", "/v1/stops/end", {{"scope", "global"}}).status == 403);
  CHECK(w.as("operator", "POST", "/v1/stops/" + mine.document.at("id").get<std::string>() + "/end",
             {{"by", "ann"}})
            .document.at("ended_by")
        == "operator (ann)");
}

TEST_CASE("the stop of a subscription is seen, set and ended by those who see its tenant") {
  two_tenants w;
  const json theirs{{"scope", "subscription"}, {"subscription", w.subscription}};
  auto wanted = theirs;
  wanted["reason"] = "their receiver moves";
  const auto hidden = w.as("operator", "POST", "/v1/stops", wanted);
  CHECK(hidden.status == 404);
  const auto set = w.ask("POST", "/v1/stops", wanted).document;
  CHECK(set.at("subscription") == w.subscription);
  CHECK(set.at("subscription_name") == "g-reader");
  CHECK(w.as("viewer", "GET", "/v1/stops").document.at("stops").empty());
  CHECK(w.as("viewer", "GET", "/v1/stops/history").document.at("stops").empty());
  CHECK(w.ask("GET", "/v1/stops").document.at("stops").size() == 2);
  CHECK(w.as("operator", "POST", "/v1/stops/end", theirs).status == 404);
  const auto end = "/v1/stops/" + set.at("id").get<std::string>() + "/end";
  CHECK(w.as("operator", "POST", end, json::object()).status == 404);
  CHECK(w.ask("POST", "/v1/stops/end", theirs).status == 200);

  const auto mine = w.made_push();
  const json of_mine{{"scope", "subscription"}, {"subscription", mine.at("id")}, {"reason", "a look first"}};
  CHECK(w.as("operator", "POST", "/v1/stops", of_mine).status == 201);
  const auto seen = w.as("viewer", "GET", "/v1/stops").document.at("stops");
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].at("subscription_name") == "hook");
  CHECK(w.as("operator", "POST", "/v1/stops/" + seen[0].at("id").get<std::string>() + "/end", json::object())
            .status
        == 200);
}

TEST_CASE("everybody sees the stop of everything, and only those of every tenant end it") {
  two_tenants w;
  const auto global = w.ask("POST", "/v1/stops", {{"scope", "global"}, {"reason", "maintenance"}}).document;
  const auto seen = w.as("viewer", "GET", "/v1/stops").document.at("stops");
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].at("scope") == "global");
  CHECK(w.as("viewer", "GET", "/v1/status").document.at("global") == "stopped");
  const auto end = "/v1/stops/" + global.at("id").get<std::string>() + "/end";
  CHECK(w.as("operator", "POST", end, json::object()).status == 403);
  CHECK(w.ask("POST", end, json::object()).status == 200);
}

TEST_CASE("an admin of one tenant makes, sees and revokes tokens of that tenant alone") {
  two_tenants w;
  const auto make = [&](json wanted) { return w.as("admin", "POST", "/v1/tokens", wanted); };
  REQUIRE(w.ask("POST", "/v1/tokens", {{"name", "g-all"}, {"role", "viewer"}}).status == 201);
  CHECK(make({{"name", "x"}, {"role", "viewer"}}).status == 422);
  CHECK(make({{"name", "x"}, {"role", "viewer"}, {"tenants", {"globex"}}}).status == 422);
  CHECK(make({{"name", "x"}, {"role", "viewer"}, {"tenants", {"acme", "globex"}}}).status == 422);
  CHECK(make({{"name", "x"}, {"role", "viewer"}, {"tenants", {"acme"}}}).status == 201);
  CHECK(w.as("admin", "GET", "/v1/tokens").document.at("tokens").size() == 4);
  CHECK(w.ask("GET", "/v1/tokens").document.at("tokens").size() == 5);
  CHECK(w.as("admin", "POST", "/v1/tokens/g-all/revoke", json::object()).status == 404);
  CHECK(w.as("admin", "POST", "/v1/tokens/x/revoke", json::object()).status == 200);
}

} // namespace
} // namespace sluice::app
