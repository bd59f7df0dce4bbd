#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::catch_world;
namespace m = messages;

namespace {

core::stop_request everywhere() {
  return {{}, "the target asked for it", "ada"};
}

/// Sets it and has it acknowledged.
core::delivery_stop set_stop(catch_world& w, const core::stop_request& wanted) {
  auto set = w.ask<core::stop_in_force>(w.dispatcher(), m::set_stop{wanted});
  w.settle();
  REQUIRE(set.answered());
  return set.value().stop;
}

void end_stop(catch_world& w, const core::delivery_stop& stop) {
  auto ended = w.ask<core::delivery_stop>(w.dispatcher(), m::end_stop{stop.public_id, {}, "ada"});
  w.settle();
  REQUIRE(ended.answered());
  CHECK(ended.value().resolution == core::stop_resolution::resumed);
}

} // namespace

TEST_CASE(
    "after a stop is acknowledged no call starts, those that are out are recorded, and nothing is lost") {
  harness::world_options options;
  options.settings.calls.max_in_flight = 32;
  catch_world w(options);
  w.add_rule();
  w.put_records(10'000);
  w.target().take(10s);
  w.settle();
  REQUIRE(w.target().calls().size() == 32);

  auto stop = set_stop(w, everywhere());
  w.advance(1h);
  CHECK(w.target().calls().size() == 32);
  CHECK(w.count_rows(core::delivery_status::delivered) == 32);
  CHECK(w.intents().empty());
  CHECK(w.runs().front().ending == core::run_ending::stopped);
  CHECK_THAT(w.runs().front().reason, Contains("ada") && Contains("the target asked for it"));

  w.target().take(0s);
  end_stop(w, stop);
  w.settle();
  CHECK(w.count_rows(core::delivery_status::delivered) == 10'000);
  CHECK(w.target().count("POST") == 10'000);
}

TEST_CASE("a stop of one rule, or of one connection, leaves the others alone") {
  catch_world w;
  w.add_rule("customers");
  w.add_rule("newsletter", {.target = "mailer"});
  w.settle();
  auto scope = GENERATE(core::stop_scope::rule, core::stop_scope::connection);
  core::stop_target where{scope, {}, {}};
  if (scope == core::stop_scope::rule)
    where.rule = w.rule_id("newsletter");
  else
    where.connection = w.connection_id("mailer");

  auto stop = set_stop(w, {where, "", "ada"});
  w.put_records(3);
  w.advance(1h);
  CHECK(w.target("crm").calls().size() == 3);
  CHECK(w.target("mailer").calls().empty());

  end_stop(w, stop);
  CHECK(w.target("mailer").calls().size() == 3);
}

TEST_CASE("a stop that is live is returned, not doubled") {
  catch_world w;
  auto first = set_stop(w, everywhere());

  auto again = w.ask<core::stop_in_force>(w.dispatcher(), m::set_stop{{{}, "another reason", "bob"}});
  w.settle();

  REQUIRE(again.answered());
  CHECK(again.value().was_live);
  CHECK(again.value().stop.public_id == first.public_id);
  CHECK(again.value().stop.set_by == "ada");
  CHECK(w.live_stops().size() == 1);
}

TEST_CASE("a stop on what does not exist is refused and stops nothing") {
  catch_world w;
  w.add_rule();
  w.settle();

  auto set = w.ask<core::stop_in_force>(
      w.dispatcher(), m::set_stop{{{core::stop_scope::rule, {}, core::rule_id{999}}, "", "ada"}});
  w.settle();

  REQUIRE(set.failed());
  CHECK(w.live_stops().empty());
  w.put_record("c-1");
  w.settle();
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("ending a stop that is not live says so") {
  catch_world w;
  auto ended = w.ask<core::delivery_stop>(w.dispatcher(), m::end_stop{"", {}, "ada"});
  w.settle();
  CHECK(ended.failed());
}

TEST_CASE("a stop outlives the node: after a restart no call starts until it is ended") {
  catch_world w;
  w.add_rule();
  w.settle();
  auto stop = set_stop(w, everywhere());
  w.put_records(5);

  w.crash_and_restart();
  w.advance(1h);
  CHECK(w.target().calls().empty());
  CHECK(w.runs().empty());

  end_stop(w, stop);
  CHECK(w.count_rows(core::delivery_status::delivered) == 5);
}

TEST_CASE("no chain starts before the courier knows the stops that are live") {
  catch_world w;
  w.add_rule();
  w.settle();
  static_cast<void>(set_stop(w, {{core::stop_scope::connection, w.connection_id("crm"), {}}, "", "ada"}));
  w.crash_and_restart();

  w.settle_before<m::stop_scope>();
  w.expect<m::stop_scope>().from(w.dispatcher()).to(w.courier());
  w.put_record("c-1");
  w.settle();

  auto lines = w.last_messages().lines();
  for (const auto& line : lines)
    CHECK(line.text != "start_chain()");
}

TEST_CASE("what is due while a stop is live waits without using up an attempt") {
  catch_world w;
  w.add_rule();
  w.target().next(harness::answer(422));
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.row("c-1")->attempts == 1);

  auto stop = set_stop(w, everywhere());
  w.advance(24h);
  CHECK(w.row("c-1")->attempts == 1);
  CHECK(w.target().calls().size() == 1);

  end_stop(w, stop);
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("a global stop reaches the calls for access tokens too") {
  catch_world w;
  w.add_target("crm", {.oauth2 = true});
  w.add_rule();
  w.settle();
  auto stop = set_stop(w, everywhere());
  w.put_record("c-1");
  w.advance(1h);
  CHECK(w.target().calls().empty());

  end_stop(w, stop);
  CHECK(w.status("c-1") == "delivered");
}
