#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::catch_world;
namespace m = messages;

namespace {

/// A rule with `count` old records at a target that takes its time, delivered or to be backfilled.
struct backfill_world : catch_world {
  explicit backfill_world(int count, harness::world_options options = {}) : catch_world(std::move(options)) {
    add_source();
    put_records(count, "old-");
    advance(1h);
    add_rule();
  }

  harness::asked<core::delivery_cursor> start(bool resend = false, std::int64_t creates = 1'000'000) {
    core::backfill_start wanted;
    wanted.rule = rule_id();
    wanted.until = now();
    wanted.resend = resend;
    wanted.creates = creates;
    wanted.by = "ada";
    auto asked = ask<core::delivery_cursor>(dispatcher(), m::start_backfill{wanted});
    settle();
    return asked;
  }

  harness::asked<core::delivery_cursor> abort() {
    auto asked = ask<core::delivery_cursor>(dispatcher(), m::abort_backfill{rule_id(), "ada"});
    settle();
    return asked;
  }

  [[nodiscard]] std::int64_t delivered() { return count_rows(core::delivery_status::delivered); }
};

} // namespace

TEST_CASE("a new record waits for a second of a backfill's calls at the most, however slow the target is") {
  backfill_world w(3000);
  w.target().take(500ms); // 16 calls a second: the backfill takes minutes, and its hands are full
  w.advance(20s);
  for (int i = 0; i < 10; ++i) {
    auto id = "fresh-" + std::to_string(i);
    w.put_record(id);
    w.advance(2s);
    CHECK(w.status(id) == "delivered");
  }
  CHECK(w.cursor().backfill_until);
}

TEST_CASE("a backfill goes on while records change without a pause, and sends each of its own once") {
  backfill_world w(400);
  w.target().take(100ms);
  for (int i = 0; i < 200; ++i) {
    w.put_record("fresh", std::to_string(i));
    w.advance(400ms);
  }
  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.target().count("POST") == 401);
}

TEST_CASE(
    "an aborted backfill delivers what is out and no more, and its writes that come too late are dropped") {
  backfill_world w(1000);
  w.target().take(500ms);
  w.advance(3s);

  auto aborted = w.abort();
  REQUIRE(aborted.answered());
  CHECK_FALSE(aborted.value().backfill_until);
  auto calls = w.target().calls().size();
  w.advance(1h);

  CHECK(w.target().calls().size() <= calls + 16); // at most a second of calls
  CHECK(w.delivered() == static_cast<std::int64_t>(w.target().calls().size()));
  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.intents().empty());
}

TEST_CASE("a backfill that is started again begins at the beginning and sends nothing twice") {
  backfill_world w(600);
  w.target().take(200ms);
  w.advance(3s);
  REQUIRE(w.abort().answered());
  w.advance(1min);
  auto before = w.delivered();
  REQUIRE(before > 0);
  REQUIRE(before < 600);

  auto started = w.start();
  REQUIRE(started.answered());
  CHECK(started.value().backfill_until);
  w.advance(5min);

  CHECK(w.delivered() + w.count_rows(core::delivery_status::suppressed) == 600);
  CHECK(w.target().count("POST") == 600);
  CHECK_FALSE(w.cursor().backfill_until);
}

TEST_CASE("an abort and a new start in the middle of a batch: the old batch's writes do not touch the new "
          "backfill") {
  backfill_world w(300);
  w.target().take(500ms);
  w.advance(2s);
  auto generation = w.cursor().backfill_generation;

  REQUIRE(w.abort().answered());
  w.advance(1ms);
  REQUIRE(w.start().answered());
  CHECK(w.cursor().backfill_generation > generation);
  CHECK(w.cursor().backfill == core::position{});
  w.advance(5min);

  CHECK(w.delivered() + w.count_rows(core::delivery_status::suppressed) == 300);
  CHECK(w.target().count("POST") == 300);
  CHECK_FALSE(w.cursor().backfill_until);
}

TEST_CASE(
    "an abort and a new start between two batches: what was delivered stays so, and all of it goes once") {
  harness::world_options options;
  options.settings.delivery.batches_in_hand = 1;
  backfill_world w(600, options);
  w.target().take(100ms);
  while (w.delivered() < 200) {
    if (!w.deliver_next())
      w.wait_for_due(w.clock().steady() + 1s);
  }
  REQUIRE(w.target().calls().size() == 200);
  REQUIRE(w.cursor().backfill_until);

  REQUIRE(w.abort().answered());
  w.advance(1min);
  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.target().calls().size() <= 200 + 16);
  CHECK(w.delivered() == static_cast<std::int64_t>(w.target().calls().size()));

  REQUIRE(w.start().answered());
  w.advance(1min);
  CHECK(w.target().count("POST") == 600);
  CHECK(w.delivered() == 600);
  CHECK_FALSE(w.cursor().backfill_until);
}

TEST_CASE("an abort and a new start at any message of a backfill lose nothing and send nothing twice") {
  auto deliveries = GENERATE(range(0, 300, 15));
  CAPTURE(deliveries);
  harness::world_options options;
  options.settings.delivery.scan_batch_size = 10;
  options.settings.delivery.batches_in_hand = 2;
  backfill_world w(100, options);
  for (int i = 0; i < deliveries; ++i)
    w.deliver_next();

  auto aborted = w.ask<core::delivery_cursor>(w.dispatcher(), m::abort_backfill{w.rule_id(), "ada"});
  w.settle();
  CHECK((aborted.answered() || w.target().count("POST") == 100)); // refused: it was through
  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.delivered() == static_cast<std::int64_t>(w.target().calls().size()));

  REQUIRE(w.start().answered());
  w.advance(1min);
  CHECK(w.delivered() == 100);
  CHECK(w.target().calls().size() == 100);
  CHECK_FALSE(w.cursor().backfill_until);
}

TEST_CASE("a backfill that resends updates what the target already has") {
  backfill_world w(30);
  w.settle();
  REQUIRE(w.delivered() == 30);

  REQUIRE(w.start(true).answered());
  w.settle();

  CHECK(w.target().count("POST") == 30);
  CHECK(w.target().count("PATCH") == 30);
  CHECK(w.delivered() == 30);
}

TEST_CASE("a start that may not be, and an abort of nothing, are refused and say why") {
  backfill_world w(30);
  w.target().take(10s);
  w.settle();
  CHECK(w.start().failed()); // the first activation's is in progress
  w.advance(5min);
  REQUIRE_FALSE(w.cursor().backfill_until);

  auto nothing = w.abort();
  REQUIRE(nothing.failed());
  CHECK_THAT(nothing.error().context().get_as<std::string>(0), Contains("no backfill in progress"));
  w.put_record("late");
  w.advance(1min);
  w.delete_record("late");
  CHECK_FALSE(w.cursor().backfill_until);
}

TEST_CASE("a retry that falls due during a backfill does not wait for its end") {
  backfill_world w(6000);
  w.target().next(harness::answer(422), 1);
  w.target().take(500ms);
  w.advance(2s);
  std::string failed;
  for (int i = 1; i <= 30 && failed.empty(); ++i) {
    auto id = "old-" + std::to_string(i);
    if (w.status(id) == "failed")
      failed = id;
  }
  REQUIRE_FALSE(failed.empty());
  w.advance(4min);
  REQUIRE(w.cursor().backfill_until);

  CHECK(w.status(failed) == "delivered");
}
