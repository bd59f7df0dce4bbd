#include "core/api_token.hpp"
#include "storage/lifecycle.hpp"
#include "tests/storage/subscription_world.hpp"

#include <atomic>
#include <set>
#include <thread>

using namespace sluice;
using namespace sluice::tests;
using std::string;

namespace {

std::vector<string> types(const std::vector<core::change_event>& events) {
  std::vector<string> found;
  for (const auto& one : events)
    found.push_back(one.type + ' ' + (one.source ? one.source->source_id : ""));
  return found;
}

} // namespace

TEST_CASE("a change of the mirror is an event in the same transaction, where the domain is wanted") {
  subscription_world w(GENERATE(from_range(engines())));
  auto what = w.wanted("hook");
  what.event_types = {GENERATE(as<string>(), "*", "customers.*", "customers.updated")};
  w.put({"before"}, at(1));
  w.subscribe(what);
  w.put({"a", "b"}, at(2), R"({"n":1.0})");
  w.put({"a"}, at(3), R"({"n":2})");
  w.put({"b"}, at(4), R"({"n":1.0})");
  w.bury({"a"}, at(5));
  w.put({"a"}, at(6), R"({"n":3})");
  CHECK(w.sequence() == 5);
  const auto events = w.events();
  CHECK(types(events)
        == std::vector<string>{"customers.created a", "customers.created b", "customers.updated a",
                               "customers.deleted a", "customers.created a"});
  CHECK(events[0].body == R"({"n":1.0})");
  CHECK(events[0].occurred_at == at(2));
  CHECK(events[0].tenant == "acme");
  CHECK(events[0].kind == core::event_kind::change);
  CHECK(events[0].source->connection == w.rule.source);
  CHECK(events[3].body == R"({"n":2})");
  CHECK(core::event_body(events[0])
        == R"({"type":"customers.created","timestamp":")" + core::to_rfc3339(at(2))
               + R"(","data":{"source_id":"a","record":{"n":1.0}}})");
}

TEST_CASE("a change nobody subscribes to makes no event, and a rolled back one neither") {
  subscription_world w(GENERATE(from_range(engines())));
  auto what = w.wanted("hook");
  what.event_types = {"orders.*"};
  const auto made = w.subscribe(what);
  w.put({"a"}, at(1));
  CHECK(w.sequence() == 0);
  what = made;
  what.event_types = {"customers.created"};
  committed(w.db(),
            [&](storage::session& db) { return storage::change_subscription(db, what, w.keys(), at(2)); });
  const std::vector<storage::incoming_record> batch{{"b", "{}"}};
  must(w.db().begin());
  must(storage::upsert_records(w.db(), w.rule.source, "customers", batch, at(3)));
  w.db().rollback();
  CHECK(w.sequence() == 0);
  w.put({"c"}, at(4));
  CHECK(w.sequence() == 1);
  committed(w.db(), [&](storage::session& db) { return storage::remove_subscription(db, {made.id}, at(5)); });
  w.put({"d"}, at(6));
  CHECK(w.sequence() == 0);
}

TEST_CASE("a disconnect and a return move no signal and make no event") {
  subscription_world w(GENERATE(from_range(engines())));
  w.subscribe("hook");
  w.put({"a", "b"}, at(1));
  CHECK(w.sequence() == 2);
  must(storage::disconnect_connection(w.db(), "shop", at(2)));
  must(storage::reconnect_connection(w.db(), "shop", std::chrono::hours{1}, at(3)));
  CHECK(w.sequence() == 0);
  w.put({"a"}, at(4), R"({"x":1})");
  CHECK(w.sequence() == 1);
}

TEST_CASE("teams that write the mirror with their own statements make the same events") {
  subscription_world w(GENERATE(from_range(engines())));
  w.subscribe("hook");
  const auto source = std::to_string(w.rule.source.value);
  w.execute(
      "INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, content_changed_at) "
      "VALUES ("
      + source + ", 'orders', 'x', '{}', 70), (" + source + ", 'orders', 'y', '{}', 50)");
  w.execute("UPDATE mirror_records SET content_changed_at = 90, deleted_at = 90, deletion_reason = "
            "'source_event' WHERE source_id = 'x'");
  CHECK(w.sequence() == 3);
  const auto found = types(w.events());
  CHECK(std::set<string>(found.begin(), found.begin() + 2)
        == std::set<string>{"orders.created x", "orders.created y"});
  CHECK(found[2] == "orders.deleted x");
}

TEST_CASE("an event of another tenant's source is none of a tenant that subscribes") {
  subscription_world w(GENERATE(from_range(engines())));
  w.subscribe("hook");
  w.execute("INSERT INTO tenants (name, public_id, created_at) VALUES ('globex', 'g', 1)");
  w.execute("INSERT INTO connections (public_id, tenant_id, name, driver, settings, credentials, status, "
            "created_at, updated_at) SELECT 'other', id, 'other', 'mirror', '{}', '', 'active', 1, 1 FROM "
            "tenants WHERE name = 'globex'");
  w.execute(
      "INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, content_changed_at) "
      "SELECT id, 'customers', 'x', '{}', 70 FROM connections WHERE name = 'other'");
  CHECK(w.sequence() == 0);
}

