#include "tests/sim/checker_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using core::operation;
using world = tests::checker_world;

TEST_CASE("a create, an update and a withdrawal in order break nothing") {
  world w;
  w.creates("r-1");
  w.pass(1s);
  w.checker.source_wrote("c-1", {2, true, true, true, {}});
  auto update = w.call(operation::update, 2, 200);
  update.done = true;
  w.checker.called(update, w.now());
  w.pass(1s);
  w.checker.source_wrote("c-1", {3, false, true, true, {}});
  auto removal = w.call(operation::remove, 0, 204);
  removal.done = true;
  w.checker.called(removal, w.now());
  CHECK(w.broken() == 0);
}

TEST_CASE("a second object of a record breaks property 2") {
  world w;
  w.creates("r-1");
  w.pass(1s);
  w.checker.source_wrote("c-1", {2, true, true, true, {}});
  w.creates("r-2", 2);
  CHECK(w.broken() == 2);
}

TEST_CASE("an older version over a newer one breaks property 6") {
  world w;
  w.checker.source_wrote("c-1", {2, true, true, true, {}});
  auto made = w.call(operation::create, 2, 201);
  made.object = "r-1";
  made.done = made.names_object = true;
  w.checker.called(made, w.now());
  w.pass(1s);
  auto stale = w.call(operation::update, 1, 200);
  stale.done = true;
  w.checker.called(stale, w.now());
  CHECK(w.broken() == 6);
}

TEST_CASE("a withdrawal of what its source never deleted breaks property 7") {
  world w;
  w.creates("r-1");
  w.pass(1s);
  w.checker.called(w.call(operation::remove, 0, 204), w.now());
  CHECK(w.broken() == 7);
}

TEST_CASE("a tombstone counts once: a record that came back is not withdrawn by the old one") {
  world w;
  w.checker.source_wrote("c-1", {2, false, true, true, {}});
  w.checker.source_wrote("c-1", {3, true, true, true, {}});
  auto made = w.call(operation::create, 3, 201);
  made.object = "r-1";
  made.done = made.names_object = true;
  w.checker.called(made, w.now());
  w.pass(1s);
  w.checker.called(w.call(operation::remove, 0, 204), w.now());
  CHECK(w.broken() == 7);
}

TEST_CASE("a request over the budget, or in a 429's time, breaks property 9") {
  world w;
  SECTION("four in 60 s where three are allowed") {
    for (int i = 0; i < 4; ++i) {
      w.checker.request_arrived(0, w.now());
      w.pass(20s);
    }
    CHECK(w.broken() == 9);
  }
  SECTION("four in more than 60 s") {
    for (int i = 0; i < 4; ++i) {
      w.checker.request_arrived(0, w.now());
      w.pass(21s);
    }
    CHECK(w.broken() == 0);
  }
  SECTION("within the time a 429 named") {
    w.checker.rate_limited(0, 30s, 1s, w.now());
    w.pass(30s);
    w.checker.request_arrived(0, w.now());
    CHECK(w.broken() == 9);
  }
  SECTION("after it") {
    w.checker.rate_limited(0, 30s, 1s, w.now());
    w.pass(31s);
    w.checker.request_arrived(0, w.now());
    CHECK(w.broken() == 0);
  }
}

TEST_CASE("a retry before its time, or after the last attempt, breaks property 10") {
  world w;
  w.creates("r-1");
  w.checker.source_wrote("c-1", {2, true, true, true, {}});
  auto update = w.call(operation::update, 2, 503);
  w.pass(1s);
  w.checker.called(update, w.now());
  SECTION("early") {
    w.pass(20s - 1us);
    w.checker.called(update, w.now());
    CHECK(w.broken() == 10);
  }
  SECTION("once more than the schedule has waits") {
    w.pass(20s);
    w.checker.called(update, w.now());
    w.pass(1min);
    w.checker.called(update, w.now());
    CHECK(w.broken() == 0);
    w.pass(24h);
    w.checker.called(update, w.now());
    CHECK(w.broken() == 10);
  }
  SECTION("a 429 costs nothing") {
    w.pass(20s);
    w.checker.called(w.call(operation::update, 2, 429), w.now());
    w.pass(1s);
    w.checker.called(update, w.now());
    CHECK(w.broken() == 0);
  }
}

