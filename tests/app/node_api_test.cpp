#include "api/operations.hpp"
#include "tests/app/node_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::node_world;
using namespace std::chrono_literals;

std::string text(const json& from, const char* name) {
  return from.at(name).get<std::string>();
}

TEST_CASE("a node says how its rules stand, and what became of their records") {
  node_world w;
  w.import_records(3);
  w.wait_for("delivered", 3);
  const auto status =
      w.ask_until("/v1/status?rules=all", [](const json& s) { return s.at("global") == "ok"; });
  CHECK(status.at("rules").size() == 1);
  CHECK(text(status.at("rules")[0], "name") == "to-crm");
  CHECK(text(status.at("rules")[0], "target") == "crm");
  CHECK(w.ask("GET", "/v1/rules/to-crm").document.at("name") == "to-crm");
  CHECK(w.ask("GET", "/v1/status?rules=some").status == 422);
  const auto page = w.ask("GET", "/v1/rules/to-crm/ledger?limit=2").document;
  CHECK(page.at("rows").size() == 2);
  CHECK(page.at("next_after") == "c2");
  CHECK(w.ask("GET", "/v1/rules/to-crm/ledger?limit=2&after=c2").document.at("rows").size() == 1);
  CHECK(w.ask("GET", "/v1/rules/to-crm/ledger?status=failed").document.at("rows").empty());
  CHECK(w.ask("GET", "/v1/rules/to-crm/ledger?status=strange").status == 422);
  CHECK(w.ask("GET", "/v1/rules/to-crm/ledger?limit=0").status == 422);
  CHECK_FALSE(w.ask("GET", "/v1/runs?limit=5").document.at("runs").empty());
}

TEST_CASE("a record is explained, an unknown one is not found") {
  node_world w;
  w.import_records(1);
  w.wait_for("delivered", 1);
  const auto said = w.ask("GET", "/v1/rules/to-crm/records/c1").document;
  CHECK(said.at("ledger").at("status") == "delivered");
  CHECK(said.at("sentences").size() >= 3);
  CHECK(w.ask("GET", "/v1/rules/to-crm/records/zzz").status == 404);
}

TEST_CASE("every operation on a rule that does not exist is not found") {
  node_world w;
  api::router routes;
  api::add_operations(routes);
  auto tried = 0;
  for (const auto& route : routes.routes()) {
    const auto at = route.pattern.find("{rule}");
    if (at == std::string::npos || route.method == "PUT") // which makes it
      continue;
    auto target = route.pattern;
    target.replace(at, 6, "nobody");
    if (const auto id = target.find("{source_id}"); id != std::string::npos)
      target.replace(id, 11, "c1");
    if (const auto id = target.find("{id}"); id != std::string::npos)
      target.replace(id, 4, "0198");
    INFO(route.method << " " << target);
    json body = json::object();
    if (target.ends_with("/link"))
      body = {{"remote_id", "1"}};
    if (target.ends_with("/links"))
      body = {{"links", json::array({{{"source_id", "c1"}, {"remote_id", "1"}}})}};
    if (target.ends_with("/retry") || target.ends_with("/reopen"))
      body = {{"all", true}};
    if (target.ends_with("/backfill") && route.method == "POST")
      body = {{"until", "2026-01-01T00:00:00Z"}, {"records", 0}, {"creates", 0}};
    const auto answer = w.ask(route.method, target, route.method == "POST" ? body : json(nullptr));
    CHECK(answer.status == 404);
    CHECK(answer.document.at("type") == "urn:sluice:problem:not_found");
    ++tried;
  }
  CHECK(tried >= 15);
}

TEST_CASE("a stop holds delivery back until it is ended, and is never doubled") {
  node_world w;
  const json wanted{{"scope", "rule"}, {"rule", "to-crm"}, {"reason", "a look first"}, {"by", "ann"}};
  const auto set = w.ask("POST", "/v1/stops", wanted);
  CHECK(set.status == 201);
  CHECK(text(set.document, "set_by") == "ann");
  const auto again = w.ask("POST", "/v1/stops", wanted);
  CHECK(again.status == 200);
  CHECK(again.document.at("id") == set.document.at("id"));
  w.import_records(2);
  CHECK(w.ask("GET", "/v1/stops").document.at("stops").size() == 1);
  CHECK(w.ask("GET", "/v1/rules/to-crm").document.at("state") == "stopped");
  CHECK(w.ask("GET", "/v1/rules/to-crm/ledger/counts").document.at("total") == 0);
  const auto ended = w.ask("POST", "/v1/stops/" + text(set.document, "id") + "/end", {{"by", "bob"}});
  CHECK(ended.status == 200);
  CHECK(text(ended.document, "resolution") == "resumed");
  w.wait_for("delivered", 2);
  CHECK(w.ask("POST", "/v1/stops/" + text(set.document, "id") + "/end", json::object()).status == 404);
  CHECK(w.ask("GET", "/v1/stops").document.at("stops").empty());
  CHECK(w.ask("GET", "/v1/stops/history").document.at("stops").size() == 1);
}

