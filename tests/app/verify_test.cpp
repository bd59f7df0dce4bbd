#include "app/verify_command.hpp"
#include "tests/app/node_world.hpp"

#include <algorithm>
#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::node_world;

/// A node whose target can look records up, and has `count` of them.
struct looked_up_world : node_world {
  explicit looked_up_world(int count) {
    auto text = configuration();
    const std::string before = "[[rules]]";
    text.insert(text.find(before), R"([connections.settings.operations.lookup]
path = "/customers?external_id={source_id}"
matches = "/items"
)");
    REQUIRE(apply(context, {.file = folder.file("lookup.toml", text), .yes = true}) == exit_ok);
    import_records(count);
    wait_for("delivered", count);
  }

  /// What the target holds of a record goes, without the node.
  void lose(const std::string& source_id) const {
    const auto rows = ask("GET", "/v1/rules/to-crm/ledger?limit=100").document.at("rows");
    const auto row =
        std::ranges::find_if(rows, [&](const json& one) { return one.at("source_id") == source_id; });
    REQUIRE(row != rows.end());
    tests::http_client client{config::parse_listen_address(crm.server.address()).value().port};
    REQUIRE(client.send("DELETE", "/customers/" + row->at("remote_id").get<std::string>()).status == 204);
  }

  [[nodiscard]] json verified(const json& body) const {
    REQUIRE(ask("POST", "/v1/rules/to-crm/verify", body).status == 202);
    return ask_until("/v1/rules/to-crm/verify", [](const json& one) { return one.at("phase") != "looking"; });
  }
};

TEST_CASE("a rule is verified over the API: what the target lost is named, and nothing is written") {
  const looked_up_world w{30};
  CHECK(w.ask("GET", "/v1/rules/to-crm/verify").status == 404);
  CHECK(w.verified({{"all", true}}).at("counts").at("agrees") == 30);
  w.lose("c7");

  const auto found = w.verified({{"all", true}});

  CHECK(found.at("phase") == "done");
  CHECK(found.at("total") == 30);
  CHECK(found.at("drifted") == 1);
  CHECK(found.at("counts").at("agrees") == 29);
  CHECK(found.at("counts").at("missing") == 1);
  REQUIRE(found.at("examples").size() == 1);
  CHECK(found.at("examples")[0].at("source_id") == "c7");
  CHECK(found.at("examples")[0].at("target_id").is_null());
  CHECK(w.ask("DELETE", "/v1/rules/to-crm/verify").document.at("phase") == "done");
  CHECK(w.ask("GET", "/v1/rules/to-crm/ledger/counts").document.at("counts").at("delivered") == 30);
}

TEST_CASE("a sample is as large as was asked for, and a sample of everything is refused") {
  const looked_up_world w{30};
  CHECK(w.verified({{"sample", 10}}).at("examined") == 10);
  CHECK(w.verified(json::object()).at("sample") == 200);
  CHECK(w.ask("POST", "/v1/rules/to-crm/verify", {{"sample", 10}, {"all", true}}).status == 422);
  CHECK(w.ask("POST", "/v1/rules/to-crm/verify", {{"sample", 0}}).status == 422);
  CHECK(w.ask("POST", "/v1/rules/nobody/verify").status == 404);
}

TEST_CASE("the command ends well where all agree, and refused where something drifted") {
  looked_up_world w{5};
  CHECK(verify_rule(w.context, {.rule = "to-crm", .sample = {}, .all = true}) == exit_ok);
  CHECK(verify_rule(w.context, {.rule = "to-crm", .sample = 3}) == exit_ok);
  w.lose("c1");
  CHECK(verify_rule(w.context, {.rule = "to-crm", .sample = {}, .all = true}) == exit_refused);
  w.context.style.json = false;
  CHECK(verify_rule(w.context, {.rule = "to-crm", .sample = {}, .all = true}) == exit_refused);
  CHECK(verify_rule(w.context, {.rule = "nobody", .sample = {}}) == exit_refused);
}

TEST_CASE("a target without a lookup cannot be verified, and the answer says what gives it one") {
  const node_world w;
  REQUIRE(w.ask("POST", "/v1/rules/to-crm/verify").status == 202);
  const auto ended = [](const json& one) { return one.at("phase") != "looking"; };
  const auto found = w.ask_until("/v1/rules/to-crm/verify", ended);
  CHECK(found.at("phase") == "failed");
  CHECK_THAT(found.at("reason").get<std::string>(), Catch::Contains("operations.lookup"));
  CHECK(verify_rule(w.context, {.rule = "to-crm", .sample = {}}) == exit_refused);
}

} // namespace
} // namespace sluice::app