TEST_CASE(
    "an unknown create that is sent again breaks property 14, one that was looked up late enough does not") {
  world w;
  w.checker.called(w.call(operation::create, 1, 500), w.now());
  auto lookup = w.call(operation::lookup, 0, 200);
  lookup.object.clear();
  SECTION("at once") {
    w.pass(1s);
    w.creates("r-1");
    CHECK(w.broken() == 14);
  }
  SECTION("after a look that came too early") {
    w.pass(59s);
    w.checker.called(lookup, w.now());
    w.pass(1s);
    w.creates("r-1");
    CHECK(w.broken() == 14);
  }
  SECTION("after a look that found several") {
    w.pass(60s);
    lookup.names_object = lookup.names_more = true;
    w.checker.called(lookup, w.now());
    w.pass(1s);
    w.creates("r-1");
    CHECK(w.broken() == 14);
  }
  SECTION("after a look that found nothing in time") {
    w.pass(60s);
    w.checker.called(lookup, w.now());
    w.pass(1s);
    w.creates("r-1");
    CHECK(w.broken() == 0);
  }
}

TEST_CASE("more calls or messages than there may be break property 15") {
  world w;
  w.checker.calls_out({1}, 100);
  w.checker.messages_wait(100);
  CHECK(w.broken() == 0);
  w.checker.calls_out({1}, 101);
  CHECK(w.broken() == 15);
}

TEST_CASE("what the ledger says is compared with what the target holds") {
  world w;
  w.creates("r-1");
  w.pass(1s);
  sim::observation seen;
  seen.rule = {1};
  core::candidate record;
  record.record.id = {1};
  record.record.source_id = "c-1";
  record.record.content_changed_at = core::timestamp{1s};
  SECTION("nothing is known of a live record") {
    seen.records = {record};
    w.checker.ended(seen, {});
    CHECK(w.broken() == 1);
  }
  record.row.emplace();
  record.row->source_id = "c-1";
  record.row->status = core::delivery_status::delivered;
  record.row->target = core::target_state::active;
  record.row->remote_id = "r-1";
  record.row->seen_content_changed_at = core::timestamp{1s};
  seen.records = {record};
  SECTION("it holds it") {
    w.checker.ended(seen, {{"r-1", "c-1", 1, true}});
    CHECK(w.broken() == 0);
  }
  SECTION("it holds nothing") {
    w.checker.ended(seen, {});
    CHECK(w.broken() == 3);
  }
  SECTION("it holds an older version") {
    w.checker.source_wrote("c-1", {2, true, true, true, {}});
    w.checker.ended(seen, {{"r-1", "c-1", 1, true}});
    CHECK(w.broken() == 3);
  }
}

TEST_CASE("a cursor that passes what nobody decided, or moves back, breaks property 4") {
  world w;
  sim::observation seen;
  seen.rule = {1};
  seen.cursor.delta.changed_at = core::timestamp{10s};
  core::candidate record;
  record.record.source_id = "c-1";
  record.record.content_changed_at = core::timestamp{10s};
  seen.records = {record};
  w.checker.observed(seen, w.now());
  CHECK(w.broken() == 0);
  SECTION("passes") {
    seen.cursor.delta.changed_at = core::timestamp{11s};
    w.checker.observed(seen, w.now());
    CHECK(w.broken() == 4);
  }
  SECTION("moves back") {
    seen.cursor.delta.changed_at = core::timestamp{9s};
    w.checker.observed(seen, w.now());
    CHECK(w.broken() == 4);
  }
}

TEST_CASE("a backfill that ends without a record inside its bound breaks property 5") {
  world w;
  sim::observation seen;
  seen.rule = {1};
  seen.cursor.activated_at = core::timestamp{20s};
  seen.cursor.backfill_until = core::timestamp{20s};
  core::candidate record;
  record.record.source_id = "c-1";
  record.record.content_changed_at = core::timestamp{10s};
  seen.records = {record};
  w.checker.observed(seen, w.now());
  seen.cursor.backfill_until.reset();
  w.checker.observed(seen, w.now());
  CHECK(w.broken() == 5);
}
