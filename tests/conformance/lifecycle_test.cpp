#include "storage/lifecycle.hpp"
#include "storage/rule_lifecycle.hpp"
#include "tests/conformance/conformance_world.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice;
using namespace std::chrono_literals;
using tests::conformance_world;

namespace {

struct life_world : conformance_world {
  using conformance_world::conformance_world;

  void disconnect(const std::string& name = "shop") {
    must(storage::disconnect_connection(db(), name, now()));
    hint();
    settle();
  }
  void reconnect(const std::string& name = "shop") {
    must(storage::reconnect_connection(db(), name, settings().lifecycle.grace_period, now()));
    hint();
    settle();
  }
  [[nodiscard]] std::string ledger() {
    return text(
        "SELECT source_id || '|' || status || '|' || coalesce(remote_id, '') || '|' || row_version || "
        "'|' || updated_at FROM outbound_deliveries ORDER BY rule_id, source_id");
  }
};

} // namespace

TEST_CASE("Lifecycle: a row outlives its record, and a disconnect leaves ledger and cursor as they are") {
  life_world w;
  w.add_rule("customers", {.deletes = core::delete_policy::ignore});
  w.put_records(3);
  w.settle();
  w.delete_record("c-1");
  w.advance(1h);
  CHECK(w.status("c-1") == "delivered");
  auto ledger = w.ledger();
  auto cursor = w.cursor();

  w.disconnect();
  w.advance(1h);

  CHECK(w.ledger() == ledger);
  CHECK(w.cursor() == cursor);
  CHECK(w.target().calls().size() == 3);
}

TEST_CASE("Lifecycle: only a deletion by the source is withdrawn, and only where the rule propagates it") {
  life_world w;
  w.add_rule();
  w.put_records(3);
  w.settle();
  w.advance(1h);
  w.disconnect();
  w.advance(1h);
  CHECK(w.target().objects().size() == 3);
  w.reconnect();

  w.delete_record("c-1");
  w.settle();
  CHECK(w.status("c-1") == "withdrawn");
  CHECK(w.target().objects().size() == 2);
}

TEST_CASE("Purge ordering: the node removes what is over its grace period, in order and to the last row") {
  harness::world_options options;
  options.settings.lifecycle.grace_period = 48h;
  life_world w(options);
  w.add_rule("customers");
  w.add_rule("other", {.source = "warehouse", .target = "mailer"});
  w.put_records(2500);
  w.put_record("w-1", {}, {.source = "warehouse"});
  w.settle();
  w.stop(w.rule_scope());
  w.disconnect();

  w.advance(47h);
  CHECK(w.number("SELECT count(*) FROM outbound_deliveries") == 2501);
  w.advance(3h);

  CHECK(w.number("SELECT count(*) FROM outbound_deliveries") == 1);
  CHECK(w.number("SELECT count(*) FROM delivery_cursors") == 1);
  CHECK(w.number("SELECT count(*) FROM sync_rules") == 1);
  CHECK(w.number("SELECT count(*) FROM mirror_records") == 1);
  CHECK(w.number("SELECT count(*) FROM connections WHERE name = 'shop'") == 0);
  w.put_record("w-2", {}, {.source = "warehouse"});
  w.settle();
  CHECK(w.status("w-2", "other") == "delivered");
}

TEST_CASE("Purge ordering: delivery state holds its rule, and only the purge may release it") {
  life_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();
  CHECK(w.refuses("DELETE FROM sync_rules"));
  w.execute("DELETE FROM delivery_runs");
  w.execute("DELETE FROM delivery_cursors");
  CHECK(w.refuses("DELETE FROM sync_rules")); // the ledger alone holds it too
  CHECK(w.refuses("DELETE FROM connections"));
}

TEST_CASE("A single rule is refused, not cascaded: by name while it holds delivery state, and nothing goes") {
  life_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();
  auto forced = storage::transact(
      w.db(), [](storage::session& db) { return storage::force_delete_rule(db, "customers"); });

  REQUIRE_FALSE(forced);
  CHECK(forced.error().code == storage::error::refused);
  CHECK_THAT(forced.error().detail, Catch::Matchers::Contains("delivery state"));
  CHECK(w.status("c-1") == "delivered");
  w.put_record("c-1", "-new");
  w.settle();
  CHECK(w.target().count("POST") == 1);
  CHECK(w.target().count("PATCH") == 1);
}

