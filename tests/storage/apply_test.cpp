#include "storage/cursor.hpp"
#include "storage/rules.hpp"
#include "tests/storage/world.hpp"

using namespace sluice;
using namespace sluice::tests;

namespace {

using changes = std::vector<storage::configuration_change>;

core::connection connection(std::string name, std::string driver, std::string settings) {
  core::connection one;
  one.tenant = "acme";
  one.name = std::move(name);
  one.driver = std::move(driver);
  one.settings = std::move(settings);
  return one;
}

storage::configuration sample() {
  storage::configuration plan;
  plan.tenants = {"acme"};
  plan.connections = {connection("shop", "mirror", "{}"),
                      connection("crm", "rest", R"({"base_url":"http://127.0.0.1:1","page":1})")};
  plan.connections[1].credentials = R"({"token":"canary-7c1d"})";
  storage::configuration::rule rule;
  rule.rule.name = "customers-to-crm";
  rule.rule.domain = "customers";
  rule.rule.mapping = R"({"email":"/email"})";
  rule.source_name = "shop";
  rule.target_name = "crm";
  plan.rules = {rule};
  return plan;
}

storage::result<changes> apply(world& here, const storage::configuration& plan, double seconds = 0,
                               bool write = true) {
  return storage::transact(here.db(), [&](storage::session& db) {
    return storage::apply_configuration(db, plan, here.keys(), at(seconds), write);
  });
}

/// Refused with a sentence that has the words, and nothing written.
void refused(world& here, const storage::configuration& plan, const std::string& words) {
  const auto version = must(storage::configuration_version(here.db()));
  for (const bool write : {false, true}) {
    const auto outcome = apply(here, plan, 9, write);
    REQUIRE_FALSE(outcome.has_value());
    CHECK(outcome.error().code == storage::error::refused);
    CHECK_THAT(outcome.error().detail, Catch::Contains(words));
  }
  CHECK(must(storage::configuration_version(here.db())) == version);
}

} // namespace

TEST_CASE("an apply makes what is new, opens the cursor, and changes nothing the second time") {
  world here(GENERATE(from_range(engines())));
  const auto plan = sample();
  const auto wished = must(apply(here, plan, 0, false));
  CHECK(must(storage::list_rules(here.db())).empty());
  const auto made = must(apply(here, plan, 1));
  REQUIRE(made.size() == 4);
  for (std::size_t i = 0; i < made.size(); ++i) {
    CHECK(made[i].what == "create");
    CHECK(wished[i].what == "create");
  }
  CHECK(must(storage::configuration_version(here.db())) == 1);
  const auto rule = *must(storage::find_rule(here.db(), "customers-to-crm"));
  CHECK(rule.revision == 1);
  CHECK(rule.public_id.size() == 36);
  CHECK(*must(storage::find_cursor(here.db(), rule.id)) == core::open_cursor(rule.id, at(1)));

  for (const auto& change : must(apply(here, plan, 2)))
    CHECK(change.what == "same");
  CHECK(must(storage::configuration_version(here.db())) == 1);
  CHECK(must(storage::find_cursor(here.db(), rule.id))->backfill_until == at(1));
}

TEST_CASE("an apply names the fields it changes and leaves what it does not name") {
  world here(GENERATE(from_range(engines())));
  must(apply(here, sample(), 1));
  auto plan = sample();
  plan.tenants.clear();
  plan.connections.erase(plan.connections.begin());
  plan.connections[0].settings = R"({"base_url":"http://127.0.0.1:1","page":2})";
  plan.connections[0].credentials = R"({"token":"other"})";
  plan.rules[0].rule.deletes = core::delete_policy::deactivate;
  const auto changed = must(apply(here, plan, 2));
  REQUIRE(changed.size() == 2);
  CHECK(changed[0].what == "change");
  CHECK(changed[0].fields == std::vector<std::string>{"settings", "credentials"});
  CHECK(changed[1].fields == std::vector<std::string>{"delete_policy"});
  const auto rule = *must(storage::find_rule(here.db(), "customers-to-crm"));
  CHECK(rule.deletes == core::delete_policy::deactivate);
  CHECK(rule.revision == 1);
  CHECK(must(storage::list_connections(here.db())).size() == 2);
}

TEST_CASE("a changed mapping or filter raises the revision once") {
  world here(GENERATE(from_range(engines())));
  must(apply(here, sample(), 1));
  auto plan = sample();
  plan.rules[0].rule.mapping = R"({"mail":"/email"})";
  plan.rules[0].rule.filter = R"({"field":"/email","exists":true})";
  must(apply(here, plan, 2));
  CHECK(must(storage::find_rule(here.db(), "customers-to-crm"))->revision == 2);
  plan.rules[0].rule.filter.clear();
  must(apply(here, plan, 3));
  CHECK(must(storage::find_rule(here.db(), "customers-to-crm"))->revision == 3);
}

TEST_CASE("a rule that starts switched off gets its cursor when it becomes active") {
  world here(GENERATE(from_range(engines())));
  auto plan = sample();
  plan.rules[0].rule.active = false;
  must(apply(here, plan, 1));
  const auto rule = *must(storage::find_rule(here.db(), "customers-to-crm"));
  CHECK_FALSE(must(storage::find_cursor(here.db(), rule.id)).has_value());
  plan.rules[0].rule.domain = "orders"; // still free to change
  must(apply(here, plan, 2));
  plan.rules[0].rule.active = true;
  must(apply(here, plan, 3));
  CHECK(must(storage::find_cursor(here.db(), rule.id))->backfill_until == at(3));
  CHECK(must(storage::find_rule(here.db(), "customers-to-crm"))->domain == "orders");
}

TEST_CASE("a rule with a cursor keeps its source, target and domain") {
  world here(GENERATE(from_range(engines())));
  must(apply(here, sample(), 1));
  auto plan = sample();
  SECTION("domain") {
    plan.rules[0].rule.domain = "orders";
    refused(here, plan, "domain");
  }
  SECTION("source") {
    plan.connections.push_back(connection("other", "mirror", "{}"));
    plan.rules[0].source_name = "other";
    refused(here, plan, "source");
  }
  SECTION("target") {
    plan.connections.push_back(connection("other", "rest", "{}"));
    plan.rules[0].target_name = "other";
    refused(here, plan, "target");
  }
}

TEST_CASE("a connection a cursor delivers to keeps its driver and address") {
  world here(GENERATE(from_range(engines())));
  must(apply(here, sample(), 1));
  auto plan = sample();
  SECTION("address") {
    plan.connections[1].settings = R"({"base_url":"http://127.0.0.1:2","page":1})";
    refused(here, plan, "address");
  }
  SECTION("driver of the target") {
    plan.connections[1].driver = "soap";
    refused(here, plan, "driver");
  }
  SECTION("driver of the source") {
    plan.connections[0].driver = "csv";
    refused(here, plan, "driver");
  }
  SECTION("one without a cursor is free") {
    plan.connections.push_back(connection("spare", "rest", R"({"base_url":"http://127.0.0.1:3"})"));
    must(apply(here, plan, 2));
    plan.connections.back().settings = R"({"base_url":"http://127.0.0.1:4"})";
    must(apply(here, plan, 3));
  }
}

TEST_CASE("an apply that names what does not exist, or one thing twice, is refused") {
  world here(GENERATE(from_range(engines())));
  auto plan = sample();
  SECTION("a rule's connection") {
    plan.rules[0].target_name = "nowhere";
    refused(here, plan, "nowhere");
  }
  SECTION("a connection's tenant") {
    plan.tenants = {"others"};
    refused(here, plan, "acme");
  }
  SECTION("twice") {
    plan.rules.push_back(plan.rules[0]);
    refused(here, plan, "twice");
  }
  SECTION("a disconnected connection") {
    must(apply(here, plan, 1));
    here.execute("UPDATE connections SET deleted_at = 1 WHERE name = 'crm'");
    refused(here, plan, "reconnect");
  }
}

TEST_CASE("credentials are stored sealed, kept where the plan has none, and bound to their row") {
  world here(GENERATE(from_range(engines())));
  must(apply(here, sample(), 1));
  const auto stored = [&](const std::string& name) {
    return here.value("SELECT credentials FROM connections WHERE name = '" + name + "'");
  };
  CHECK_THAT(stored("crm"), Catch::StartsWith("v1.test.") && !Catch::Contains("canary"));
  const auto before = stored("crm");
  auto plan = sample();
  plan.connections[1].credentials.clear();
  plan.connections[1].settings = R"({"base_url":"http://127.0.0.1:1","page":2})";
  must(apply(here, plan, 2));
  CHECK(stored("crm") == before);

  const auto rule = *must(storage::find_rule(here.db(), "customers-to-crm"));
  CHECK(must(storage::load_rule(here.db(), rule.id, here.keys(), at(3))).target.credentials
        == R"({"token":"canary-7c1d"})");
  const auto keyless = storage::load_rule(here.db(), rule.id, {}, at(3));
  REQUIRE_FALSE(keyless.has_value());
  CHECK(keyless.error().code == storage::error::sealed);
  CHECK_THAT(keyless.error().detail, Catch::Contains("crm"));

  here.execute(
      "UPDATE connections SET credentials = (SELECT credentials FROM connections WHERE name = 'crm') "
      "WHERE name = 'shop'");
  const auto moved = storage::load_rule(here.db(), rule.id, here.keys(), at(3));
  REQUIRE_FALSE(moved.has_value());
  CHECK(moved.error().code == storage::error::sealed);
}

TEST_CASE("a connection in error is active again once it is changed, and stays in error when it is not") {
  world here(GENERATE(from_range(engines())));
  auto plan = sample();
  must(apply(here, plan));
  const auto crm = must(storage::find_connection(here.db(), "crm"))->id;
  committed(here.db(), [&](storage::session& db) {
    return storage::set_connection_status(db, crm, core::connection_status::active,
                                          core::connection_status::error, "http_401", at(1));
  });
  must(apply(here, plan, 2));
  CHECK(must(storage::find_connection(here.db(), "crm"))->status == core::connection_status::error);
  plan.connections[1].credentials = R"({"token":"another"})";
  must(apply(here, plan, 3));
  const auto opened = must(storage::find_connection(here.db(), "crm"));
  CHECK(opened->status == core::connection_status::active);
  CHECK(opened->status_reason.empty());
}

TEST_CASE("credentials cannot be written without a key") {
  world here(GENERATE(from_range(engines())));
  const auto outcome = storage::transact(here.db(), [&](storage::session& db) {
    return storage::apply_configuration(db, sample(), {}, at(), true);
  });
  REQUIRE_FALSE(outcome.has_value());
  CHECK(outcome.error().code == storage::error::sealed);
  CHECK_THAT(outcome.error().detail, !Catch::Contains("canary"));
  CHECK(must(storage::list_connections(here.db())).empty());
}
