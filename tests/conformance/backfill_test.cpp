#include "messages/fault.hpp"
#include "storage/backfills.hpp"
#include "tests/conformance/conformance_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::conformance_world;

TEST_CASE("Aborting and starting a backfill: an abort needs one in progress, a start needs none") {
  conformance_world w;
  w.add_rule_over(30);
  w.target().take(10s);
  w.settle();
  auto early = w.start_backfill();
  REQUIRE(early.failed());
  CHECK_THAT(tests::sentence_of(early.error()), Contains("in progress"));

  REQUIRE(w.abort_backfill().answered());
  CHECK_FALSE(w.cursor().backfill_until);
  auto second = w.abort_backfill();
  REQUIRE(second.failed());
  CHECK_THAT(tests::sentence_of(second.error()), Contains("no backfill in progress"));

  auto generation = w.cursor().backfill_generation;
  w.advance(1min);
  REQUIRE(w.start_backfill().answered());
  CHECK(w.cursor().backfill_generation == generation + 1);
}

TEST_CASE("Aborting and starting a backfill: neither act is a sign of life of the chain") {
  conformance_world w;
  w.add_rule_over(3);
  w.settle();
  auto stopped = w.stop(w.rule_scope());
  w.advance(1min);
  auto beat = w.cursor().updated_at;

  REQUIRE(w.start_backfill().answered());
  CHECK(w.cursor().updated_at == beat);
  REQUIRE(w.abort_backfill().answered());
  CHECK(w.cursor().updated_at == beat);

  w.resume(stopped);
  w.advance(1min);
  CHECK(w.target().calls().size() == 3);
}

TEST_CASE("Aborting and starting a backfill: what an abort left out goes once it changes, and a new start "
          "sends nothing twice") {
  conformance_world w(tests::small_batches());
  w.add_rule_over(100);
  w.target().take(1s);
  w.advance(2s);
  REQUIRE(w.abort_backfill().answered());
  w.advance(1h);
  auto delivered = w.count_rows(core::delivery_status::delivered);
  REQUIRE(delivered > 0);
  REQUIRE(delivered < 100);
  REQUIRE(w.status("c-100") == "none");

  w.put_record("c-100", "-new");
  w.advance(1min);
  CHECK(w.status("c-100") == "delivered");
  CHECK(w.status("c-99") == "none");

  REQUIRE(w.start_backfill().answered());
  w.advance(10min);
  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.target().objects().size() == 100);
  CHECK(w.target().calls().size() == 100);
}

TEST_CASE("Aborting and starting a backfill: both are refused on a rule that is off, and say so") {
  conformance_world w;
  w.add_rule_over(3);
  w.settle();
  w.change_rule("customers", {.active = false});
  w.settle();

  for (const auto& asked : {w.start_backfill(), w.abort_backfill()}) {
    REQUIRE(asked.failed());
    CHECK(messages::fault_of(asked.error()) == messages::fault::refused);
    CHECK_THAT(tests::sentence_of(asked.error()), Contains("customers") && Contains("switched off"));
  }
  CHECK_FALSE(w.cursor().backfill_until);
}

TEST_CASE("Backfill confirmations: each start leaves one in its transaction, the first activation none") {
  conformance_world w;
  w.add_rule_over(5);
  w.target().take(1s);
  w.settle();
  CHECK_FALSE(w.must(storage::confirmation_in_progress(w.db(), w.rule_id())));
  w.advance(1min);
  REQUIRE_FALSE(w.cursor().backfill_until);

  auto stopped = w.stop(w.rule_scope());
  w.put_records(3, "late-");
  w.advance(1s);
  auto too_few = w.start_backfill(2);
  REQUIRE(too_few.failed());
  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.number("SELECT count(*) FROM backfill_confirmations") == 0);

  REQUIRE(w.start_backfill(3).answered());
  auto confirmed = w.must(storage::confirmation_in_progress(w.db(), w.rule_id()));
  REQUIRE(confirmed);
  CHECK(confirmed->confirmed_by == "ada");
  CHECK(confirmed->creates == 3);
  CHECK(confirmed->until == w.now());
  CHECK(confirmed->generation == w.cursor().backfill_generation);
  w.resume(stopped);
  w.advance(1min);
  CHECK_FALSE(w.must(storage::confirmation_in_progress(w.db(), w.rule_id())));
  CHECK(w.must(storage::latest_confirmation(w.db(), w.connection_id("crm")))->confirmed_by == "ada");
}

TEST_CASE(
    "Backfill confirmations: a create is counted where the target holds no reference, and nowhere else") {
  harness::world_options options;
  options.settings.delivery.retry_schedule = {};
  conformance_world w(options);
  w.add_rule();
  w.put_records(2);
  w.put_payload("refused", R"({"name":"no address"})");
  w.settle();
  w.target().next(harness::answer(422));
  w.put_record("exhausted");
  w.settle();
  w.advance(1min);
  w.change_rule("customers", {.active = false});
  w.put_record("new");
  w.settle();

  auto preview = w.must(storage::preview_backfill(w.db(), w.rule_id(), w.now() + 1s, false));
  CHECK(preview.records == 5);
  CHECK(preview.creates == 2); // the new one, and the refused one, which may have been corrected
}