namespace {

/// One of the four ways a route closes, and its way back.
void close_route(life_world& w, int how, bool back) {
  using core::connection_status;
  const auto name = "customers";
  if (how == 0) {
    auto done = storage::transact(w.db(), [&](storage::session& db) -> storage::result<bool> {
      if (!back)
        return storage::delete_rule(db, name, w.now()).has_value();
      return storage::restore_rule(db, name, w.now()).has_value();
    });
    REQUIRE(w.must(done));
    w.hint();
  } else if (how == 1) {
    w.change_rule(name, {.active = back});
  } else {
    const auto bad = how == 2 ? connection_status::inactive : connection_status::error;
    w.set_connection_status("crm", back ? connection_status::active : bad);
  }
  w.settle();
}

} // namespace

TEST_CASE("Reversible means more than a disconnect: whatever closes the route, delivery goes on where it "
          "stood") {
  life_world w;
  w.add_rule();
  w.put_records(3);
  w.settle();
  w.advance(1h);
  const auto how = GENERATE(0, 1, 2, 3);
  CAPTURE(how);

  close_route(w, how, false);
  auto delta = w.cursor().delta;
  w.put_record("c-4");
  w.advance(2h);
  CHECK(w.cursor().delta == delta);
  CHECK(w.target().calls().size() == 3);

  close_route(w, how, true);
  w.advance(10s);
  CHECK(w.status("c-4") == "delivered");
  CHECK(w.target().calls().size() == 4);
}

TEST_CASE(
    "What the reconnect promise rests on: no change signal moves, so the first scan sends what waits and "
    "nothing else") {
  life_world w;
  w.add_rule();
  w.put_records(3);
  w.settle();
  w.set_connection_status("crm", core::connection_status::inactive);
  w.put_record("waits");
  w.advance(1h);
  w.set_connection_status("crm", core::connection_status::active);
  auto stopped = w.stop();
  auto signals = [&w] {
    return w.text("SELECT source_id || '|' || content_changed_at FROM mirror_records ORDER BY source_id");
  };
  auto before = signals();

  w.disconnect();
  CHECK(signals() == before);
  w.advance(24h);
  w.reconnect();
  CHECK(signals() == before);
  w.resume(stopped);
  w.advance(1h);

  CHECK(w.status("waits") == "delivered");
  CHECK(w.target().calls().size() == 4);
}

TEST_CASE("Recoverability: what is lost of a node's own state is made again from ledger and mirror") {
  life_world w;
  w.add_rule();
  w.put_records(20);
  w.settle();
  w.crash();
  const std::string table =
      GENERATE("delivery_cursors", "delivery_runs", "change_markers", "throttle_windows", "heartbeats");
  w.execute("DELETE FROM " + table);
  w.put_record("c-1", "-new");
  w.execute("DELETE FROM change_markers");

  w.start();
  w.advance(11min); // a sweep

  CHECK_THAT(w.target().object_of("c-1")->body, Catch::Matchers::Contains("c-1-new"));
  CHECK(w.target().count("POST") == 20);
  CHECK(w.target().count("PATCH") == 1);
  CHECK(w.state() == core::rule_state::ok);
}

TEST_CASE(
    "Recoverability: a node that dies at any message of a withdrawal or an update finishes it once it is "
    "back") {
  auto deliveries = GENERATE(range(3, 60, 6));
  CAPTURE(deliveries);
  life_world w;
  w.add_rule();
  w.put_records(6);
  w.settle();
  w.delete_records(3);
  w.put_record("c-5", "-new");
  for (int i = 0; i < deliveries; ++i)
    w.deliver_next();

  w.crash_and_restart();
  w.advance(10min);

  CHECK(w.target().objects().size() == 3);
  CHECK(w.count_rows(core::delivery_status::withdrawn) == 3);
  CHECK(w.cursor().known_records == 3);
  CHECK_THAT(w.target().object_of("c-5")->body, Catch::Matchers::Contains("c-5-new"));
}
