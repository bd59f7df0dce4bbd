#include "tests/actors/push_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using tests::bodies_of;
using tests::push_world;
namespace m = messages;

TEST_CASE("of one key one delivery is out at a time, and later ones wait for the earlier") {
  push_world w;
  const auto ordered = w.subscribe("ordered", {.ordered_by = "/account"});
  w.hook().next(harness::answer(503));
  const auto first = w.publish(R"({"account":"a","n":1})");
  w.settle();
  const auto second = w.publish(R"({"account":"a","n":2})");
  const auto other = w.publish(R"({"account":"b","n":3})");
  w.settle();
  CHECK(w.state(ordered, first) == "retrying");
  CHECK(w.state(ordered, second) == "pending");
  CHECK(w.state(ordered, other) == "delivered");
  w.advance(2min);
  CHECK(w.state(ordered, second) == "delivered");
  CHECK(bodies_of(w.hook().calls())
        == R"({"account":"a","n":1} {"account":"b","n":3} {"account":"a","n":1} {"account":"a","n":2})");
}

TEST_CASE("a dead delivery frees its key") {
  push_world w;
  const auto ordered = w.subscribe("ordered", {.ordered_by = "/account"});
  w.hook().next(harness::answer(400));
  const auto first = w.publish(R"({"account":"a"})");
  const auto second = w.publish(R"({"account":"a"})");
  w.settle();
  CHECK(w.state(ordered, first) == "dead");
  CHECK(w.state(ordered, second) == "delivered");
}

TEST_CASE("what the filter leaves out is recorded and never sent") {
  push_world w;
  const auto gold = w.subscribe("gold", {.filter = R"({"field":"/plan","equals":"gold"})"});
  const auto orders = w.subscribe("orders", {.types = {"orders.*"}});
  const auto lead = w.publish(R"({"plan":"lead"})");
  const auto wanted = w.publish(R"({"plan":"gold"})", "customers.created");
  w.settle();
  CHECK(w.state(gold, lead) == "skipped_filter");
  CHECK(w.state(gold, wanted) == "delivered");
  CHECK(w.state(orders, lead) == "delivered");
  CHECK(w.state(orders, wanted) == "skipped_filter");
  CHECK(w.hook().calls().size() == 2);
}

TEST_CASE("a record's change is pushed as an event") {
  push_world w;
  w.add_source("shop");
  w.subscribe("all", {.types = {"customers.*"}});
  w.put_payload("c-1", R"({"id":"c-1","balance":1.0})");
  w.settle();
  w.put_payload("c-1", R"({"id":"c-1","balance":2.50})");
  w.settle();
  w.delete_record("c-1");
  w.settle();
  REQUIRE(w.hook().calls().size() == 3);
  const auto& calls = w.hook().calls();
  CHECK(calls[0].body.find(R"("type":"customers.created")") != std::string::npos);
  CHECK(calls[0].body.find(R"("record":{"id":"c-1","balance":1.0})") != std::string::npos);
  CHECK(calls[1].body.find(R"("type":"customers.updated")") != std::string::npos);
  CHECK(calls[1].body.find(R"("balance":2.50)") != std::string::npos);
  CHECK(calls[2].body.find(R"("type":"customers.deleted")") != std::string::npos);
  for (const auto& call : calls)
    CHECK(tests::verifies(call));
}

TEST_CASE("an operator's retry begins a new round and goes on counting attempts") {
  push_world w;
  const auto all = w.subscribe();
  w.hook().next(harness::answer(400));
  const auto event = w.publish();
  w.settle();
  REQUIRE(w.state(all, event) == "dead");
  auto restarted = w.ask<core::event_delivery>(
      w.push_dispatcher(),
      m::restart_delivery{{all, w.delivery(all, event).position, core::operator_request::retry, "ada"}});
  w.settle();
  CHECK(restarted.value().progress.state == core::delivery_state::pending);
  CHECK(w.state(all, event) == "delivered");
  CHECK(w.endings(all, event) == "1 permanent, 2 acknowledged");
}
