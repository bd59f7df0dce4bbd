#include "storage/lifecycle.hpp"
#include "storage/rules.hpp"
#include "tests/storage/delivery_world.hpp"

#include <array>

using namespace sluice;
using namespace sluice::tests;

namespace {

constexpr std::array tables{"delivery_intents", "delivery_intent_batches", "outbound_deliveries",
                            "rule_withdrawals", "backfill_confirmations",  "delivery_runs",
                            "delivery_stops",   "delivery_cursors",        "sync_rules",
                            "throttle_windows", "change_markers",          "mirror_records",
                            "rule_jobs"};

/// A world in which every table has a row of the rule from "shop" to "crm" or of one of the two.
struct purge_world : delivery_world {
  using delivery_world::delivery_world;

  void fill() {
    put({"a", "b", "c"}, at(1));
    write({delivered_row("a", at(1)), delivered_row("b", at(1))});
    const auto id = std::to_string(rule.id.value);
    const auto target = std::to_string(rule.target.value);
    execute(
        "INSERT INTO delivery_intents (record_id, rule_id, source_id, content_changed_at, create_generation, "
        "run_id, made_at) VALUES (1, "
        + id + ", 'c', 1, 0, 1, 1)");
    execute("INSERT INTO delivery_intent_batches (rule_id, run_id, intents) VALUES (" + id + ", 1, '[]')");
    execute("INSERT INTO rule_withdrawals (rule_id, minute_at, withdrawn) VALUES (" + id + ", 0, 1)");
    execute("INSERT INTO backfill_confirmations (rule_id, target_connection_id, backfill_until, "
            "backfill_generation, records, creates, resend, confirmed_by, confirmed_at) VALUES ("
            + id + ", " + target + ", 1, 1, 1, 1, 0, 'me', 1)");
    execute("INSERT INTO delivery_runs (public_id, rule_id, ending, started_at) VALUES ('r', " + id
            + ", 'completed', 1)");
    execute("INSERT INTO rule_jobs (public_id, rule_id, act, counted, started_at, started_by) VALUES ('j', "
            + id + ", 'retry', 1, 1, 'me')");
    execute("INSERT INTO delivery_stops (public_id, scope, cause, rule_id, set_at) VALUES ('s1', 'rule', "
            "'manual', "
            + id + ", 1)");
    execute("INSERT INTO delivery_stops (public_id, scope, cause, connection_id, set_at) VALUES ('s2', "
            "'connection', 'manual', "
            + target + ", 1)");
    for (const auto connection : {rule.source, rule.target})
      execute("INSERT INTO throttle_windows (connection_id, content, updated_at) VALUES ("
              + std::to_string(connection.value) + ", '', 1)");
  }

  std::string count(const std::string& table) const { return value("SELECT count(*) FROM " + table); }

  /// Steps until nothing is left; returns how many.
  int purge(const std::string& name, std::int64_t limit) {
    int steps = 0;
    while (committed(db(),
                     [&](storage::session& within) {
                       return storage::purge_connection(within, name, limit, at(200));
                     })
           > 0)
      ++steps;
    return steps;
  }

  auto purge_expired(core::timestamp until) {
    return committed(
        db(), [&](storage::session& within) { return storage::purge_expired(within, until, 100, at(200)); });
  }
};

} // namespace

TEST_CASE("a purge removes everything of a connection, the ledger included, in bounded steps") {
  purge_world w(GENERATE(from_range(engines())));
  const std::string name = GENERATE("shop", "crm");
  w.fill();
  for (const auto* table : tables) {
    INFO(table);
    CHECK(w.count(table) != "0");
  }
  must(storage::disconnect_connection(w.db(), name, at(100)));
  const auto records = w.count("mirror_records");
  CHECK(w.purge(name, 1) >= 10);
  CHECK(w.value("SELECT count(*) FROM connections WHERE name = '" + name + "'") == "0");
  CHECK(w.count("connections") == "1");
  for (const auto* table : tables) {
    INFO(table);
    const std::string_view of_connection{table};
    if (of_connection == "mirror_records" && name == "crm")
      CHECK(w.count(table) == records);
    else if (of_connection == "throttle_windows")
      CHECK(w.count(table) == "1");
    else if (name == "shop" && of_connection == "delivery_stops")
      CHECK(w.count(table) == "1");
    else if (of_connection != "change_markers" || name == "shop")
      CHECK(w.count(table) == "0");
  }
  CHECK(w.purge(name, 1) == 0);
}

