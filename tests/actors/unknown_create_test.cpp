#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using tests::catch_world;

namespace {

void with_target(catch_world& w, harness::target_options options) {
  w.add_target("crm", options);
  w.add_rule();
}

} // namespace

TEST_CASE("a lost reply is settled by sending the same bytes under the same key") {
  catch_world w;
  with_target(w, {.lookup = false, .idempotency_key = true});
  w.target().next(harness::lose_the_reply());
  w.put_record("c-1");

  w.advance(10s);

  REQUIRE(w.target().calls().size() == 2);
  CHECK(w.target().calls()[0].key == w.target().calls()[1].key);
  CHECK_FALSE(w.target().calls()[0].key.empty());
  CHECK(w.target().calls()[0].body == w.target().calls()[1].body);
  CHECK(w.target().objects().size() == 1);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.intents().empty());
}

TEST_CASE("a record that changed after a lost reply is repeated in its old bytes, then updated") {
  catch_world w;
  with_target(w, {.lookup = false, .idempotency_key = true});
  w.target().next(harness::lose_the_reply().after(1s));
  w.put_record("c-1");
  w.settle();
  w.put_record("c-1", "-new");

  w.advance(1min);

  REQUIRE(w.target().calls().size() == 3);
  CHECK(w.target().calls()[0].body == w.target().calls()[1].body);
  CHECK(w.target().calls()[2].method == "PATCH");
  CHECK_THAT(w.target().object_of("c-1")->body, Catch::Matchers::Contains("c-1-new"));
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("a lost reply is settled by a lookup that finds the object, and nothing is created twice") {
  catch_world w;
  with_target(w, {.lookup = true, .idempotency_key = false});
  w.target().next(harness::lose_the_reply());
  w.put_record("c-1");

  w.advance(10s);

  CHECK(w.target().count("POST") == 1);
  CHECK(w.target().count("GET") == 1);
  CHECK(w.target().objects().size() == 1);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.row("c-1")->remote_id == w.target().object_of("c-1")->id);
}

TEST_CASE("a lookup that finds nothing counts only after settle_after, then the create is sent again") {
  catch_world w;
  with_target(w, {.lookup = true, .idempotency_key = false});
  w.target().next(harness::cut_the_call());
  w.put_record("c-1");

  w.advance(w.settings().delivery.settle_after - 1s);
  CHECK(w.status("c-1") == "ambiguous");
  CHECK(w.target().count("POST") == 1);

  w.advance(10s);
  CHECK(w.target().count("POST") == 2);
  CHECK(w.target().objects().size() == 1);
  CHECK(w.status("c-1") == "delivered");
  for (const auto& run : w.runs())
    CHECK(run.counts.failed == 0);
}

TEST_CASE("a lookup that failed is no look: what was sent has its time to arrive after it") {
  harness::world_options options;
  options.settings.delivery.retry_schedule = {20s};
  catch_world w(options);
  with_target(w, {.lookup = true, .idempotency_key = false});
  w.target().next(harness::work_on(45s));
  w.put_record("c-1");
  w.settle();
  w.target().next(harness::answer(503));

  w.advance(30s + 59s);
  CHECK(w.target().count("POST") == 1);
  CHECK(w.target().count("GET") == 1);

  w.advance(10min);
  CHECK(w.target().count("POST") == 1);
  CHECK(w.target().objects().size() == 1);
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("a lookup with several matches leaves the record to a person") {
  catch_world w;
  with_target(w, {.lookup = true, .idempotency_key = false});
  w.target().hold("c-1");
  w.target().next(harness::lose_the_reply());
  w.put_record("c-1");

  w.advance(24h);

  CHECK(w.status("c-1") == "ambiguous");
  CHECK(w.target().count("POST") == 1);
  CHECK(w.target().objects().size() == 2);
}

TEST_CASE("without key and lookup a lost reply is ambiguous, and nothing is sent again") {
  catch_world w;
  with_target(w, {.lookup = false, .idempotency_key = false});
  w.target().next(harness::lose_the_reply());
  w.put_record("c-1");
  w.settle();
  CHECK(w.status("c-1") == "ambiguous");

  w.put_record("c-1", "-new");
  w.advance(24h);

  CHECK(w.status("c-1") == "ambiguous");
  CHECK(w.target().calls().size() == 1);
  CHECK(w.intents().size() == 1);
}

TEST_CASE("a timeout and a 502 of a create are unknown outcomes, a 503 is not") {
  catch_world w;
  with_target(w, {.lookup = false, .idempotency_key = false});
  w.target().next(harness::serve_and_hang());
  w.target().next(harness::answer(502));
  w.target().next(harness::answer(503));
  w.put_records(3);

  w.advance(w.settings().calls.call_timeout);

  CHECK(w.status("c-1") == "ambiguous");
  CHECK(w.status("c-2") == "ambiguous");
  CHECK(w.status("c-3") == "failed");
}

TEST_CASE("an accepting answer without an id is an unknown outcome") {
  catch_world w;
  with_target(w, {.lookup = true, .idempotency_key = false});
  auto there = w.target().hold("c-1");
  w.target().next(harness::answer(200, "thank you"));
  w.put_record("c-1");

  w.advance(10s);

  CHECK(w.status("c-1") == "delivered");
  CHECK(w.row("c-1")->remote_id == there);
}

TEST_CASE(
    "a target that stays silent while it is asked keeps the record ambiguous and is asked again later") {
  catch_world w;
  with_target(w, {.lookup = true, .idempotency_key = false});
  w.target().next(harness::lose_the_reply());
  w.target().on("GET", harness::answer(503));
  w.put_record("c-1");
  w.advance(10min);
  CHECK(w.status("c-1") == "ambiguous");

  w.target().behave();
  w.advance(3h);

  CHECK(w.status("c-1") == "delivered");
  CHECK(w.target().objects().size() == 1);
}

TEST_CASE("a record that was deleted while its create was unknown is withdrawn once that is settled") {
  catch_world w;
  with_target(w, {.lookup = true, .idempotency_key = false});
  w.target().next(harness::lose_the_reply().after(1s));
  w.put_record("c-1");
  w.settle();
  w.delete_record("c-1");

  w.advance(1min);

  CHECK(w.status("c-1") == "withdrawn");
  CHECK(w.target().objects().empty());
}
