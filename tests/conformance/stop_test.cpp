#include "messages/fault.hpp"
#include "tests/conformance/conformance_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::conformance_world;
namespace m = messages;

namespace {

/// A rule with so many records at the target, whose window has passed.
struct delivered_world : conformance_world {
  explicit delivered_world(int count, const harness::world_options& options = {})
      : conformance_world(options) {
    add_rule();
    put_records(count);
    settle();
    advance(2h);
  }

  core::delivery_stop hold() {
    for (const auto& each : live_stops())
      if (each.cause == core::stop_cause::volume_breaker)
        return each;
    FAIL("no hold is live");
    return {};
  }
};

} // namespace

TEST_CASE("Stops: each is a row of a history that keeps who, why, how it ended and by whom") {
  conformance_world w;
  w.add_rule();
  w.settle();
  auto set_at = w.now();
  auto stopped = w.stop(w.rule_scope());
  CHECK(w.live_stops().size() == 1);
  w.advance(1h);
  w.resume(stopped);

  CHECK(w.live_stops().empty());
  REQUIRE(w.stop_history().size() == 1);
  const auto ended = w.stop_history().front();
  CHECK(ended.target == w.rule_scope());
  CHECK(ended.cause == core::stop_cause::manual);
  CHECK(ended.set_by == "ada");
  CHECK(ended.reason == "a look first");
  CHECK(ended.set_at == set_at);
  CHECK(ended.ended_by == "bob");
  CHECK(ended.resolution == core::stop_resolution::resumed);
  CHECK(ended.ended_at == w.now());
}

TEST_CASE("Stops: at most one is live a target and cause, and the database itself says so") {
  delivered_world w(300);
  w.delete_records(100);
  w.settle();
  auto first = w.stop(w.rule_scope());
  CHECK(w.stop(w.rule_scope()).public_id == first.public_id);
  CHECK(w.live_stops().size() == 2); // the hold is of another cause

  CHECK(w.refuses("INSERT INTO delivery_stops (public_id, scope, cause, rule_id, set_at) "
                  "SELECT public_id || '-again', scope, cause, rule_id, set_at FROM delivery_stops "
                  "WHERE ended_at IS NULL"));
}

TEST_CASE("Stops: the end of a manual stop leaves the hold, and a hold lets creates and updates flow") {
  delivered_world w(300);
  w.delete_records(100);
  w.settle();
  auto hold = w.hold();
  auto stopped = w.stop(w.rule_scope());
  w.put_record("fresh");
  w.put_record("c-200", "-new");
  w.settle();
  CHECK(w.status("fresh") == "none");

  w.resume(stopped);

  CHECK(w.hold().public_id == hold.public_id);
  CHECK(w.status("fresh") == "delivered");
  CHECK(w.target().count("PATCH") == 1);
  CHECK(w.target().count("DELETE") == 0);
}

TEST_CASE("Stops: the limit is the greater of floor and share, and what is within it goes at once") {
  harness::world_options options;
  options.settings.volume.floor = 5;
  delivered_world w(101, options);
  w.delete_records(11); // ten per cent of 101, rounded up
  w.settle();
  CHECK(w.count_rows(core::delivery_status::withdrawn) == 11);
  w.advance(2h);

  w.delete_record("c-50");
  for (int i = 51; i <= 59; ++i)
    w.delete_record("c-" + std::to_string(i));
  w.settle();
  CHECK(w.hold().finding == core::hold_finding{10, 90, 9});
  CHECK(w.count_rows(core::delivery_status::withdrawn) == 11);
}

TEST_CASE("Stops: a newer hold ends the release in force, so that discarding it leaves no allowance behind") {
  delivered_world w(300);
  w.delete_records(100);
  w.settle();
  auto released = w.act<core::delivery_stop>(m::release_hold{w.rule_id(), w.hold().public_id, 5, "ada"});
  REQUIRE(released.answered());

  auto history = w.stop_history();
  REQUIRE(history.size() == 2); // five of a hundred: held anew
  CHECK(history.back().allowed_withdrawals == 5);
  CHECK(history.back().allowance_consumed_at);
  REQUIRE(w.act<core::delivery_stop>(m::discard_hold{w.rule_id(), w.hold().public_id, "ada"}).answered());
  CHECK_FALSE(w.stop_history()[1].allowed_withdrawals);
  CHECK(w.hold().finding == core::hold_finding{100, 300, 30});
  CHECK(w.target().count("DELETE") == 0);
}

TEST_CASE("Stops: what a person decides about a rule that is off is refused with that reason") {
  delivered_world w(300);
  w.delete_records(100);
  w.settle();
  auto hold = w.hold();
  w.change_rule("customers", {.active = false});
  w.settle();

  auto released = w.act<core::delivery_stop>(m::release_hold{w.rule_id(), hold.public_id, 100, "ada"});

  REQUIRE(released.failed());
  CHECK(m::fault_of(released.error()) == m::fault::refused);
  CHECK_THAT(tests::sentence_of(released.error()), Contains("switched off"));
  CHECK(w.hold().public_id == hold.public_id);
}

TEST_CASE("Reading which stop applies: everywhere, into the connection, or of the rule, each for itself") {
  conformance_world w;
  w.add_rule("customers");
  w.add_rule("orders", {.domain = "orders"});
  w.add_rule("newsletter", {.target = "mailer"});
  w.settle();
  auto states = [&w] { return std::vector{w.state("customers"), w.state("orders"), w.state("newsletter")}; };
  using enum core::rule_state;

  auto of_rule = w.stop(w.rule_scope("customers"));
  CHECK(states() == std::vector{stopped, ok, ok});
  auto into_target = w.stop(w.connection_scope("crm"));
  CHECK(states() == std::vector{stopped, stopped, ok});
  auto global = w.stop();
  CHECK(states() == std::vector{stopped, stopped, stopped});

  w.resume(global);
  w.resume(into_target);
  CHECK(states() == std::vector{stopped, ok, ok});
  w.put_record("c-1");
  w.settle();
  CHECK(w.status("c-1", "customers") == "none");
  CHECK(w.status("c-1", "newsletter") == "delivered");
  w.resume(of_rule);
  CHECK(w.status("c-1", "customers") == "delivered");
}

TEST_CASE("Reading which stop applies: one of a source's connection stops no rule that reads from it") {
  conformance_world w;
  w.add_rule();
  w.settle();
  w.stop(w.connection_scope("shop"));

  w.put_record("c-1");
  w.settle();

  CHECK(w.status("c-1") == "delivered");
  CHECK(w.state() == core::rule_state::ok);
}
