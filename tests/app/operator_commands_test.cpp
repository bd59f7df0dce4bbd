#include "app/explain.hpp"
#include "app/job_commands.hpp"
#include "app/link_command.hpp"
#include "app/record_commands.hpp"
#include "app/rule_commands.hpp"
#include "app/show_commands.hpp"
#include "app/status_command.hpp"
#include "app/stop_commands.hpp"
#include "tests/app/node_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::node_world;

const scope_options everything{true, "", "", ""};
const scope_options of_rule{false, "", "to-crm", ""};

scope_options into(const std::string& connection) {
  return {false, connection, "", ""};
}

TEST_CASE("stop and resume do what the API does") {
  node_world w;
  CHECK(stop(w.context, of_rule, "a look first") == exit_ok);
  CHECK(w.ask("GET", "/v1/stops").document.at("stops").size() == 1);
  CHECK(list_stops(w.context, false) == exit_ok);
  CHECK(resume(w.context, of_rule, "") == exit_ok);
  CHECK(resume(w.context, of_rule, "") == exit_refused);
  CHECK(stop(w.context, into("nobody"), "x") == exit_refused);
  CHECK(list_stops(w.context, true) == exit_ok);
  CHECK(show_status(w.context, {}) == exit_ok);
  CHECK(list_holds(w.context) == exit_ok);
  CHECK(release_hold(w.context, "no-such", 1) == exit_refused);
  CHECK(discard_hold(w.context, "no-such") == exit_refused);
}

TEST_CASE("a backfill is started with agreed numbers, and refused without agreement") {
  node_world w;
  w.ask_until("/v1/rules/to-crm/backfill", [](const json& b) { return b.at("progress").is_null(); });
  REQUIRE(stop(w.context, everything, "count first") == exit_ok);
  w.import_records(3);
  backfill_options options;
  options.rule = "to-crm";
  CHECK(preview_backfill(w.context, options) == exit_ok);
  CHECK(start_backfill(w.context, options) == exit_refused); // nobody to ask
  options.yes = true;
  CHECK(start_backfill(w.context, options) == exit_usage);
  options.creates = 2;
  CHECK(start_backfill(w.context, options) == exit_refused);
  options.creates = 3;
  CHECK(start_backfill(w.context, options) == exit_ok);
  CHECK(abort_backfill(w.context, "to-crm") == exit_ok);
  CHECK(abort_backfill(w.context, "to-crm") == exit_refused);
}

TEST_CASE("a rule and a connection are shown by command") {
  node_world w;
  CHECK(show_rule(w.context, {.name = "to-crm", .force = false}) == exit_ok);
  CHECK(show_rule(w.context, {.name = "nobody", .force = false}) == exit_refused);
  CHECK(show_connection(w.context, {.name = "crm", .now = false, .yes = false}) == exit_ok);
  CHECK(show_connection(w.context, {.name = "nobody", .now = false, .yes = false}) == exit_refused);
}

TEST_CASE("a document is shown as a line a value, named by the way to it") {
  const auto shown = nlohmann::ordered_json::parse(
      R"({"name":"crm","settings":{"paths":["/a","/b"],"limit":9},"reason":null,"odd\u001bname":true})");
  CHECK(table_of(shown).text({})
        == "what              value\n"
           "name              crm\n"
           "settings.paths.1  /a\n"
           "settings.paths.2  /b\n"
           "settings.limit    9\n"
           "reason\n"
           "odd?name          true\n");
}

TEST_CASE("a rule is planned by command") {
  node_world w;
  CHECK(plan_rule(w.context, "to-crm") == exit_ok);
  CHECK(plan_rule(w.context, "nobody") == exit_refused);
}

