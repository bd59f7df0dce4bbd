#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using tests::catch_world;
namespace m = messages;

namespace {

harness::world_options small_batches() {
  harness::world_options options;
  options.settings.delivery.scan_batch_size = 10;
  options.settings.delivery.batches_in_hand = 2;
  return options;
}

} // namespace

TEST_CASE("a rule that begins over old records delivers them by its backfill and clears its bound") {
  catch_world w(small_batches());
  w.add_source();
  w.put_records(35);
  w.advance(1h);
  w.add_rule();
  REQUIRE(w.cursor().backfill_until);

  w.settle();

  CHECK(w.target().objects().size() == 35);
  CHECK(w.target().calls().size() == 35);
  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.runs().front().ending == core::run_ending::completed);
}

TEST_CASE("a backfill over nothing clears its bound") {
  catch_world w;
  w.add_rule();

  w.settle();

  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.runs().empty());
}

TEST_CASE("a record that changes during the backfill is delivered in its newest version") {
  catch_world w(small_batches());
  w.add_source();
  w.put_records(35);
  w.advance(1h);
  w.add_rule();
  w.target().take(1s);
  w.advance(1s);

  w.put_record("c-2", "-new");
  w.put_record("c-34", "-new");
  w.advance(1min);

  CHECK(w.target().objects().size() == 35);
  CHECK_THAT(w.target().object_of("c-2")->body, Catch::Matchers::Contains("c-2-new"));
  CHECK_THAT(w.target().object_of("c-34")->body, Catch::Matchers::Contains("c-34-new"));
  CHECK_FALSE(w.cursor().backfill_until);
}

TEST_CASE("a crash in the middle of a backfill goes on where it was") {
  catch_world w(small_batches());
  w.add_source();
  w.put_records(50);
  w.advance(1h);
  w.add_rule();
  w.target().take(1s);
  w.advance(3s);
  auto delivered = w.count_rows(core::delivery_status::delivered);
  REQUIRE(delivered > 0);
  REQUIRE(delivered < 50);

  w.crash_and_restart();
  w.advance(5min);

  CHECK(w.target().objects().size() == 50);
  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.count_rows(core::delivery_status::delivered) == 50);
}

TEST_CASE("a stop in the middle leaves no intent of a create that was not attempted") {
  catch_world w(small_batches());
  w.add_source();
  w.put_records(50);
  w.advance(1h);
  w.add_rule();
  w.target().take(1s);
  w.settle();

  w.inject(m::stop_chain{}).from(w.dispatcher()).to(w.rule());
  w.settle();
  CHECK(w.intents().size() == w.target().calls().size());

  w.advance(1s);
  CHECK(w.runs().back().ending == core::run_ending::stopped);
  CHECK(w.runs().back().counts.created == w.settings().calls.max_in_flight);
}

TEST_CASE("new records are not kept waiting behind a backfill") {
  catch_world w(small_batches());
  w.add_source();
  w.put_records(200, "old-");
  w.advance(1h);
  w.add_rule();
  w.target().take(1s);
  w.advance(2s);

  w.put_record("fresh");
  w.advance(10s);

  CHECK(w.status("fresh") == "delivered");
  CHECK(w.cursor().backfill_until);
}
