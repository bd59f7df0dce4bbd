#include "tests/conformance/conformance_world.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::conformance_world;

namespace {

/// A target that can settle nothing, and a schedule whose first failure is the last.
struct final_world : conformance_world {
  static harness::world_options options() {
    harness::world_options options;
    options.settings.delivery.retry_schedule = {};
    return options;
  }

  final_world() : conformance_world(options()) {
    add_target("crm", {.lookup = false, .idempotency_key = false});
    add_rule();
    settle();
  }

  /// One record of each status a record of this rule can come to rest in.
  void make_statuses() {
    put_records(4);
    settle();
    target().next(harness::answer(422));
    put_record("exhausted");
    settle();
    target().next(harness::lose_the_reply());
    put_record("ambiguous");
    settle();
    put_payload("undeliverable", R"({"name":"no address"})");
    target().forget(row("c-2")->remote_id);
    put_record("c-2", "-new");
    delete_record("c-3");
    settle();
    REQUIRE(status("c-2") == "remote_gone");
    REQUIRE(status("c-3") == "withdrawn");
    REQUIRE(status("exhausted") == "exhausted");
    REQUIRE(status("ambiguous") == "ambiguous");
    REQUIRE(status("undeliverable") == "undeliverable");
  }
};

} // namespace

TEST_CASE("The ledger: one row a rule and record, kept by the source's id and not by a row of the mirror") {
  conformance_world w;
  w.add_rule("customers");
  w.add_rule("newsletter", {.target = "mailer"});
  w.put_records(3);
  w.settle();
  CHECK(w.number("SELECT count(*) FROM outbound_deliveries") == 6);
  auto before = w.row("c-1")->remote_id;
  w.advance(1h);

  w.execute("DELETE FROM mirror_records"); // a source that is built anew has new local ids
  w.put_records(3);
  w.settle();

  CHECK(w.number("SELECT count(*) FROM outbound_deliveries") == 6);
  CHECK(w.target().count("POST") == 3);
  CHECK(w.target().count("PATCH") == 3);
  CHECK(w.row("c-1")->remote_id == before);
  CHECK(w.refuses("INSERT INTO outbound_deliveries SELECT * FROM outbound_deliveries"));
}

TEST_CASE("Status values: exhausted and gone are final and an unknown create is a person's, the others are "
          "offered again on their next change") {
  final_world w;
  w.make_statuses();
  w.advance(1h);
  auto calls = w.target().calls().size();

  w.put_records(4, "c-"); // c-2 as it was first, c-3 comes back
  for (const auto* id : {"c-1", "c-2", "exhausted", "ambiguous", "undeliverable"})
    w.put_record(id, "-newer");
  w.advance(24h);

  CHECK(w.status("c-2") == "remote_gone");
  CHECK(w.status("exhausted") == "exhausted");
  CHECK(w.status("ambiguous") == "ambiguous");
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.status("c-3") == "delivered");
  CHECK(w.status("undeliverable") == "delivered");
  CHECK(w.target().calls().size() == calls + 3);
}

TEST_CASE("Status values: what is undeliverable costs no request, keeps its reason and waits for no clock") {
  conformance_world w;
  w.add_rule();
  w.put_payload("c-1", R"({"name":"no address"})");
  w.settle();
  REQUIRE(w.status("c-1") == "undeliverable");
  CHECK_THAT(w.row("c-1")->error, Contains("email"));
  CHECK_FALSE(w.row("c-1")->next_attempt_at);

  REQUIRE(w.start_backfill().answered()); // looks at it again, here alone
  w.settle();
  CHECK(w.target().calls().empty());
  CHECK(w.row("c-1")->attempts == 0);
  CHECK(w.runs().front().counts.refused == 1);
}

TEST_CASE(
    "Indexes: the lookup before a delivery and the drain each go by their own, and read no whole ledger") {
  conformance_world w;
  auto lookup = w.plan("SELECT status FROM outbound_deliveries WHERE rule_id = 1 AND source_id = 'c-1'");
  auto due = w.plan("SELECT source_id FROM outbound_deliveries WHERE rule_id = 1 AND next_attempt_at <= 5");
  CHECK_THAT(lookup, Contains("PRIMARY KEY (rule_id=? AND source_id=?)"));
  CHECK_THAT(due, Contains("outbound_deliveries_due (rule_id=? AND next_attempt_at<?)"));
}

TEST_CASE("What it does not hold: nothing of a payload or of a body stands in the ledger") {
  conformance_world w;
  w.add_rule();
  w.put_record("c-1", "-canary");
  w.put_payload("c-2", R"({"name":"canary"})");
  w.settle();
  w.target().next(harness::answer(503));
  w.put_record("c-1", "-canary-2");
  w.settle();
  REQUIRE_THAT(w.target().object_of("c-1")->body, Contains("canary"));
  REQUIRE(w.status("c-1") == "failed");

  auto columns = w.text("SELECT 'coalesce(CAST(' || name || ' AS TEXT), '''') || ' FROM "
                        "pragma_table_info('outbound_deliveries')");
  CHECK(w.number("SELECT count(*) FROM outbound_deliveries") == 2);
  CHECK(w.number("SELECT count(*) FROM outbound_deliveries WHERE " + columns + "'' LIKE '%canary%'") == 0);
}

TEST_CASE("What it does not hold: which fields have moved, for an update carries all of them") {
  conformance_world w;
  w.add_rule("customers", {.mapping = R"({"external_id":{"template":"{source_id}"},"email":"/email",)"
                                      R"("name":"/name"})"});
  w.put_payload("c-1", R"({"email":"a@example.com","name":"Ada"})");
  w.settle();

  w.put_payload("c-1", R"({"email":"b@example.com","name":"Ada"})");
  w.settle();

  auto body = w.target().calls().back().body;
  CHECK(w.target().calls().back().method == "PATCH");
  CHECK_THAT(body, Contains("b@example.com") && Contains("Ada"));
}

TEST_CASE("A soft-deleted ledger row still counts: its record is passed over until the row is back") {
  conformance_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();
  w.execute("UPDATE outbound_deliveries SET deleted_at = 1");
  auto trashed = w.row("c-1");

  w.put_record("c-1", "-new");
  w.advance(1h);
  REQUIRE(w.start_backfill(0, true).answered());
  w.advance(1h);
  CHECK(w.target().calls().size() == 1);
  CHECK(w.row("c-1") == trashed);

  w.execute("UPDATE outbound_deliveries SET deleted_at = NULL");
  w.put_record("c-1", "-newer");
  w.settle();
  CHECK(w.target().count("POST") == 1);
  CHECK(w.status("c-1") == "delivered");
}