TEST_CASE("records that ended are reopened by command, one by name and all as a job") {
  node_world w{{.fail_rate = 1}};
  w.import_records(2);
  w.wait_for("exhausted", 2);
  row_options options;
  options.rule = "to-crm";
  options.source_id = "c1";
  CHECK(offer_rows(w.context, core::row_act::retry, options) == exit_refused); // it is terminal
  CHECK(offer_rows(w.context, core::row_act::reopen, options) == exit_ok);
  w.wait_for("exhausted", 2); // the target still refuses
  options.source_id.clear();
  options.all = true;
  CHECK(offer_rows(w.context, core::row_act::reopen, options) == exit_refused); // nobody to ask
  options.yes = true;
  CHECK(offer_rows(w.context, core::row_act::reopen, options) == exit_ok);
  CHECK(list_jobs(w.context, "to-crm") == exit_ok);
  const auto jobs = w.ask("GET", "/v1/rules/to-crm/jobs").document.at("jobs");
  REQUIRE(jobs.size() == 1);
  CHECK(jobs[0].at("ending") == "completed");
  CHECK(cancel_job(w.context, "to-crm", jobs[0].at("id").get<std::string>()) == exit_refused);
  options.error_class = "strange";
  options.no_wait = true;
  CHECK(offer_rows(w.context, core::row_act::reopen, options) == exit_ok); // none: no job
  CHECK(w.ask("GET", "/v1/rules/to-crm/jobs").document.at("jobs").size() == 1);
  options.rule = "nobody";
  CHECK(offer_rows(w.context, core::row_act::retry, options) == exit_refused);
  CHECK(list_jobs(w.context, "nobody") == exit_refused);
}

TEST_CASE("ambiguous acts on records") {
  node_world w;
  CHECK(list_ambiguous(w.context, "to-crm") == exit_ok);
  CHECK(link_record(w.context, "to-crm", "zzz", "1") == exit_refused);
  CHECK(resend_record(w.context, "to-crm", "zzz") == exit_refused);
}

TEST_CASE("a file of links is read as CSV or NDJSON, and one bad line keeps it from being linked") {
  node_world w;
  w.ask_until("/v1/rules/to-crm/backfill", [](const json& b) { return b.at("progress").is_null(); });
  REQUIRE(stop(w.context, everything, "link first") == exit_ok);
  w.import_records(3);
  link_options options;
  options.rule = "to-crm";
  options.file = w.folder.file("bad.csv", "source_id,remote_id\nc1,r-1\nzzz,r-2\n");
  CHECK(link_file(w.context, options) == exit_refused);
  CHECK(w.ask("GET", "/v1/rules/to-crm/ledger/counts").document.at("total") == 0);
  options.skip_invalid = true;
  CHECK(link_file(w.context, options) == exit_ok);
  CHECK(w.ask("GET", "/v1/rules/to-crm/ledger").document.at("rows")[0].at("remote_id") == "r-1");
  options.skip_invalid = false;
  options.file = w.folder.file("more.ndjson", "{\"source_id\":\"c1\",\"remote_id\":\"r-1\"}\n"
                                              "{\"source_id\":\"c2\",\"remote_id\":22}\n");
  CHECK(link_file(w.context, options) == exit_ok);
  CHECK(w.ask("GET", "/v1/rules/to-crm/ledger").document.at("rows")[1].at("remote_id") == "22");
  options.file = w.folder.file("none.csv", "source_id,other\nc3,x\n");
  CHECK(link_file(w.context, options) == exit_refused);
  options.file = w.folder.path("nowhere.csv");
  CHECK(link_file(w.context, options) == exit_refused);
}

TEST_CASE("without a node a command says so, and explain reads the database") {
  {
    node_world w;
    w.import_records(1);
    w.wait_for("delivered", 1);
    CHECK(explain(w.context, {"to-crm", "c1"}) == exit_ok);
    CHECK(explain(w.context, {"to-crm", "zzz"}) == exit_refused);
    auto deaf = w.context;
    deaf.settings.api.token = "another-token-of-16";
    CHECK(show_status(deaf, {}) == exit_refused);
    auto closed = w.context;
    closed.settings.api.listen = "127.0.0.1:1";
    CHECK(show_status(closed, {}) == exit_unreachable);
    CHECK(explain(closed, {"to-crm", "c1"}) == exit_ok);
    closed.settings.api.listen.clear();
    CHECK(show_status(closed, {}) == exit_usage);
    CHECK(explain(closed, {"to-crm", "c1"}) == exit_ok);
    CHECK(explain(closed, {"nobody", "c1"}) == exit_refused);
  }
}

} // namespace
} // namespace sluice::app
