#include "tests/actors/consent_world.hpp"
#include "tests/conformance/conformance_world.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice;
using namespace std::chrono_literals;
using tests::conformance_world;
using tests::consents;

TEST_CASE(
    "The cursor: opening it at the first activation fixes T0 and the bound, and nothing opens it again") {
  conformance_world w;
  w.add_rule("customers", {.active = false});
  w.put_records(3);
  w.advance(1h);
  CHECK(w.number("SELECT count(*) FROM delivery_cursors") == 0);

  auto t0 = w.now();
  w.change_rule("customers", {});
  auto opened = w.cursor();
  CHECK(opened.activated_at == t0);
  CHECK(opened.delta.changed_at == t0);
  CHECK(opened.backfill_until == t0);
  w.settle();
  CHECK(w.count_rows(core::delivery_status::delivered) == 3);

  w.change_rule("customers", {.active = false});
  w.advance(1h);
  auto before = w.cursor();
  w.change_rule("customers", {});
  CHECK(w.cursor() == before);
  w.advance(1h);
  CHECK(w.cursor().activated_at == t0);
  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.target().calls().size() == 3);
}

TEST_CASE(
    "The cursor: where it went missing the chain opens it anew, and the ledger keeps records from going "
    "twice") {
  conformance_world w;
  w.add_rule();
  w.put_records(3);
  w.settle();
  w.crash();
  w.execute("DELETE FROM delivery_cursors");
  w.advance(1h);
  auto reopened_at = w.now();

  w.start();
  w.put_record("c-4");
  w.settle();

  CHECK(w.cursor().activated_at == reopened_at);
  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.target().count("POST") == 4);
  CHECK(w.target().calls().size() == 4);
}

TEST_CASE("The cursor: a dependent rule opens in delta only, by its activation and by its chain") {
  conformance_world w;
  w.add_rule("customers");
  w.put_record("c-1");
  w.put_payload("k-1", R"({"customer":"c-1"})", consents);
  w.settle();
  w.advance(1h);
  w.add_rule("consents", tests::consent_rule());
  CHECK_FALSE(w.cursor("consents").backfill_until);
  w.settle();
  w.crash();
  w.execute("DELETE FROM delivery_cursors WHERE rule_id = " + std::to_string(w.rule_id("consents").value));

  w.start();
  w.advance(15min);

  CHECK_FALSE(w.cursor("consents").backfill_until);
  CHECK(w.status("k-1", "consents") == "none");
}

namespace {

/// A record whose change lies so far behind, of which no marker tells: it became visible late.
void put_late(conformance_world& w, const std::string& id, core::duration behind) {
  w.put_record(id);
  w.execute("UPDATE mirror_records SET content_changed_at = " + std::to_string(core::to_us(w.now() - behind))
            + " WHERE source_id = '" + id + "'");
  w.execute("DELETE FROM change_markers");
}

} // namespace

TEST_CASE("The cursor: a delta pass reads back over the overlap, so what became visible late is sent, once") {
  conformance_world w;
  w.add_rule();
  for (const auto* tag : {"-1", "-2"}) {
    w.put_record("c-1", tag);
    w.settle();
    w.advance(1h);
  }
  w.put_record("c-1", "-3");
  w.settle();
  put_late(w, "within", 1h + 2min);
  put_late(w, "beyond", 1h + 30min);

  w.put_record("c-1", "-4");
  w.settle();
  CHECK(w.status("within") == "delivered");
  CHECK(w.status("beyond") == "none"); // a backfill finds it

  w.advance(1h);
  CHECK(w.target().objects_of("within").size() == 1);
  CHECK(w.row("within")->row_version == 1);
}

TEST_CASE("The cursor: a backfill over records of one moment reads strictly on, and ends") {
  conformance_world w(tests::small_batches());
  w.add_rule_over(35);
  REQUIRE(w.number("SELECT count(DISTINCT content_changed_at) FROM mirror_records") == 1);

  w.settle();

  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.target().calls().size() == 35);
  CHECK(w.runs().front().counts.examined == 35);
}
