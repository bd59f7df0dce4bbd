#include "actors/overview.hpp"
#include "actors/planner.hpp"
#include "actors/reader.hpp"
#include "actors/reply.hpp"
#include "tests/actors/consent_world.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <optional>
#include <string>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;
using core::plan_phase;
using tests::catch_world;

namespace {

/// A planner beside a node that works until it is told to rest: what comes then is planned, not delivered.
struct planner_world : catch_world {
  explicit planner_world(const harness::world_options& options = {}, bool has_rule = true)
      : catch_world(options) {
    if (!has_rule)
      return;
    add_rule();
    settle();
    advance(1min);
  }

  void rest() {
    crash();
    auto overview = spawn("overview", actors::overview, of_session());
    planner = spawn("planner", actors::planner,
                    actors::planner_resources{overview, spawn("plan reader", actors::reader, of_session()),
                                              &clock(), &settings()});
  }

  actors::reader_resources of_session() {
    return {std::make_shared<storage::session>(open_session(storage::access::read)), keys(), &clock()};
  }

  template <class Message>
  core::delivery_plan told(Message message) {
    auto asked = ask<core::delivery_plan>(planner, message);
    settle();
    return asked.value();
  }

  /// What delivering the rule now would do.
  core::delivery_plan plan(std::string_view rule = "customers") {
    told(m::start_plan{rule_id(rule)});
    return told(m::read_plan{rule_id(rule)});
  }

  template <class Message>
  std::string refusal_of(Message message) {
    auto asked = ask<core::delivery_plan>(planner, message);
    settle();
    return actors::describe(asked.error());
  }

  m::planner planner;
};

} // namespace

TEST_CASE("a plan counts each record once, for what the chain would do with it, and changes nothing") {
  planner_world w;
  w.put_records(30);
  w.settle();
  w.rest();
  w.put_record("c-1", "-new");
  w.put_record("c-31");
  w.put_payload("c-32", R"({"name":"without an address"})");
  w.delete_record("c-2");

  const auto plan = w.plan();

  CHECK(plan.phase == plan_phase::done);
  CHECK(plan.ended_at);
  core::plan_counts expected;
  expected.creates = 1;
  expected.updates = 1;
  expected.withdrawals = 1;
  expected.refused = 1;
  expected.suppressed = plan.counts.suppressed; // of the overlap
  CHECK(plan.counts == expected);
  CHECK(w.status("c-31") == "none");
  CHECK(w.target().count("POST") == 30);
  CHECK(w.target().count("PATCH") == 0);
}

TEST_CASE("what waits for a retry and lies in the delta's overlap too is planned once") {
  planner_world w;
  w.target().on("POST", harness::answer(503));
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.status("c-1") == "failed");
  w.rest();
  w.advance(1h);

  CHECK(w.plan().counts.creates == 1);
}

TEST_CASE("a plan counts the backfill in progress, and what changed meanwhile with the delta alone") {
  harness::world_options options;
  options.settings.delivery.scan_batch_size = 10;
  planner_world w(options, false);
  w.add_source();
  w.put_records(35);
  w.advance(1h);
  w.add_rule();
  w.rest();
  w.put_record("c-1", "-new");

  const auto plan = w.plan();

  CHECK(plan.phase == plan_phase::done);
  CHECK(plan.counts.creates == 35);
}

TEST_CASE("a plan says that the volume breaker would hold, and with what finding") {
  planner_world w;
  w.put_records(100);
  w.settle();
  w.rest();
  w.delete_records(40);

  const auto plan = w.plan();

  REQUIRE(plan.trips);
  CHECK(plan.trips->pending == 40);
  CHECK(plan.counts.withdrawals + plan.counts.held == 40);
  CHECK(plan.counts.held > 0);
}

TEST_CASE("a child whose parent is not in the target is planned as waiting, one whose parent is as created") {
  planner_world w;
  w.add_rule("consents", tests::consent_rule());
  w.settle();
  w.advance(1min);
  w.put_record("c-1");
  w.settle();
  w.rest();
  w.put_payload("k-1", R"({"customer":"c-1"})", tests::consents);
  w.put_payload("k-2", R"({"customer":"c-2"})", tests::consents);

  const auto plan = w.plan("consents");

  CHECK(plan.counts.creates == 1);
  CHECK(plan.counts.awaiting == 1);
}

TEST_CASE("one plan at a time: another rule's is refused while one is counted, the same rule's goes on") {
  planner_world w;
  w.add_rule("orders", {.domain = "orders"});
  w.settle();
  w.rest();
  w.put_records(30);
  auto first = w.ask<core::delivery_plan>(w.planner, m::start_plan{w.rule_id()});
  w.settle_before<m::read_rule_context>();

  auto second = w.ask<core::delivery_plan>(w.planner, m::start_plan{w.rule_id("orders")});
  auto again = w.ask<core::delivery_plan>(w.planner, m::start_plan{w.rule_id()});
  w.settle();

  CHECK(first.value().phase == plan_phase::counting);
  CHECK_THAT(actors::describe(second.error()), Catch::Contains("another rule's plan"));
  CHECK(again.value().began_at == first.value().began_at);
  CHECK(w.told(m::read_plan{w.rule_id()}).counts.creates == 30);
}

TEST_CASE("a plan nobody asks about any more ends within the minute, and so does one that is cancelled") {
  planner_world w;
  w.rest();
  w.put_records(30);
  const auto stopped = [&w](auto&& meanwhile) {
    auto asked = w.ask<core::delivery_plan>(w.planner, m::start_plan{w.rule_id()});
    w.settle_before<m::rule_loaded>();
    meanwhile();
    w.settle();
    return w.told(m::read_plan{w.rule_id()});
  };

  const auto forgotten = stopped([&w] { w.clock().move_to(w.clock().steady() + 61s); });
  CHECK(forgotten.phase == plan_phase::cancelled);
  CHECK_THAT(forgotten.reason, Catch::Contains("nobody asked"));
  CHECK(forgotten.counts.creates == 0);

  const auto cancelled =
      stopped([&w] { CHECK(w.told(m::cancel_plan{w.rule_id()}).phase == plan_phase::cancelled); });
  CHECK_THAT(cancelled.reason, Catch::Contains("a person"));
  CHECK(w.plan().counts.creates == 30);
}

TEST_CASE("a plan whose rule is not there fails with the reason, and one never counted is not found") {
  planner_world w;
  w.rest();
  CHECK_THAT(w.refusal_of(m::read_plan{w.rule_id()}), Catch::Contains("no plan of the rule"));
  CHECK_THAT(w.refusal_of(m::cancel_plan{w.rule_id()}), Catch::Contains("no plan of the rule"));
  w.told(m::start_plan{core::rule_id{4711}});
  const auto plan = w.told(m::read_plan{core::rule_id{4711}});
  CHECK(plan.phase == plan_phase::failed);
  CHECK_FALSE(plan.reason.empty());
}