TEST_CASE("a stop of an unknown scope, or without a reason, is refused") {
  node_world w;
  const auto status = [&](const json& body) { return w.ask("POST", "/v1/stops", body).status; };
  CHECK(status({{"scope", "planet"}, {"reason", "x"}}) == 422);
  CHECK(status({{"scope", "rule"}, {"reason", "x"}}) == 422);
  CHECK(status({{"scope", "global"}}) == 422);
  CHECK(status({{"scope", "global"}, {"reason", "x"}, {"rule", "to-crm"}}) == 422);
  CHECK(status({{"scope", "connection"}, {"connection", "nobody"}, {"reason", "x"}}) == 404);
  CHECK(status({{"scope", "subscription"}, {"reason", "x"}}) == 422);
  CHECK(status({{"scope", "subscription"}, {"subscription", "nobody"}, {"reason", "x"}}) == 404);
  CHECK(w.ask("POST", "/v1/stops/end", {{"scope", "global"}}).status == 404);
  CHECK(status({{"scope", "global"}, {"reason", "x"}}) == 201);
  CHECK(w.ask("GET", "/v1/status").document.at("global") == "stopped");
  CHECK(w.ask("POST", "/v1/stops/end", {{"scope", "global"}}).status == 200);
}

TEST_CASE("a plan counts what delivering would do, and sends nothing") {
  node_world w;
  REQUIRE(w.ask("POST", "/v1/stops", {{"scope", "global"}, {"reason", "count first"}}).status == 201);
  w.import_records(30);
  CHECK(w.ask("GET", "/v1/rules/to-crm/plan").status == 404);
  CHECK(w.ask("POST", "/v1/rules/to-crm/plan").status == 202);
  const auto done = [](const json& plan) { return plan.at("phase") != "counting"; };
  const auto plan = w.ask_until("/v1/rules/to-crm/plan", done);
  CHECK(plan.at("phase") == "done");
  CHECK(plan.at("counts").at("create") == 30);
  CHECK(plan.at("counts").at("skip") == 0);
  CHECK(w.ask("GET", "/v1/rules/to-crm/ledger/counts").document.at("total") == 0);
  REQUIRE(w.ask("POST", "/v1/stops/end", {{"scope", "global"}}).status == 200);
  w.wait_for("delivered", 30);
  CHECK(w.ask("POST", "/v1/rules/to-crm/plan").status == 202);
  CHECK(w.ask_until("/v1/rules/to-crm/plan", done).at("counts").at("create") == 0);
  CHECK(w.ask("DELETE", "/v1/rules/to-crm/plan").document.at("phase") == "done");
}

TEST_CASE("a backfill starts with the numbers that were seen, and no other") {
  node_world w;
  w.import_records(5);
  w.wait_for("delivered", 5);
  w.ask_until("/v1/rules/to-crm/backfill", [](const json& b) { return b.at("progress").is_null(); });
  REQUIRE(w.ask("POST", "/v1/stops", {{"scope", "global"}, {"reason", "so that it stays open"}}).status
          == 201);
  const auto preview = w.ask("GET", "/v1/rules/to-crm/backfill/preview").document;
  CHECK(preview.at("records") == 5);
  CHECK(preview.at("creates") == 0);
  CHECK(w.ask("GET", "/v1/rules/to-crm/backfill/preview?until=yesterday").status == 422);
  json start{{"until", "2999-01-01T00:00:00Z"}, {"records", 5}, {"creates", 0}, {"by", "ann"}};
  CHECK(w.ask("POST", "/v1/rules/to-crm/backfill", start).status == 409);
  CHECK(w.ask("POST", "/v1/rules/to-crm/backfill", {{"records", 5}}).status == 422);
  start["until"] = preview.at("until");
  CHECK(w.ask("POST", "/v1/rules/to-crm/backfill", start).status == 201);
  CHECK(w.ask("POST", "/v1/rules/to-crm/backfill", start).status == 409);
  const auto shown = w.ask("GET", "/v1/rules/to-crm/backfill").document;
  CHECK(text(shown.at("confirmation"), "confirmed_by") == "ann");
  CHECK(w.ask("POST", "/v1/rules/to-crm/backfill/abort", {{"by", "bob"}}).status == 200);
  CHECK(w.ask("POST", "/v1/rules/to-crm/backfill/abort", {{"by", "bob"}}).status == 409);
}

