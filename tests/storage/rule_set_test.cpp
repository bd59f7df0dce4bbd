#include "storage/cursor.hpp"
#include "storage/rule_set.hpp"
#include "storage/rules.hpp"
#include "tests/storage/world.hpp"

using namespace sluice;
using namespace sluice::tests;

namespace {

storage::configuration::rule delivers(const std::string& domain, const std::string& anchor = {}) {
  storage::configuration::rule made;
  made.rule.name = domain + "-to-crm";
  made.rule.domain = domain;
  made.rule.mapping = R"({"email":"/email"})";
  made.rule.anchor_domain = anchor;
  made.rule.anchor_pointer = anchor.empty() ? "" : "/parent_id";
  made.source_name = "shop";
  made.target_name = "crm";
  return made;
}

storage::configuration plan_of(std::vector<storage::configuration::rule> rules) {
  storage::configuration plan;
  plan.tenants = {"acme"};
  for (const auto& [name, driver] : {std::pair{"shop", "mirror"}, std::pair{"crm", "rest"}}) {
    core::connection one;
    one.tenant = "acme";
    one.name = name;
    one.driver = driver;
    one.settings = "{}";
    plan.connections.push_back(one);
  }
  plan.rules = std::move(rules);
  return plan;
}

auto apply(world& here, const storage::configuration& plan, double seconds = 0) {
  return storage::transact(here.db(), [&](storage::session& db) {
    return storage::apply_configuration(db, plan, here.keys(), at(seconds), true);
  });
}

void refused(world& here, const storage::configuration& plan, const std::string& words) {
  const auto outcome = apply(here, plan, 9);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == storage::error::refused);
  CHECK_THAT(outcome.error().detail, Catch::Contains(words));
}

} // namespace

TEST_CASE("a dependent rule is stored with its anchor and opens in delta only") {
  world here(GENERATE(from_range(engines())));
  must(apply(here, plan_of({delivers("consents", "customers"), delivers("customers")}), 1));
  const auto rule = *must(storage::find_rule(here.db(), "consents-to-crm"));
  CHECK(rule.anchor_domain == "customers");
  CHECK(rule.anchor_pointer == "/parent_id");
  const auto cursor = *must(storage::find_cursor(here.db(), rule.id));
  CHECK_FALSE(cursor.backfill_until);
  CHECK(cursor.delta.changed_at == at(1));
  here.execute("DELETE FROM delivery_cursors");
  CHECK_FALSE(must(storage::load_rule(here.db(), rule.id, here.keys(), at(5))).cursor.backfill_until);
  const auto parent = *must(storage::find_rule(here.db(), "customers-to-crm"));
  CHECK(must(storage::load_rule(here.db(), parent.id, here.keys(), at(5))).cursor.backfill_until == at(5));
}

TEST_CASE("a dependent rule needs its parent rule in the file or stored") {
  world here(GENERATE(from_range(engines())));
  auto consents = delivers("consents", "customers");
  refused(here, plan_of({consents}),
          "rule \"consents-to-crm\" is anchored on domain \"customers\", but no push_out rule of source "
          "\"shop\" and "
          "target \"crm\" delivers that domain");
  auto pulls = delivers("customers");
  pulls.rule.direction = core::rule_direction::pull_in;
  refused(here, plan_of({consents, pulls}), "anchored");
  must(apply(here, plan_of({delivers("customers")})));
  must(apply(here, plan_of({consents})));
}

TEST_CASE("a parent rule without a cursor keeps its domain while another is anchored on it") {
  world here(GENERATE(from_range(engines())));
  auto parent = delivers("customers");
  parent.rule.active = false;
  must(apply(here, plan_of({parent, delivers("consents", "customers")})));
  parent.rule.domain = "people";
  refused(here, plan_of({parent}), "rule \"consents-to-crm\" is anchored on domain \"customers\"");
}

TEST_CASE("a rule with a cursor keeps its anchor") {
  world here(GENERATE(from_range(engines())));
  must(apply(here, plan_of({delivers("customers"), delivers("orders"), delivers("consents", "customers")})));
  refused(here, plan_of({delivers("consents", "orders")}), "cannot change its anchor any more");
  refused(here, plan_of({delivers("consents")}), "cannot change its anchor any more");
  auto moved = delivers("consents", "customers");
  moved.rule.anchor_pointer = "/elsewhere";
  refused(here, plan_of({moved}), "cannot change its anchor any more");
}

TEST_CASE("rules that wait for each other are refused with their circle") {
  world here(GENERATE(from_range(engines())));
  refused(here, plan_of({delivers("a", "b"), delivers("b", "c"), delivers("c", "a"), delivers("d", "a")}),
          "rule \"a-to-crm\" would wait for itself: a -> b -> c -> a;");
  must(apply(here, plan_of({delivers("a", "b"), delivers("b", "c"), delivers("c")})));
}

TEST_CASE("two rules of one source, target and domain are refused, in one file or beside a stored one") {
  world here(GENERATE(from_range(engines())));
  auto second = delivers("customers");
  second.rule.name = "again";
  refused(here, plan_of({delivers("customers"), second}),
          "rule \"again\" and rule \"customers-to-crm\" both deliver domain \"customers\" of source \"shop\" "
          "and target "
          "\"crm\"; one rule for it is allowed.");
  must(apply(here, plan_of({delivers("customers")})));
  refused(here, plan_of({second}), "both deliver");
  second.rule.direction = core::rule_direction::pull_in;
  must(apply(here, plan_of({second})));
}

TEST_CASE("two rules of one domain that were stored before do not stand in another rule's way") {
  std::vector<storage::rule_among_others> rules;
  for (const auto* name : {"a", "b"}) {
    auto wish = delivers("customers");
    wish.rule.name = name;
    rules.push_back({wish.rule, "shop", "crm", false});
  }
  rules.push_back({delivers("consents", "customers").rule, "shop", "crm", true});
  CHECK(storage::rule_set_faults(rules).empty());
  rules[1].planned = true;
  CHECK(storage::rule_set_faults(rules).size() == 1);
  CHECK(storage::dependents_of(rules[0], rules) == std::vector<std::string>{"consents-to-crm"});
  CHECK(storage::dependents_of(rules[2], rules).empty());
}
