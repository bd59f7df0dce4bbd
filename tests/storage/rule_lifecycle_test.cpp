#include "storage/cursor.hpp"
#include "storage/lifecycle.hpp"
#include "storage/rule_lifecycle.hpp"
#include "storage/rules.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using storage::rule_switch;

namespace {

struct rule_world : delivery_world {
  using delivery_world::delivery_world;

  auto turn(rule_switch to, double seconds = 10) {
    return storage::transact(db(), [&](storage::session& within) {
      return storage::switch_rule(within, rule.name, to, at(seconds));
    });
  }
  auto remove(const std::string& name, double seconds = 10) {
    return storage::transact(
        db(), [&](storage::session& within) { return storage::delete_rule(within, name, at(seconds)); });
  }
  auto restore(const std::string& name) {
    return storage::transact(
        db(), [&](storage::session& within) { return storage::restore_rule(within, name, at(20)); });
  }
  auto force(const std::string& name) {
    return storage::transact(
        db(), [&](storage::session& within) { return storage::force_delete_rule(within, name); });
  }
  auto cursor() { return must(storage::find_cursor(db(), rule.id)); }
};

template <class T>
void refused(const storage::result<T>& outcome, const std::string& words) {
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == storage::error::refused);
  CHECK_THAT(outcome.error().detail, Catch::Contains(words));
}

} // namespace

TEST_CASE("a rule that is switched off and on goes on where its cursor stands") {
  rule_world w(GENERATE(from_range(engines())));
  const auto before = w.cursor();
  const auto version = must(storage::configuration_version(w.db()));
  CHECK_FALSE(must(w.turn(rule_switch::off)).active);
  CHECK(must(storage::list_routes(w.db())).empty());
  CHECK(must(storage::configuration_version(w.db())) == version + 1);
  must(w.turn(rule_switch::off));
  CHECK(must(storage::configuration_version(w.db())) == version + 1);
  CHECK(must(w.turn(rule_switch::on)).active);
  CHECK(must(storage::list_routes(w.db())).size() == 1);
  CHECK(w.cursor() == before);
}

TEST_CASE("a rule that was never on gets its cursor when it is switched on") {
  rule_world w(GENERATE(from_range(engines())));
  must(w.turn(rule_switch::off));
  w.execute("DELETE FROM delivery_cursors");
  must(w.turn(rule_switch::on, 30));
  CHECK(w.cursor() == core::open_cursor(w.rule.id, at(30)));
}

TEST_CASE("a deleted rule keeps its delivery state and a restore goes on from it") {
  rule_world w(GENERATE(from_range(engines())));
  w.write({delivered_row("a", at(1))});
  const auto before = w.cursor();
  must(w.remove(w.rule.name));
  CHECK_FALSE(must(storage::find_rule(w.db(), w.rule.name)));
  refused(w.remove(w.rule.name), "is deleted; restore it first");
  refused(w.turn(rule_switch::on), "is deleted");
  CHECK(must(w.restore(w.rule.name)).id == w.rule.id);
  CHECK(must(storage::find_rule(w.db(), w.rule.name)));
  CHECK(w.cursor() == before);
  CHECK(must(storage::find_ledger_row(w.db(), w.rule.id, "a"))->remote_id == "remote-a");
  refused(w.restore(w.rule.name), "is not deleted");
  CHECK(w.restore("nothing").error().code == storage::error::not_found);
}

TEST_CASE("a rule is not restored beside one that took its place, nor to a disconnected connection") {
  rule_world w(GENERATE(from_range(engines())));
  must(w.remove(w.rule.name));
  SECTION("its place is taken") {
    w.add_rule({.name = "successor"});
    refused(w.restore(w.rule.name), "both deliver domain \"customers\"");
  }
  SECTION("its connection is disconnected") {
    must(storage::disconnect_connection(w.db(), "crm", at(15)));
    refused(w.restore(w.rule.name), "\"crm\", which is disconnected");
    must(storage::reconnect_connection(w.db(), "crm", std::chrono::hours{1}, at(16)));
    CHECK_FALSE(must(storage::find_rule(w.db(), w.rule.name)));
    must(w.restore(w.rule.name));
  }
}

TEST_CASE("a rule others are anchored on is not deleted before them") {
  rule_world w(GENERATE(from_range(engines())));
  const auto child = w.add_rule({.name = "consents", .domain = "consents"});
  w.execute(
      "UPDATE sync_rules SET anchor_domain = 'customers', anchor_pointer = '/c' WHERE name = 'consents'");
  refused(w.remove(w.rule.name), "delivers the parents of rule \"consents\"");
  refused(w.force(w.rule.name), "delivers the parents of rule \"consents\"");
  must(w.remove("consents"));
  must(w.remove(w.rule.name, 11));
  refused(w.restore("consents"), "anchored on domain \"customers\"");
  must(w.restore(w.rule.name));
  CHECK(must(w.restore("consents")).id == child.id);
}

TEST_CASE("a rule that holds delivery state is not removed for good") {
  rule_world w(GENERATE(from_range(engines())));
  refused(w.force(w.rule.name), "Rule \"customers-to-crm\" holds delivery state");
  w.execute("DELETE FROM delivery_cursors");
  w.write({delivered_row("a", at(1))});
  refused(w.force(w.rule.name), "holds delivery state");
  w.execute("DELETE FROM outbound_deliveries");
  must(w.force(w.rule.name));
  CHECK(w.value("SELECT count(*) FROM sync_rules") == "0");
}
