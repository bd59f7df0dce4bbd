#include "app/connections_command.hpp"
#include "app/import.hpp"
#include "app/rules_command.hpp"
#include "storage/mirror.hpp"
#include "storage/rules.hpp"
#include "tests/app/command_world.hpp"

#include <catch2/catch.hpp>

namespace sluice::app {
namespace {

struct world : tests::command_world {
  world() {
    REQUIRE(import_records(context, {.file = folder.file("a.csv", "id,name\nA,Ann\nB,Bob\n"),
                                     .connection = "shop",
                                     .domain = "customers",
                                     .id_field = "id",
                                     .format = {}})
            == exit_ok);
  }

  bool is_connected(const std::string& name) {
    auto db = open();
    return storage::find_connection(db, name).value().has_value();
  }

  /// Past the checks of `apply`, as another version might have left it.
  void set_delete_policy(core::delete_policy policy) {
    storage::configuration plan;
    plan.rules.push_back({rule().value(), "shop", "crm"});
    plan.rules.front().rule.deletes = policy;
    auto db = open(storage::access::write);
    REQUIRE(storage::transact(db, [&](storage::session& within) {
      return storage::apply_configuration(within, plan, {}, wall_now(), true);
    }));
  }

  std::optional<core::sync_rule> rule() {
    auto db = open();
    return storage::find_rule(db, "to-crm").value();
  }
};

TEST_CASE("a connection is disconnected and reconnected by name") {
  world w;
  CHECK(disconnect(w.context, {.name = "shop"}) == exit_ok);
  CHECK_FALSE(w.is_connected("shop"));
  CHECK_FALSE(w.rule());
  CHECK(w.apply(tests::command_world::configuration) == exit_refused);
  for (const bool json : {true, false}) {
    w.context.style.json = json;
    CHECK(list_connections(w.context) == exit_ok);
    CHECK(list_rules(w.context) == exit_ok);
  }
  CHECK(reconnect(w.context, {.name = "shop"}) == exit_ok);
  CHECK(w.is_connected("shop"));
  CHECK(w.rule());
  CHECK(reconnect(w.context, {.name = "shop"}) == exit_refused);
  CHECK(disconnect(w.context, {.name = "nowhere"}) == exit_refused);
}

TEST_CASE("a connection is reconnected only within the grace period, and purged only after it") {
  world w;
  REQUIRE(disconnect(w.context, {.name = "shop"}) == exit_ok);
  CHECK(purge(w.context, {}) == exit_ok);
  CHECK(w.apply(tests::command_world::configuration) == exit_refused); // it is still there, disconnected
  w.context.settings.lifecycle.grace_period = core::duration{};
  CHECK(reconnect(w.context, {.name = "shop"}) == exit_refused);
  CHECK(purge(w.context, {}) == exit_ok);
  CHECK(w.apply(tests::command_world::configuration) == exit_ok); // everything anew
  CHECK(w.is_connected("shop"));
}

TEST_CASE("a purge without waiting names its connection, which has to be disconnected") {
  world w;
  CHECK(purge(w.context, {.name = "shop"}) == exit_usage);
  CHECK(purge(w.context, {.name = "", .now = true}) == exit_usage);
  CHECK(purge(w.context, {.name = "nowhere", .now = true}) == exit_refused);
  CHECK(purge(w.context, {.name = "shop", .now = true}) == exit_refused);
  CHECK(w.is_connected("shop"));
  REQUIRE(disconnect(w.context, {.name = "shop"}) == exit_ok);
  CHECK(purge(w.context, {.name = "shop", .now = true}) == exit_ok);
  CHECK(reconnect(w.context, {.name = "shop"}) == exit_refused);
}

TEST_CASE("an uninstall has to be meant") {
  world w;
  CHECK(uninstall(w.context, {.name = "crm"}) == exit_refused);
  CHECK(w.is_connected("crm"));
  CHECK(uninstall(w.context, {.name = "crm", .yes = true}) == exit_ok);
  CHECK_FALSE(w.is_connected("crm"));
  CHECK_FALSE(w.rule());
  CHECK(w.is_connected("shop"));
  CHECK(uninstall(w.context, {.name = "crm", .yes = true}) == exit_refused);
}

TEST_CASE("a rule is switched, deleted and restored by name") {
  world w;
  CHECK(switch_rule_off(w.context, {.name = "to-crm"}) == exit_ok);
  CHECK_FALSE(w.rule()->active);
  CHECK(switch_rule_on(w.context, {.name = "to-crm"}) == exit_ok);
  CHECK(w.rule()->active);
  CHECK(delete_rule(w.context, {.name = "to-crm", .force = true}) == exit_refused);
  CHECK(delete_rule(w.context, {.name = "to-crm"}) == exit_ok);
  CHECK_FALSE(w.rule());
  CHECK(switch_rule_on(w.context, {.name = "to-crm"}) == exit_refused);
  CHECK(restore_rule(w.context, {.name = "to-crm"}) == exit_ok);
  CHECK(w.rule());
  for (const auto act : {switch_rule_on, switch_rule_off, delete_rule, restore_rule}) {
    CHECK(act(w.context, {.name = "nothing"}) == exit_refused);
  }
}

TEST_CASE("a rule whose target lacks what it asks for is not switched on, nor restored") {
  world w;
  REQUIRE(switch_rule_off(w.context, {.name = "to-crm"}) == exit_ok);
  w.set_delete_policy(core::delete_policy::delete_record);
  CHECK(switch_rule_on(w.context, {.name = "to-crm"}) == exit_refused);
  CHECK_FALSE(w.rule()->active);
  REQUIRE(delete_rule(w.context, {.name = "to-crm"}) == exit_ok);
  CHECK(restore_rule(w.context, {.name = "to-crm"}) == exit_refused);
  CHECK_FALSE(w.rule());
}

} // namespace
} // namespace sluice::app
