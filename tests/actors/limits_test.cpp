#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using tests::catch_world;
namespace m = messages;

TEST_CASE("a budget of ten a minute is never exceeded in any sixty seconds") {
  catch_world w;
  w.add_target("crm", {.requests_per_minute = 10});
  w.add_rule();
  w.target().take(700ms);
  w.put_records(45);

  w.advance(10min);

  CHECK(w.target().objects().size() == 45);
  CHECK(w.target().most_calls_within(60s) <= 10);
  CHECK(w.count_rows(core::delivery_status::delivered) == 45);
}

TEST_CASE("two rules into one connection share its budget") {
  catch_world w;
  w.add_target("crm", {.requests_per_minute = 10});
  w.add_rule("customers");
  w.add_rule("orders", {.domain = "orders"});
  w.put_records(15);
  w.put_records(15, "o-", {.domain = "orders"});

  w.advance(10min);

  CHECK(w.target().objects().size() == 30);
  CHECK(w.target().most_calls_within(60s) <= 10);
}

TEST_CASE("a crash does not let the budget be spent twice") {
  catch_world w;
  w.add_target("crm", {.requests_per_minute = 10});
  w.add_rule();
  w.put_records(30);
  w.settle();
  REQUIRE(w.target().calls().size() == 10);

  w.advance(20s);
  w.crash_and_restart();
  w.advance(10min);

  CHECK(w.target().most_calls_within(60s) <= 10);
  CHECK(w.target().objects().size() == 30);
}

TEST_CASE("a 429 blocks the connection for as long as it says and books nothing") {
  catch_world w;
  w.add_rule("customers");
  w.add_rule("orders", {.domain = "orders"});
  w.target().next(harness::rate_limit("30"));
  w.put_record("c-1");
  w.settle();
  CHECK(w.status("c-1") == "none");

  w.put_record("o-1", {}, {.domain = "orders"});
  w.advance(30s - 1us);
  CHECK(w.target().calls().size() == 1);

  w.advance(1s);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.status("o-1", "orders") == "delivered");
  CHECK(w.row("c-1")->attempts == 0);
}

TEST_CASE("a 429 holds back whatever was granted and has not started, of every rule of the connection") {
  catch_world w;
  w.add_rule("customers");
  w.add_rule("orders", {.domain = "orders"});
  w.target().take(1s);
  w.target().next(harness::rate_limit("30").after(100ms));
  w.put_records(50);
  w.put_records(50, "o-", {.domain = "orders"});
  w.settle();
  auto started = w.target().calls().size();

  w.advance(30s);
  auto meanwhile = w.target().calls().size() - started;
  CHECK(meanwhile <= 1); // what the transport starts in the moment of the answer

  w.advance(5min);
  CHECK(w.target().objects().size() == 100);
  CHECK(w.row("c-1")->attempts == 0);
}

TEST_CASE("a 429 that asks for more than a run may wait ends the run as throttled") {
  catch_world w;
  w.add_rule();
  w.target().next(harness::rate_limit("600"));
  w.put_record("c-1");

  w.settle();
  REQUIRE(w.runs().size() == 1);
  CHECK(w.runs().front().ending == core::run_ending::throttled);
  CHECK(w.intents().empty());

  w.advance(600s - 1us);
  CHECK(w.target().calls().size() == 1);
  w.advance(2s);
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("no more calls are out at once than the rule may have") {
  catch_world w;
  w.add_rule();
  w.target().take(1s);
  w.put_records(50);
  w.settle();

  CHECK(w.target().calls().size() == static_cast<std::size_t>(w.settings().calls.max_in_flight));
  w.advance(1min);
  CHECK(w.target().objects().size() == 50);
}

TEST_CASE("a call that never ends times out, and an update is tried again") {
  catch_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();
  w.target().next(harness::hang());
  w.put_record("c-1", "-new");

  w.advance(w.settings().calls.call_timeout);
  CHECK(w.status("c-1") == "failed");
  w.advance(67s);

  CHECK(w.status("c-1") == "delivered");
}
