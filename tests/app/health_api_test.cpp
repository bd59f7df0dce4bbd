#include "tests/app/node_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::http_client;
using tests::json;
using tests::node_world;

std::string bearer(const std::string& token) {
  return "Authorization: Bearer " + token + "\r\n";
}

std::string token_for(const node_world& w, const json& wanted) {
  return w.ask("POST", "/v1/tokens", wanted).document.at("token").get<std::string>();
}

TEST_CASE("metrics take a viewer's token that is for all tenants") {
  node_world w;
  http_client client{w.port()};
  const auto status = [&](const std::string& headers) {
    return client.send("GET", "/metrics", "", headers).status;
  };
  CHECK(status("") == 401);
  CHECK(status(bearer(token_for(w, {{"name", "prometheus"}, {"role", "viewer"}}))) == 200);
  CHECK(status(bearer(token_for(w, {{"name", "acme-viewer"}, {"role", "viewer"}, {"tenants", {"acme"}}})))
        == 403);
  CHECK(status(bearer(token_for(w, {{"name", "importer"}, {"role", "intake"}}))) == 403);
}

TEST_CASE("metrics come in the text format, and say what was delivered") {
  node_world w;
  w.import_records(4);
  w.wait_for("delivered", 4);
  http_client client{w.port()};
  const auto answer = client.send("GET", "/metrics", "", bearer(w.context.settings.api.token));
  CHECK(answer.head.find("Content-Type: text/plain; version=0.0.4; charset=utf-8") != std::string::npos);
  const auto shows = [&](const std::string& line) {
    return answer.body.find("\n" + line + "\n") != std::string::npos;
  };
  CHECK(shows(R"(sluice_deliveries_total{operation="create",outcome="accepted"} 4)"));
  CHECK(shows(R"(sluice_circuits{connection="crm",state="closed"} 1)"));
  CHECK(shows("sluice_database_up 1"));
}

TEST_CASE("metrics take no token where the settings say so") {
  node_world w{{}, [](config::settings& settings) { settings.metrics.access = "anyone"; }};
  http_client client{w.port()};
  CHECK(client.send("GET", "/metrics").status == 200);
  CHECK(client.send("GET", "/v1/status").status == 401);
}

TEST_CASE("whether a node lives and is ready is told without a token, however often it is asked") {
  node_world w;
  http_client client{w.port()};
  CHECK(client.send("GET", "/healthz").body == "{\"status\":\"live\"}\n");
  w.ask_until("/readyz", [](const json& told) { return told.value("status", json()) == "ready"; });
  for (auto i = 0; i < 50; ++i)
    CHECK(client.send("GET", "/readyz").status == 200);
}

TEST_CASE("a node whose dispatcher shows no sign of life is not ready, and says so") {
  node_world w{
      {}, [](config::settings& settings) { settings.delivery.heartbeat_stale_after = core::duration{1}; }};
  const auto told = w.ask("GET", "/readyz");
  CHECK(told.status == 503);
  CHECK(told.document.at("type") == "urn:sluice:problem:not_ready");
  CHECK(told.document.at("checks").at("database") == "ok");
  CHECK(told.document.at("checks").at("lease") == "ok");
  CHECK(told.document.at("checks").at("dispatcher") != "ok");
}

} // namespace
} // namespace sluice::app
