#include "tests/app/node_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::node_world;

const json& only_card(const json& group) {
  REQUIRE(group.at("count") == 1);
  REQUIRE(group.at("tenants").size() == 1);
  REQUIRE(group.at("tenants")[0].at("cards").size() == 1);
  return group.at("tenants")[0].at("cards")[0];
}

TEST_CASE("the Delivery page's document says that all is well, and where a stop is") {
  node_world w;
  w.import_records(3);
  w.wait_for("delivered", 3);
  auto page = w.ask_until("/v1/delivery", [](const json& p) { return p.at("notice") == "all_well"; });
  CHECK(page.at("tiles").at("global") == "ok");
  CHECK(page.at("badge") == 0);

  REQUIRE(w.ask("POST", "/v1/stops", {{"scope", "connection"}, {"connection", "crm"}, {"reason", "a test"}})
              .ok());
  page = w.ask("GET", "/v1/delivery").document;
  CHECK(page.at("tiles").at("stopped") == 1);
  CHECK(page.at("badge") == 1);
  const auto& card = only_card(page.at("stopped"));
  CHECK(card.at("stop").at("reason") == "a test");
  CHECK(card.at("connection").at("name") == "crm");
  CHECK(card.at("connection").at("host") == w.crm.server.address());
  CHECK(card.at("rules")[0].at("name") == "to-crm");
  CHECK(page.at("stopped").at("tenants")[0].at("tenant").at("name") == "acme");
  CHECK(w.ask("GET", "/v1/delivery?q=nobody").document.at("notice") == "nothing_matches");
  CHECK(w.ask("GET", "/v1/delivery?q=" + std::string(201, 'x')).status == 422);
}

TEST_CASE("the rule page's document tells what reaches the rule, and where its cursor is") {
  node_world w;
  w.import_records(300);
  w.wait_for("delivered", 300);
  w.ask_until("/v1/rules/to-crm/page",
              [](const json& p) { return p.at("cursor").at("backfill_until").is_null(); });
  REQUIRE(w.ask("POST", "/v1/stops", {{"scope", "global"}, {"reason", "a test"}}).ok());
  const auto page = w.ask("GET", "/v1/rules/to-crm/page").document;
  CHECK(page.at("state") == "stopped");
  CHECK(page.at("domain") == "customers");
  CHECK(page.at("stops").size() == 1);
  CHECK(page.at("hold").is_null());
  CHECK(page.at("known_records") == 300);
  CHECK(page.at("cursor").at("delta_at").is_string());
  CHECK(page.at("source").at("tenant").at("name") == "acme");
}

TEST_CASE(
    "what is disconnected is on the list of connections, with its host and its tenant's id, and on no card") {
  node_world w;
  w.import_records(1);
  w.wait_for("delivered", 1);
  REQUIRE(w.ask("POST", "/v1/stops", {{"scope", "connection"}, {"connection", "crm"}, {"reason", "it goes"}})
              .ok());
  REQUIRE(w.ask("POST", "/v1/connections/crm/disconnect", json::object()).ok());
  const auto listed = w.ask("GET", "/v1/connections").document.at("connections");
  REQUIRE(listed.size() == 2);
  CHECK(listed[0].at("state") == "disconnected");
  CHECK(listed[0].at("host") == w.crm.server.address());
  CHECK(listed[0].at("tenant_id") == listed[1].at("tenant_id"));
  CHECK(listed[0].at("tenant_id").get<std::string>().size() == 36);
  CHECK(w.ask("GET", "/v1/delivery").document.at("stopped").at("count") == 0);
}

} // namespace
} // namespace sluice::app