TEST_CASE("a purge touches no rule of other connections") {
  purge_world w(GENERATE(from_range(engines())));
  w.fill();
  const auto other = w.add_rule({.name = "other", .source = "warehouse", .target = "mailer"});
  committed(w.db(), [&](storage::session& db) {
    return storage::write_ledger(db, other.id, std::vector{delivered_row("x", at(1))}, at(1));
  });
  must(storage::disconnect_connection(w.db(), "shop", at(100)));
  w.purge("shop", 100);
  CHECK(w.value("SELECT min(rule_id) FROM outbound_deliveries") == std::to_string(other.id.value));
  CHECK(must(storage::find_rule(w.db(), "other")));
}

TEST_CASE("only what was disconnected long enough ago expires") {
  purge_world w(GENERATE(from_range(engines())));
  w.fill();
  CHECK(w.purge_expired(at(1000)) == 0);
  must(storage::disconnect_connection(w.db(), "shop", at(100)));
  CHECK(w.purge_expired(at(99)) == 0);
  CHECK(w.purge_expired(at(100)) > 0);
  CHECK(w.purge_expired(at(99)) > 0); // once begun it is finished
  while (w.purge_expired(at(100)) > 0) {
  }
  CHECK(w.count("outbound_deliveries") == "0");
  CHECK(w.count("connections") == "1");
}

TEST_CASE("a purge that has begun cannot be undone, and its credentials are gone at once") {
  purge_world w(GENERATE(from_range(engines())));
  w.fill();
  must(storage::disconnect_connection(w.db(), "crm", at(100)));
  committed(w.db(), [](storage::session& db) { return storage::purge_connection(db, "crm", 1, at(101)); });
  CHECK(w.value("SELECT credentials FROM connections WHERE name = 'crm'").empty());
  const auto back = storage::reconnect_connection(w.db(), "crm", std::chrono::hours{24}, at(102));
  CHECK(back.error().code == storage::error::refused);
  CHECK_THAT(back.error().detail, Catch::Contains("is being purged"));
}

TEST_CASE("a connection that is not disconnected is not purged") {
  purge_world w(GENERATE(from_range(engines())));
  const auto refused = storage::transact(
      w.db(), [](storage::session& db) { return storage::purge_connection(db, "shop", 10, at(1)); });
  CHECK(refused.error().code == storage::error::refused);
  CHECK_THAT(refused.error().detail, Catch::Contains("\"shop\" is not disconnected"));
}

TEST_CASE("a purge waits for the open run of a node that lives, not for one of a node that died") {
  purge_world w(GENERATE(from_range(engines())));
  w.fill();
  w.execute("UPDATE delivery_runs SET ending = NULL");
  const auto lease = [&](const std::string& until) {
    w.execute("DELETE FROM ownership");
    w.execute("INSERT INTO ownership (shard, node, epoch, lease_until) VALUES ('all', 'n', 1, " + until
              + ")");
  };
  must(storage::disconnect_connection(w.db(), "shop", at(100)));
  lease("9000000000000000");
  const auto step = [&] {
    return storage::transact(
        w.db(), [](storage::session& db) { return storage::purge_connection(db, "shop", 100, at(200)); });
  };
  const auto waits = step();
  REQUIRE_FALSE(waits);
  CHECK(waits.error().code == storage::error::busy);
  CHECK_THAT(waits.error().detail, Catch::Contains("customers-to-crm"));

  w.add_rule({.name = "other", .source = "warehouse", .target = "mailer"});
  must(storage::disconnect_connection(w.db(), "mailer", at(150)));
  const auto next = [&] {
    return storage::transact(
        w.db(), [](storage::session& db) { return storage::purge_expired(db, at(150), 100, at(200)); });
  };
  for (int steps = 0; w.value("SELECT count(*) FROM connections WHERE name = 'mailer'") == "1"; ++steps)
    REQUIRE((next() && steps < 20)); // nobody waits for the one that has to
  CHECK(next().error().code == storage::error::busy);

  lease("1");
  CHECK(step());
}
