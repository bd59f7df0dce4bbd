#include "tests/core/page_world.hpp"

using namespace sluice::tests;

TEST_CASE("a search by name finds parts of tenants, connections and rules in any case") {
  page_world here;
  fail(here.add_rule("Customers"));
  fail(here.add_rule("orders", 2));
  CHECK(names(here.page("ACME").unwell) == texts{"Customers"});
  CHECK(names(here.page("crm OF b").unwell) == texts{"orders"});
  CHECK(names(here.page(" shop ").unwell) == texts{"Customers", "orders"});
  CHECK(names(here.page("custom").unwell) == texts{"Customers"});
  CHECK(here.page("nobody").notice == page_notice::nothing_matches);
}

TEST_CASE("a search by id takes 8 or more hex digits and dashes of any id involved") {
  page_world here;
  fail(here.add_rule("customers"));
  fail(here.add_rule("orders", 2));
  const auto found = [&](const std::string& search) { return names(here.page(search).unwell); };
  CHECK(found("0000f001") == texts{"customers"});
  CHECK(found("0000F002") == texts{"orders"});
  CHECK(found(uuid('a', 2)) == texts{"orders"});
  CHECK(found(uuid('c', 1)) == texts{"customers"});
  CHECK(found("-00000000c004") == texts{"orders"});
  CHECK(found("000f001").empty());
  CHECK(found("0000f009").empty());
}

TEST_CASE("a connection's stop is found by its connection and by any rule on its card, which shows whole") {
  page_world here;
  here.facts.rules.reserve(2);
  here.add_rule("customers");
  here.add_rule("orders");
  here.stop_connection({2});
  CHECK(names(here.page("orders").stopped) == texts{"customers+orders"});
  CHECK(names(here.page("crm of acme").stopped) == texts{"customers+orders"});
  CHECK(here.page("bolt").stopped.count == 0);
}

TEST_CASE("a search finds rules that are on no card, and only a search does") {
  page_world here;
  here.facts.rules.reserve(4);
  here.add_rule("well");
  auto& off = here.add_rule("off");
  fail(off);
  off.active = off.route_open = false;
  fail(here.add_rule("failing"));
  here.add_rule("elsewhere", 2);
  CHECK(here.page().others.count == 0);
  const auto page = here.page("acme");
  CHECK(names(page.others) == texts{"off", "well"});
  CHECK(names(page.unwell) == texts{"failing"});
  CHECK(page.notice == page_notice::none);
  CHECK(names(here.page("elsewhere").others) == texts{"elsewhere"});
  here.stop_everything();
  CHECK(names(here.page("well").others) == texts{"well"});
}

TEST_CASE("every count but the badge follows the search") {
  page_world here;
  here.facts.rules.reserve(5);
  here.stop(here.add_rule("one"));
  here.hold(here.add_rule("two"));
  fail(here.add_rule("three"));
  here.add_rule("four").backfill_until = now;
  const auto page = here.page("bolt");
  CHECK(page.stopped.count + page.held.count + page.unwell.count + page.backfills.count == 0);
  CHECK(page.badge == 3);
}
