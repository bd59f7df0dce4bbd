#include "storage/node_state.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace sluice;
using namespace std::chrono_literals;
using tests::catch_world;
namespace m = messages;

TEST_CASE("a mirror commit starts its rule's chain in the same moment") {
  catch_world w;
  w.add_rule();
  w.settle();
  w.advance(1min);
  auto committed_at = w.now();

  w.put_record("c-1");
  w.settle_before<m::consume_markers>();
  w.expect<m::consume_markers>().from(w.dispatcher()).to(w.recorder());
  w.settle_before<m::start_chain>();
  w.expect<m::start_chain>().from(w.dispatcher()).to(w.rule());
  w.settle();

  CHECK(w.status("c-1") == "delivered");
  CHECK(w.now() == committed_at);
}

TEST_CASE("without a hint the tick finds what changed") {
  catch_world w({.hints = false});
  w.add_rule();
  w.advance(5s);
  w.put_record("c-1");

  w.advance(w.settings().delivery.dispatch_interval);

  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("an idle rule is swept once in a sweep interval, and nothing is written") {
  catch_world w;
  w.add_rule();
  w.put_records(3);
  w.settle();
  auto cursor = w.cursor();
  auto runs = w.runs().size();

  w.advance(w.settings().delivery.sweep_interval - 1s);
  auto lines = w.last_messages().lines();
  CHECK(std::ranges::none_of(lines, [](const auto& line) { return line.text == "start_chain()"; }));
  w.advance(2s);
  w.settle();

  CHECK(w.runs().size() == runs);
  CHECK(w.cursor() == cursor);
  CHECK(w.target().calls().size() == 3);
}

TEST_CASE("a change wakes only the rules of its source and domain") {
  catch_world w;
  w.add_rule("customers");
  w.add_rule("orders", {.domain = "orders"});
  w.settle();

  w.put_record("c-1");
  w.settle();

  CHECK(w.runs("customers").size() == 1);
  CHECK(w.runs("orders").empty());
}

TEST_CASE("a rule actor that died starts again only when none of its calls is out") {
  catch_world w;
  w.add_rule();
  w.put_records(2);
  w.target().take(10s);
  w.settle();
  REQUIRE(w.target().count("POST") == 2);
  auto first = w.rule();

  w.kill(first);
  w.advance(9s);
  CHECK(w.rule() == first);
  CHECK(w.target().calls().size() == 2);

  w.advance(1min);
  CHECK(w.rule() != first);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.status("c-2") == "delivered");
  CHECK(w.target().objects().size() == 2);
  CHECK(w.runs().back().ending == core::run_ending::abandoned);
}

TEST_CASE("a rule that is switched off delivers no more, and goes on where it was when it is on again") {
  catch_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();

  w.change_rule("customers", {.active = false});
  w.put_record("c-2");
  w.advance(15min);
  CHECK(w.status("c-2") == "none");

  w.change_rule("customers", {});
  w.settle();
  CHECK(w.status("c-2") == "delivered");
  CHECK(w.target().calls().size() == 2);
}

TEST_CASE("a connection that is inactive closes its routes until it is active again") {
  catch_world w;
  w.add_rule();
  w.settle();
  w.set_connection_status("crm", core::connection_status::inactive);
  w.put_record("c-1");
  w.advance(15min);
  CHECK(w.target().calls().empty());

  w.set_connection_status("crm", core::connection_status::active);
  w.settle();

  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("every tick leaves a heartbeat") {
  catch_world w;
  w.advance(1min);

  auto beat = w.must(storage::read_heartbeat(w.db(), "dispatcher"));

  REQUIRE(beat);
  CHECK(w.now() - *beat <= w.settings().delivery.dispatch_interval);
}

TEST_CASE("who awaits idleness is answered when nothing runs, is ready or due") {
  catch_world w;
  w.add_rule();
  w.put_record("c-1");
  w.target().take(3s);
  w.settle();

  auto idle = w.ask<void>(w.dispatcher(), m::await_idle{});
  w.advance(2s);
  CHECK_FALSE(idle.answered());
  w.advance(1s);
  CHECK(idle.answered());
}

TEST_CASE("a shutdown lets calls in flight finish, records them and starts no others") {
  catch_world w;
  w.add_rule();
  w.put_records(20);
  w.target().take(2s);
  w.settle();
  auto in_flight = static_cast<std::size_t>(w.settings().calls.max_in_flight);
  REQUIRE(w.target().calls().size() == in_flight);

  auto ended = w.ask<void>(w.dispatcher(), m::shut_down{});
  w.settle();
  CHECK_FALSE(ended.answered());
  w.advance(2s);

  CHECK(ended.answered());
  CHECK(w.target().calls().size() == in_flight);
  CHECK(w.count_rows(core::delivery_status::delivered) == static_cast<std::int64_t>(in_flight));
  CHECK(w.runs().front().ending == core::run_ending::stopped);
  CHECK(w.intents().empty());
}

TEST_CASE("a shutdown does not wait for retries that are due later") {
  catch_world w;
  w.add_rule();
  w.target().next(harness::answer(422));
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.row("c-1")->next_attempt_at);

  auto ended = w.ask<void>(w.dispatcher(), m::shut_down{});
  w.settle();

  CHECK(ended.answered());
}
