#include "app/explain.hpp"
#include "app/import.hpp"
#include "app/ledger_command.hpp"
#include "app/runs_command.hpp"
#include "storage/rules.hpp"
#include "tests/app/command_world.hpp"

#include <catch2/catch.hpp>

namespace sluice::app {
namespace {

using tests::command_world;

std::string with(std::string_view old_text, std::string_view new_text) {
  std::string text{command_world::configuration};
  const auto at = text.find(old_text);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old_text.size(), new_text);
}

TEST_CASE("applying a file again changes nothing") {
  command_world w;
  auto db = w.open();
  const auto before = storage::configuration_version(db);
  REQUIRE(before);
  CHECK(w.apply(command_world::configuration) == exit_ok);
  auto again = w.open();
  CHECK(*storage::configuration_version(again) == *before);
}

TEST_CASE("a changed mapping raises the rule's revision") {
  command_world w;
  CHECK(w.apply(with("name = \"/name\"", "name = \"/full_name\"")) == exit_ok);
  auto db = w.open();
  const auto rule = storage::find_rule(db, "to-crm").value().value();
  CHECK(rule.revision == 2);
  CHECK(rule.mapping == R"({"name":"/full_name"})");
}

TEST_CASE("a target whose settings its writer refuses is not applied") {
  command_world w;
  CHECK(w.apply(with("path = \"/customers\"", "path = 7")) == exit_refused);
  CHECK(w.apply(with("base_url = \"https://crm.example.com\"", "base_url = \"nowhere\"")) == exit_refused);
  auto db = w.open();
  CHECK(storage::find_connection(db, "crm").value()->settings.find("https://crm.example.com")
        != std::string::npos);
}

TEST_CASE("a target whose address leads inside is not applied, unless the settings allow it") {
  command_world w;
  const auto inside = std::string{command_world::configuration}
                      + "[[connections]]\ntenant = \"acme\"\nname = \"erp\"\ndriver = \"rest\"\n"
                        "[connections.settings]\nbase_url = \"http://10.1.2.3\"\n";
  CHECK(w.apply(inside) == exit_refused);
  {
    auto db = w.open();
    CHECK_FALSE(storage::find_connection(db, "erp").value().has_value());
  }
  w.context.settings.calls.allowed_networks = {"10.0.0.0/8"};
  CHECK(w.apply(inside) == exit_ok);
  auto db = w.open();
  CHECK(storage::find_connection(db, "erp").value().has_value());
}

TEST_CASE("a delete policy whose operations the target lacks is not applied") {
  command_world w;
  const std::string remove = "[connections.settings.operations.delete]\npath = \"/customers/{remote_id}\"\n";
  const std::string deactivate =
      "[connections.settings.operations.deactivate]\npath = \"/customers/{remote_id}\"\n";
  const std::string reactivate =
      "[connections.settings.operations.reactivate]\npath = \"/customers/{remote_id}\"\n";
  const auto wish = [&](const std::string& policy, const std::string& operations) {
    auto text = with("[[rules]]\n", operations + "[[rules]]\n");
    return text.replace(text.find("domain ="), 0, "delete_policy = \"" + policy + "\"\n");
  };
  CHECK(w.apply(wish("delete", "")) == exit_refused);
  CHECK(w.apply(wish("delete", deactivate + reactivate)) == exit_refused);
  CHECK(w.apply(wish("deactivate", remove + deactivate)) == exit_refused);
  CHECK(w.apply(wish("deactivate", deactivate + reactivate)) == exit_ok);
  CHECK(w.apply(wish("delete", remove)) == exit_ok);
  auto db = w.open();
  CHECK(storage::find_rule(db, "to-crm").value()->deletes == core::delete_policy::delete_record);
}

TEST_CASE("a path that takes the parent's id needs a rule with a parent") {
  command_world w;
  const auto path = with("path = \"/customers\"", "path = \"/customers/{anchor_id}/notes\"");
  CHECK(w.apply(path) == exit_refused);
}

TEST_CASE("without a terminal and without --yes nothing is applied") {
  command_world w;
  CHECK(apply(w.context, {.file = w.folder.file("b.toml", with("\"/name\"", "\"/other\"")), .yes = false})
        == exit_refused);
  auto db = w.open();
  CHECK(storage::find_rule(db, "to-crm").value()->revision == 1);
}

TEST_CASE("the reading commands answer for what exists and refuse what does not") {
  command_world w;
  REQUIRE(import_records(w.context, {.file = w.folder.file("a.csv", "id,name\nA,Ann\n"),
                                     .connection = "shop",
                                     .domain = "customers",
                                     .id_field = "id",
                                     .format = {}})
          == exit_ok);
  for (const bool json : {true, false}) {
    w.context.style.json = json;
    CHECK(explain(w.context, {"to-crm", "A"}) == exit_ok);
    CHECK(explain(w.context, {"to-crm", "Z"}) == exit_refused);
    CHECK(explain(w.context, {"nothing", "A"}) == exit_refused);
    CHECK(list_ledger(w.context, {.rule = "to-crm", .status = {}, .error_class = {}, .after = {}})
          == exit_ok);
    CHECK(list_ledger(w.context,
                      {.rule = "to-crm", .status = {}, .error_class = {}, .after = {}, .counts = true})
          == exit_ok);
    CHECK(list_ledger(w.context, {.rule = "nothing", .status = {}, .error_class = {}, .after = {}})
          == exit_refused);
    CHECK(list_runs(w.context, {}) == exit_ok);
    CHECK(list_runs(w.context, {.rule = "nothing"}) == exit_refused);
  }
}

} // namespace
} // namespace sluice::app