TEST_CASE("positions are dense, in the order of ids, and bounded by the limit") {
  subscription_world w(GENERATE(from_range(engines())));
  for (int n = 0; n < 5; ++n)
    must(w.publish(w.event("orders.created", std::to_string(n))));
  CHECK(w.sequence(3) == 3);
  CHECK(w.sequence(3) == 2);
  CHECK(w.sequence(3) == 0);
  const auto events = w.events();
  REQUIRE(events.size() == 5);
  for (std::size_t n = 0; n < events.size(); ++n) {
    CHECK(events[n].position.value == static_cast<std::int64_t>(n) + 1);
    CHECK(events[n].body == std::to_string(n));
  }
  CHECK(must(storage::read_events(w.db(), {2}, 2, 1000)).size() == 2);
  CHECK(must(storage::read_events(w.db(), {}, 100, 1)).size() == 1);
}

TEST_CASE("what commits late gets a late position, so a reader steps over nothing") {
  if (engines().size() < 2)
    return; // SQLite has one writer at a time
  subscription_world w(storage::engine::postgresql);
  auto slow = w.session();
  must(slow.begin());
  const auto late = must(storage::publish_event(slow, w.event("orders.created", "late"), at()));
  must(w.publish(w.event("orders.created", "early")));
  CHECK(w.sequence() == 1);
  CHECK(w.events().front().body == "early");
  must(slow.commit());
  CHECK(w.sequence() == 1);
  const auto events = w.events();
  REQUIRE(events.size() == 2);
  CHECK(events[1].body == "late");
  CHECK(events[1].public_id == late.public_id);
  CHECK(events[1].id < events[0].id);
}

TEST_CASE("two that sequence at once give no position twice and leave none out") {
  subscription_world w(GENERATE(from_range(engines())));
  for (int n = 0; n < 200; ++n)
    must(w.publish(w.event("orders.created")));
  std::atomic<std::int64_t> given = 0;
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < 2; ++n)
      threads.emplace_back([&] {
        auto db = w.session();
        for (int tries = 0; tries < 1000 && given < 200; ++tries)
          if (const auto some = storage::transact(
                  db, [](storage::session& in) { return storage::sequence_events(in, 7, at()); }))
            given += *some;
      });
  }
  CHECK(given == 200);
  CHECK(w.value("SELECT count(DISTINCT position) FROM change_events") == "200");
  CHECK(w.value("SELECT max(position) FROM change_events") == "200");
}

TEST_CASE("an idempotency key publishes once, and another event under it is refused") {
  subscription_world w(GENERATE(from_range(engines())));
  auto what = w.event("orders.created", R"({"n":1e400})");
  what.idempotency_key = "k";
  const auto first = must(w.publish(what));
  CHECK_FALSE(first.repeated);
  const auto again = must(w.publish(what, at(9)));
  CHECK(again.repeated);
  CHECK(again.public_id == first.public_id);
  what.body = R"({"n":1})";
  const auto other = w.publish(what);
  REQUIRE_FALSE(other);
  CHECK(other.error().code == storage::error::refused);
  what.idempotency_key = "k2";
  CHECK_FALSE(must(w.publish(what)).repeated);
  what.tenant = "nobody";
  CHECK(w.publish(what).error().code == storage::error::not_found);
  CHECK(w.sequence() == 2);
  CHECK(w.events().front().body == R"({"n":1e400})");
}

TEST_CASE("fifty that publish at once with one key make one event") {
  subscription_world w(GENERATE(from_range(engines())));
  auto what = w.event("orders.created");
  what.idempotency_key = "k";
  std::atomic<int> fresh = 0, repeated = 0;
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < 5; ++n)
      threads.emplace_back([&] {
        auto db = w.session();
        for (int m = 0; m < 10; ++m)
          if (const auto made = storage::transact(
                  db, [&](storage::session& in) { return storage::publish_event(in, what, at()); }))
            ++(made->repeated ? repeated : fresh);
      });
  }
  CHECK(fresh == 1);
  CHECK(repeated == 49);
}

TEST_CASE("events are found and listed by whoever may see their tenant") {
  subscription_world w(GENERATE(from_range(engines())));
  const auto made = must(w.publish(w.event("orders.created", "{}")));
  must(w.publish(w.event("orders.updated", "{}")));
  w.sequence();
  core::tenant_scope acme, other;
  acme.names = {"acme"};
  other.names = {"globex"};
  CHECK(must(storage::find_event(w.db(), made.public_id, acme))->type == "orders.created");
  CHECK_FALSE(must(storage::find_event(w.db(), made.public_id, other)));
  core::event_page page;
  page.tenants = acme;
  page.limit = 1;
  const auto newest = must(storage::list_events(w.db(), page));
  REQUIRE(newest.size() == 1);
  CHECK(newest[0].type == "orders.updated");
  page.before_id = newest[0].id;
  CHECK(must(storage::list_events(w.db(), page))[0].public_id == made.public_id);
  page.tenants = other;
  CHECK(must(storage::list_events(w.db(), page)).empty());
}
