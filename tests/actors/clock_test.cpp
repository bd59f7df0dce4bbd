#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::catch_world;

TEST_CASE("a clock that is set while calls are out faults no run and sends nothing twice") {
  auto by = GENERATE(as<core::duration>{}, -3h, 3h);
  CAPTURE(by.count());
  catch_world w;
  w.add_rule();
  w.target().take(20s);
  w.put_records(30);
  w.advance(25s);
  REQUIRE(w.target().calls().size() == 16);

  w.jump_wall_clock(by);
  w.advance(10min);

  CHECK(w.count_rows(core::delivery_status::delivered) == 30);
  CHECK(w.target().calls().size() == 30);
  CHECK(w.runs().size() == 1);
  CHECK(w.runs().front().ending == core::run_ending::completed);
}

TEST_CASE("a rule that rests for its budget goes on within two minutes though the clock is set back") {
  catch_world w;
  w.add_target("crm", {.requests_per_minute = 10});
  w.add_rule();
  w.put_records(15);
  w.advance(1s);
  REQUIRE(w.target().calls().size() == 10);

  w.jump_wall_clock(-3h);
  w.advance(50s);
  CHECK(w.target().calls().size() == 10);
  w.advance(70s + 1s);
  CHECK(w.count_rows(core::delivery_status::delivered) == 15);
}

TEST_CASE("a node goes on looking and sweeping though the clock is set back") {
  catch_world w({.hints = false});
  w.add_rule();
  w.put_record("c-1");
  w.advance(1min);
  REQUIRE(w.status("c-1") == "delivered");

  w.jump_wall_clock(-3h);
  w.put_record("c-2");
  w.advance(w.settings().delivery.dispatch_interval);
  CHECK(w.status("c-2") == "delivered");
}

TEST_CASE("a 429 blocks for its time and no longer though the clock is set back") {
  catch_world w;
  w.add_rule();
  w.target().next(harness::rate_limit("30"));
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.target().calls().size() == 1);

  w.jump_wall_clock(-3h);
  w.advance(29s);
  CHECK(w.target().calls().size() == 1);
  w.advance(31s);
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("a retry is due when the clock says so, wherever it was set, and costs one attempt") {
  auto by = GENERATE(as<core::duration>{}, -1h, 1h);
  CAPTURE(by.count());
  catch_world w;
  w.add_rule();
  w.target().next(harness::answer(422));
  w.put_record("c-1");
  w.settle();
  auto due = w.row("c-1")->next_attempt_at;
  REQUIRE(due);

  w.jump_wall_clock(by);
  w.advance(2s);
  CHECK(w.target().calls().size() == (w.now() < *due ? 1U : 2U));
  w.advance(2h);

  CHECK(w.status("c-1") == "delivered");
  CHECK(w.target().calls().size() == 2);
  CHECK(w.target().calls().back().at >= *due);
}

TEST_CASE("changes keep their order though the clock is set back between them") {
  catch_world w;
  w.add_rule();
  for (int i = 1; i <= 6; ++i) {
    w.put_record("c-1", "-" + std::to_string(i));
    w.put_record("c-" + std::to_string(i + 1));
    w.advance(1s);
    w.jump_wall_clock(-1h);
  }
  w.advance(1min);

  CHECK(w.count_rows(core::delivery_status::delivered) == 7);
  CHECK_THAT(w.target().object_of("c-1")->body, Contains("c-1-6"));
  CHECK(w.row("c-1")->delivered_content_changed_at == w.row("c-1")->seen_content_changed_at);
}

TEST_CASE("withdrawals made before the clock was set back still count for the volume breaker") {
  catch_world w;
  w.add_rule();
  w.put_records(300);
  w.advance(1h);
  w.delete_records(20);
  w.settle();
  REQUIRE(w.target().count("DELETE") == 20);

  w.jump_wall_clock(-30min);
  for (int i = 21; i <= 40; ++i)
    w.delete_record("c-" + std::to_string(i));
  w.settle();

  CHECK(w.target().count("DELETE") <= 30);
  CHECK(w.count_rows(core::delivery_status::held) > 0);
}

TEST_CASE("a backfill goes to its end though the clock is set while it runs") {
  auto by = GENERATE(as<core::duration>{}, -3h, -30min, 3h);
  CAPTURE(by.count());
  catch_world w;
  w.add_source();
  w.put_records(400, "old-");
  w.advance(1h);
  w.add_rule();
  w.target().take(500ms);
  w.advance(3s);
  REQUIRE(w.cursor().backfill_until);

  w.jump_wall_clock(by);
  w.put_record("fresh");
  w.advance(5s);
  auto older_than_all = by <= -1h; // then the fresh one's delta reads what the backfill was for
  CHECK((older_than_all || w.status("fresh") == "delivered"));
  w.advance(5min);

  CHECK_FALSE(w.cursor().backfill_until);
  CHECK(w.count_rows(core::delivery_status::delivered) == 401);
  CHECK(w.target().count("POST") == 401);
}
