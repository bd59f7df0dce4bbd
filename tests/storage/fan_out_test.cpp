#include "tests/storage/subscription_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::delivery_state;

TEST_CASE("deliveries are written with the cursor that passes their events, or not at all") {
  subscription_world w(GENERATE(from_range(engines())));
  const auto push = w.subscribe("push");
  const auto pull = w.subscribe("pull", core::subscription_mode::pull);
  w.publish_many(3);
  core::fan_out_batch batch{.from = {}, .to = {{2}, push.id}, .deliveries = {}};
  batch.deliveries.push_back({push.id, {1}, core::subscription_mode::push, true, "k"});
  batch.deliveries.push_back({push.id, {2}, core::subscription_mode::push, false, {}});
  batch.deliveries.push_back({pull.id, {1}, core::subscription_mode::pull, true, {}});
  CHECK(w.write(batch, at(7)));
  CHECK(must(storage::read_fan_out_place(w.db())).cursor == batch.to);
  const auto pushed = w.delivery(push, 1);
  CHECK(pushed.progress.state == delivery_state::pending);
  CHECK(pushed.progress.due_at == at(7));
  CHECK(pushed.ordering_key == "k");
  CHECK(pushed.created_at == at(7));
  CHECK(w.state(push, 2) == delivery_state::skipped_filter);
  CHECK_FALSE(w.delivery(push, 2).progress.due_at);
  CHECK(w.state(pull, 1) == delivery_state::pending);
  CHECK_FALSE(w.delivery(pull, 1).progress.due_at);

  batch.to = {{3}, {}};
  batch.deliveries = {{pull.id, {3}, core::subscription_mode::pull, true, {}}};
  CHECK_FALSE(w.write(batch, at(8)));
  CHECK(w.value("SELECT count(*) FROM event_deliveries") == "3");
}

TEST_CASE("a delivery that is there already is left as it is") {
  subscription_world w(GENERATE(from_range(engines())));
  const auto push = w.subscribe("push");
  w.publish_many(1);
  w.fan_out_to(push);
  const auto claims = w.claim(w.wish(push), at(1));
  w.record(push, {w.ended(claims.deliveries[0], core::attempt_ending::acknowledged)}, at(2));
  core::fan_out_batch batch{.from = {{1}, {}}, .to = {{1}, push.id}, .deliveries = {}};
  batch.deliveries.push_back({push.id, {1}, core::subscription_mode::push, true, {}});
  CHECK(w.write(batch));
  CHECK(w.state(push, 1) == delivery_state::delivered);
}

TEST_CASE("what fan-out writes at or below a pull cursor is delivered") {
  subscription_world w(GENERATE(from_range(engines())));
  const auto pull = w.subscribe("pull", core::subscription_mode::pull);
  w.publish_many(3);
  w.execute("UPDATE subscriptions SET cursor_position = 2");
  w.fan_out_to(pull);
  CHECK(w.state(pull, 1) == delivery_state::delivered);
  CHECK(w.state(pull, 2) == delivery_state::delivered);
  CHECK(w.state(pull, 3) == delivery_state::pending);
}

TEST_CASE("no delivery is written of an event that was purged since it was read") {
  subscription_world w(GENERATE(from_range(engines())));
  const auto push = w.subscribe("push");
  w.publish_many(3);
  w.execute("DELETE FROM change_events WHERE position = 2");
  w.fan_out_to(push);
  CHECK(w.value("SELECT count(*) FROM event_deliveries") == "2");
  CHECK(w.value("SELECT count(*) FROM event_deliveries WHERE position = 2") == "0");
}

TEST_CASE("fan-out knows every live subscription, paused ones too, and when to look again") {
  subscription_world w(GENERATE(from_range(engines())));
  auto what = w.wanted("one");
  what.event_types = {"orders.*"};
  what.filter = R"({"field":"/n","exists":true})";
  what.ordered_by = "/n";
  const auto before = must(storage::read_fan_out_place(w.db())).subscriptions_version;
  w.publish_many(2);
  const auto one = w.subscribe(what);
  const auto two = w.subscribe("two", core::subscription_mode::pull);
  const auto three = w.subscribe("three");
  w.set_status(one, core::subscription_status::active, core::subscription_status::paused);
  committed(w.db(), [&](storage::session& in) { return storage::remove_subscription(in, {three.id}, at()); });
  const auto place = must(storage::read_fan_out_place(w.db()));
  CHECK(place.subscriptions_version >= before + 5);
  CHECK(place.sequenced.value == 2);
  const auto all = must(storage::read_fan_out_subscriptions(w.db()));
  REQUIRE(all.size() == 2);
  CHECK(all[0].id == one.id);
  CHECK(all[0].tenant == "acme");
  CHECK(all[0].event_types == what.event_types);
  CHECK(all[0].filter == what.filter);
  CHECK(all[0].ordered_by == "/n");
  CHECK(all[0].starts_after.value == 2);
  CHECK(all[1].id == two.id);
  CHECK(all[1].mode == core::subscription_mode::pull);
}