TEST_CASE("a count that has grown since it was confirmed refuses the backfill") {
  node_world w;
  w.ask_until("/v1/rules/to-crm/backfill", [](const json& b) { return b.at("progress").is_null(); });
  REQUIRE(w.ask("POST", "/v1/stops", {{"scope", "global"}, {"reason", "count first"}}).status == 201);
  w.import_records(3);
  const auto preview = w.ask("GET", "/v1/rules/to-crm/backfill/preview").document;
  CHECK(preview.at("creates") == 3);
  const auto refused = w.ask("POST", "/v1/rules/to-crm/backfill",
                             {{"until", preview.at("until")}, {"records", 3}, {"creates", 2}});
  CHECK(refused.status == 409);
}

TEST_CASE("a rule is switched off and on, and delivers what came meanwhile") {
  node_world w;
  CHECK(w.ask("POST", "/v1/rules/to-crm/off").document.at("active") == false);
  w.import_records(1);
  CHECK(w.ask("GET", "/v1/rules/to-crm").document.at("active") == false);
  CHECK(w.ask("POST", "/v1/rules/to-crm/on").document.at("active") == true);
  w.wait_for("delivered", 1);
}

TEST_CASE("a hold shows its finding, lets go what is allowed and ends once") {
  node_world w;
  w.import_records(30);
  w.wait_for("delivered", 30);
  w.delete_records(30);
  const auto holds = w.ask_until("/v1/holds", [](const json& h) { return h.at("holds").size() == 1; });
  const auto& hold = holds.at("holds")[0];
  CHECK(hold.at("rule") == "to-crm");
  CHECK(hold.at("finding").at("pending") == 30);
  CHECK(hold.at("finding").at("threshold") == 25);
  CHECK(w.ask("GET", "/v1/rules/to-crm").document.at("held") == true);
  const auto path = "/v1/holds/" + text(hold, "id");
  CHECK(w.ask("POST", path + "/release", {{"allowed", 0}}).status == 422);
  CHECK(w.ask("POST", path + "/release", json::object()).status == 422);
  const auto released = w.ask("POST", path + "/release", {{"allowed", 30}, {"by", "ann"}});
  CHECK(released.status == 200);
  CHECK(released.document.at("allowed_withdrawals") == 30);
  w.wait_for("withdrawn", 30);
  CHECK(w.ask("POST", path + "/release", {{"allowed", 30}}).status == 404);
  CHECK(w.ask("POST", path + "/discard", json::object()).status == 404);
}

TEST_CASE("an ambiguous create is listed, linked to what the target has, or made again") {
  node_world w{{.lose_reply_rate = 1, .ignore_keys = true}};
  w.import_records(2);
  w.wait_for("ambiguous", 2);
  const auto listed = w.ask("GET", "/v1/rules/to-crm/ambiguous").document;
  CHECK(listed.at("rows").size() == 2);
  CHECK(listed.at("rows")[0].at("since").is_string());
  REQUIRE(w.ask("POST", "/v1/stops", {{"scope", "global"}, {"reason", "hold still"}}).status == 201);
  const auto linked =
      w.ask("POST", "/v1/rules/to-crm/ambiguous/c1/link", {{"remote_id", "1"}, {"by", "ann"}});
  CHECK(linked.status == 200);
  CHECK(linked.document.at("remote_id") == "1");
  CHECK(w.ask("POST", "/v1/rules/to-crm/ambiguous/c1/link", json::object()).status == 422);
  CHECK(w.ask("POST", "/v1/rules/to-crm/ambiguous/c2/resend", json::object()).status == 200);
  CHECK(w.ask("GET", "/v1/rules/to-crm/ambiguous").document.at("rows").empty());
  CHECK(w.ask("POST", "/v1/rules/to-crm/ambiguous/zzz/resend", json::object()).status == 404);
}

} // namespace
} // namespace sluice::app
