#include "storage/cursor.hpp"
#include "storage/parent_sql.hpp"
#include "storage/rules.hpp"
#include "storage/soci_session.hpp"
#include "tests/storage/world.hpp"

using namespace sluice;
using namespace sluice::tests;

TEST_CASE("a rule's context holds everything its chain needs") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule({.deletes = core::delete_policy::delete_record});
  const auto context = must(storage::load_rule(here.db(), rule.id, here.keys(), at(9)));
  CHECK(context.rule.name == rule.name);
  CHECK(context.rule.deletes == core::delete_policy::delete_record);
  CHECK(context.source.name == "shop");
  CHECK(context.source.credentials.empty());
  CHECK(context.target.name == "crm");
  CHECK(context.target.tenant == "acme");
  CHECK(context.target.credentials == R"({"token":"t"})");
  CHECK(context.cursor == core::open_cursor(rule.id, at()));
}

TEST_CASE("loading a rule without a cursor opens it") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  here.execute("DELETE FROM delivery_cursors");
  CHECK(must(storage::load_rule(here.db(), rule.id, here.keys(), at(5))).cursor
        == core::open_cursor(rule.id, at(5)));
  CHECK(must(storage::find_cursor(here.db(), rule.id))->delta.changed_at == at(5));
}

TEST_CASE("a rule that is not there is not found") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  here.execute("UPDATE sync_rules SET deleted_at = 1");
  for (const auto id : {rule.id, core::rule_id{404}}) {
    const auto loaded = storage::load_rule(here.db(), id, here.keys(), at());
    REQUIRE_FALSE(loaded.has_value());
    CHECK(loaded.error().code == storage::error::not_found);
  }
  CHECK_FALSE(must(storage::find_rule(here.db(), rule.name)).has_value());
  CHECK(must(storage::list_rules(here.db())).empty());
  CHECK(must(storage::list_routes(here.db())).empty());
}

TEST_CASE("a route is open while both of its connections are active") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  here.execute("UPDATE delivery_cursors SET change_counter = 7, completed_counter = 5");
  const auto route = [&] { return must(storage::list_routes(here.db())).at(0); };
  CHECK(route().rule == rule.id);
  CHECK(route().target == rule.target);
  CHECK(route().open);
  CHECK(route().change_counter == 7);
  CHECK(route().completed_counter == 5);
  CHECK(route().backfilling);
  here.execute("UPDATE delivery_cursors SET backfill_until = NULL");
  CHECK_FALSE(route().backfilling);

  for (const auto end : {rule.source, rule.target}) {
    using enum core::connection_status;
    CHECK(must(storage::set_connection_status(here.db(), end, active, error, "401", at(1))));
    CHECK_FALSE(route().open);
    CHECK(must(storage::set_connection_status(here.db(), end, error, active, "", at(2))));
    CHECK(route().open);
  }
  here.execute("UPDATE sync_rules SET active = 0");
  CHECK(must(storage::list_routes(here.db())).empty());
  here.execute("UPDATE sync_rules SET active = 1, direction = 'pull_in'");
  CHECK(must(storage::list_routes(here.db())).empty());
}

TEST_CASE("a connection's status changes only from the status it is said to leave") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  using enum core::connection_status;
  const auto version = must(storage::configuration_version(here.db()));
  CHECK_FALSE(must(storage::set_connection_status(here.db(), rule.target, error, active, "", at(1))));
  CHECK(must(storage::configuration_version(here.db())) == version);
  CHECK(must(storage::set_connection_status(here.db(), rule.target, active, error, "refused", at(2))));
  CHECK(must(storage::configuration_version(here.db())) == version + 1);
  const auto found = *must(storage::find_connection(here.db(), "crm"));
  CHECK(found.status == error);
  CHECK(found.status_reason == "refused");
  CHECK(found.credentials.empty());
}

TEST_CASE("a value that is no word of its column is reported as corrupt") {
  world here(GENERATE(from_range(engines())));
  here.add_rule();
  here.execute("UPDATE sync_rules SET update_mode = 'sometimes'");
  const auto listed = storage::list_rules(here.db());
  REQUIRE_FALSE(listed.has_value());
  CHECK(listed.error().code == storage::error::corrupt);
  CHECK_THAT(listed.error().detail, Catch::Contains("update_mode"));
}

TEST_CASE("the foreign keys refuse to remove a rule that holds delivery state, and its connections") {
  world here(GENERATE(from_range(engines())));
  here.add_rule();
  const auto count = [&](const std::string& table) { return here.value("SELECT count(*) FROM " + table); };
  const std::string guarded = here.where().kind == storage::engine::sqlite ? "PRAGMA foreign_keys = ON;" : "";
  CHECK(here.refuses(guarded + "DELETE FROM sync_rules"));
  CHECK(here.refuses(guarded + "DELETE FROM connections"));
  CHECK(count("sync_rules") == "1");
  here.execute(guarded + "DELETE FROM delivery_cursors");
  here.execute(guarded + "DELETE FROM sync_rules");
  CHECK(count("sync_rules") == "0");
}

TEST_CASE("the ledger and its rule hold each other, whichever statement comes") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  const std::string guarded = here.where().kind == storage::engine::sqlite ? "PRAGMA foreign_keys = ON;" : "";
  const auto row_of = [&](std::int64_t id) {
    return guarded
           + "INSERT INTO outbound_deliveries (rule_id, source_id, status, target_state, "
             "seen_content_changed_at, seen_revision, row_version, updated_at) VALUES ("
           + std::to_string(id) + ", 'a', 'failed', 'absent', 1, 1, 1, 1)";
  };
  here.execute(guarded + "DELETE FROM delivery_cursors");
  CHECK(here.refuses(row_of(rule.id.value + 1)));
  here.execute(row_of(rule.id.value));
  CHECK(here.refuses(guarded + "DELETE FROM sync_rules"));
  CHECK(here.refuses(guarded + "UPDATE sync_rules SET id = id + 1"));
  CHECK(here.refuses(guarded + "UPDATE outbound_deliveries SET rule_id = rule_id + 1"));
  here.execute(guarded + "DELETE FROM outbound_deliveries");
  here.execute(guarded + "DELETE FROM sync_rules");
}

TEST_CASE("a parent rule is looked for by its source and domain, however many rules a connection has") {
  world here(storage::engine::sqlite);
  const auto text =
      "EXPLAIN QUERY PLAN SELECT 1 FROM sync_rules AS r JOIN sync_rules AS p ON " + storage::parent_of("r");
  std::vector<std::string> steps;
  must(storage::guarded(here.db(), "Planning", [&] {
    std::int64_t number = 0;
    std::int64_t parent = 0;
    std::int64_t unused = 0;
    std::string step;
    storage::query plan(here.db(), text);
    plan.into(number).into(parent).into(unused).into(step);
    while (plan.next())
      steps.push_back(step);
  }));
  REQUIRE(steps.size() == 2);
  CHECK(steps[0] == "SCAN r");
  CHECK(steps[1] == "SEARCH p USING INDEX sync_rules_by_source (source_connection_id=? AND domain=?)");
}
