#include "tests/app/node_world.hpp"

#include <chrono>
#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::node_world;
using namespace std::chrono_literals;

std::string text(const json& from, const char* name) {
  return from.at(name).get<std::string>();
}

/// Answers what is asked of the rule.
struct rule_world : node_world {
  using node_world::node_world;

  api::client::answer post(const std::string& rest, const json& body = json::object()) const {
    return ask("POST", "/v1/rules/to-crm" + rest, body);
  }

  /// Waits until the job has ended.
  json ended(const json& job) const {
    return ask_until("/v1/rules/to-crm/jobs/" + text(job, "id"),
                     [](const json& now) { return now.at("ended_at").is_string(); });
  }

  /// Waits until the rule has begun to work: acts on it are heard.
  void wait_for_the_rule() const {
    ask_until("/v1/rules/to-crm/backfill", [](const json& b) { return b.at("progress").is_null(); });
  }

  void stop_everything() const {
    REQUIRE(ask("POST", "/v1/stops", {{"scope", "global"}, {"reason", "hold still"}}).status == 201);
  }
};

json link_of(const std::string& source_id, const std::string& remote_id) {
  return {{"source_id", source_id}, {"remote_id", remote_id}};
}

TEST_CASE("an act names one record, or a filter, or all of them") {
  rule_world w;
  w.wait_for_the_rule();
  for (const std::string act : {"/retry", "/reopen"}) {
    CHECK(w.post(act).status == 422);
    CHECK(w.post(act, {{"source_id", "c1"}, {"all", true}}).status == 422);
    CHECK(w.post(act, {{"source_id", "c1"}, {"count_only", true}}).status == 422);
    CHECK(w.post(act, {{"status", "delivered"}}).status == 422);
    CHECK(w.post(act, {{"status", "strange"}}).status == 422);
    CHECK(w.post(act, {{"from", "yesterday"}}).status == 422);
    CHECK(w.post(act, {{"source_id", "zzz"}}).status == 404);
  }
  CHECK(w.post("/retry", {{"status", "exhausted"}}).status == 422);
  CHECK(w.post("/reopen", {{"status", "failed"}}).status == 422);
}

TEST_CASE("exhausted records are counted and offered again, one at once and the rest as a job") {
  rule_world w{{.fail_rate = 1}};
  w.import_records(3);
  w.wait_for("exhausted", 3);
  w.stop_everything();
  const auto one = w.post("/reopen", {{"source_id", "c1"}});
  CHECK(one.status == 200);
  CHECK(one.document.at("status") == "failed");
  CHECK(one.document.at("attempts") == 0);
  CHECK(w.post("/reopen", {{"source_id", "c1"}}).status == 409);
  CHECK(w.post("/reopen", {{"all", true}, {"count_only", true}}).document == json{{"count", 2}});
  CHECK(w.post("/reopen", {{"error_class", "strange"}, {"count_only", true}}).document == json{{"count", 0}});
  CHECK(w.ask("GET", "/v1/rules/to-crm/jobs").document.at("jobs").empty());

  const auto begun = w.post("/reopen", {{"status", "exhausted"}, {"by", "ann"}});

  CHECK(begun.status == 202);
  CHECK(begun.document.at("counted") == 2);
  CHECK(begun.document.at("status") == "exhausted");
  CHECK(text(begun.document, "started_by") == "ann");
  const auto job = w.ended(begun.document);
  CHECK(job.at("ending") == "completed");
  CHECK(job.at("done") == 2);
  const auto page = w.ask("GET", "/v1/rules/to-crm/jobs?limit=1").document;
  CHECK(page.at("jobs")[0] == job);
  const auto next = "/v1/rules/to-crm/jobs?before=" + page.at("next_before").dump();
  CHECK(w.ask("GET", next).document.at("jobs").empty());
  CHECK(w.ask("GET", "/v1/rules/to-crm/jobs?limit=0").status == 422);
  CHECK(w.post("/jobs/" + text(job, "id") + "/cancel").status == 409);
  CHECK(w.post("/jobs/no-such/cancel").status == 404);
  CHECK(w.ask("GET", "/v1/rules/to-crm/jobs/no-such").status == 404);
}

TEST_CASE("failed records that wait for hours are retried, one at once and the rest as a job") {
  rule_world w{{.fail_rate = 1}, [](auto& settings) { settings.delivery.retry_schedule = {3h}; }};
  w.import_records(2);
  w.wait_for("failed", 2);
  w.stop_everything();
  const auto one = w.post("/retry", {{"source_id", "c1"}});
  CHECK(one.status == 200);
  CHECK(one.document.at("attempts") == 1);
  CHECK(w.post("/retry", {{"source_id", "c1"}}).status == 409);
  const auto begun = w.post("/retry", {{"all", true}});
  CHECK(begun.status == 202);
  CHECK(begun.document.at("counted") == 1);
  CHECK(w.ended(begun.document).at("done") == 1);
  REQUIRE(w.ask("POST", "/v1/stops/end", {{"scope", "global"}}).status == 200);
  w.wait_for("exhausted", 2); // the target still refuses
}

TEST_CASE("acts on a rule that is switched off are refused") {
  rule_world w;
  REQUIRE(w.post("/off").status == 200);
  w.ask_until("/v1/rules/to-crm", [](const json& rule) { return rule.at("active") == false; });
  const auto refused = [&](const std::string& rest, const json& body) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    auto answer = w.post(rest, body);
    while (answer.status < 400 && std::chrono::steady_clock::now() < until) // until the dispatcher has heard
      answer = w.post(rest, body);
    return answer.status;
  };
  CHECK(refused("/retry", {{"all", true}}) == 409);
  CHECK(w.post("/links", {{"links", json::array({link_of("c1", "1")})}}).status == 409);
}

TEST_CASE("links are made before the first delivery, all or none, and twice without harm") {
  rule_world w;
  w.wait_for_the_rule();
  w.stop_everything();
  w.import_records(2);
  json body{{"links", json::array({link_of("c1", "7"), link_of("zzz", "8")})}};
  const auto refused = w.post("/links", body);
  CHECK(refused.status == 422);
  CHECK(refused.document.at("type") == "urn:sluice:problem:links_refused");
  CHECK(refused.document.at("linked") == 0);
  CHECK(refused.document.at("refused") == 1);
  CHECK(refused.document.at("refused_lines")[0].at("line") == 2);
  CHECK(w.ask("GET", "/v1/rules/to-crm/ledger/counts").document.at("total") == 0);
  body["skip_invalid"] = true;
  const auto linked = w.post("/links", body);
  CHECK(linked.status == 200);
  CHECK(linked.document.at("linked") == 1);
  CHECK(linked.document.at("refused") == 1);
  CHECK(w.post("/links", body).document.at("unchanged") == 1);
  CHECK(w.ask("GET", "/v1/rules/to-crm/page").document.at("known_records") == 1);
  const auto row = w.ask("GET", "/v1/rules/to-crm/ledger").document.at("rows")[0];
  CHECK(row.at("target_state") == "active");
  CHECK(row.at("remote_id") == "7");
  CHECK(w.post("/links", {{"links", json::array({link_of("c1", "9")})}}).status == 422);
  CHECK(w.post("/links", {{"links", json::array({json{{"source_id", "c1"}}})}}).status == 422);
}

} // namespace
} // namespace sluice::app
