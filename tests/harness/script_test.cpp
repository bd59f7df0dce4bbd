#include "harness/mocks.hpp"
#include "harness/world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using harness::world;
namespace m = messages;

TEST_CASE("a script that is followed delivers message after message") {
  world w;
  w.add_rule();
  w.settle();
  w.put_record("c-1");

  w.settle_before<m::start_chain>();
  w.expect<m::start_chain>().from(w.dispatcher()).to(w.rule());
  auto asked = w.expect<m::load_rule>().from(w.rule()).to(w.recorder());
  CHECK(asked.rule == w.rule_id());
  w.expect<m::commit_group>().from(w.recorder()).to(w.recorder());
  w.expect<m::rule_loaded>().from(w.recorder()).to(w.rule());
}

TEST_CASE("an expectation that is not met fails with what waits and the last messages") {
  world w;
  w.add_rule();
  w.settle();
  w.inject(m::records_changed{}).from(w.dispatcher()).to(w.rule());

  try {
    w.expect<m::start_chain>().from(w.dispatcher()).to(w.rule());
    FAIL("the script went on");
  } catch (const harness::failure& failed) {
    CHECK_THAT(failed.what(), Contains("expected start_chain from dispatcher to rule customers"));
    CHECK_THAT(failed.what(), Contains("waits first records_changed() from dispatcher"));
    CHECK_THAT(failed.what(), Contains("rule customers -> dispatcher  chain_ended("));
  }
}

TEST_CASE("an expectation of one sender is not met by another's message") {
  world w;
  w.add_rule();
  w.settle();
  w.inject(m::records_changed{}).from(w.recorder()).to(w.rule());

  CHECK_THROWS_AS(w.expect<m::records_changed>().from(w.dispatcher()).to(w.rule()), harness::failure);
  CHECK_NOTHROW(w.expect<m::records_changed>().from(w.recorder()).to(w.rule()));
}

TEST_CASE("a condition on the fields narrows an expectation") {
  world w({.node = false});
  auto listener = w.mock<m::alarm_listener>("listener").accept<m::alarm_rang>();
  w.inject(m::alarm_rang{{2}}).from(listener).to(listener);

  auto is = [](std::uint64_t value) {
    return [value](const m::alarm_rang& rang) { return rang.token.value == value; };
  };
  CHECK_FALSE(w.allow<m::alarm_rang>().where(is(1)).to(listener));
  CHECK(w.allow<m::alarm_rang>().where(is(2)).to(listener));
}

TEST_CASE("allow delivers what is there, disallow fails on it") {
  world w;
  w.add_rule();
  w.settle();
  CHECK_FALSE(w.allow<m::records_changed>().to(w.rule()));
  CHECK_NOTHROW(w.disallow<m::records_changed>().to(w.rule()));

  w.inject(m::records_changed{}).from(w.dispatcher()).to(w.rule());
  CHECK_THROWS_AS(w.disallow<m::records_changed>().to(w.rule()), harness::failure);
  CHECK(w.allow<m::records_changed>().from(w.dispatcher()).to(w.rule()));
  CHECK(w.pending_messages().empty());
}

TEST_CASE("pending messages are listed with sender, receiver and fields") {
  world w;
  w.add_rule();
  w.settle();
  w.inject(m::chain_ended{w.rule_id(), core::run_ending::throttled, 3, {}, w.now()})
      .from(w.rule())
      .to(w.dispatcher());

  auto pending = w.pending_messages();

  REQUIRE(pending.size() == 1);
  CHECK(pending.front().from == "rule customers");
  CHECK(pending.front().to == "dispatcher");
  CHECK_THAT(pending.front().text, Contains("chain_ended(1, \"throttled\", 3, none, "));
}

TEST_CASE("waiting for a message that never comes fails") {
  world w;
  w.add_rule();

  CHECK_THROWS_AS(w.settle_before<m::place_calls>(), harness::failure);
}

TEST_CASE("settling lets no time pass, advancing exactly as much as was said") {
  world w;
  w.add_rule();
  auto begin = w.now();

  w.settle();
  CHECK(w.now() == begin);
  w.advance(90s);
  CHECK(w.now() == begin + 90s);
  w.jump_wall_clock(-1h);
  CHECK(w.now() == begin + 90s - 1h);
}

TEST_CASE("the failure hook is told before anything is thrown") {
  std::string told;
  world w({.fail = [&](const std::string& why) { told = why; }});

  CHECK_THROWS_AS(w.fail("enough"), harness::failure);

  CHECK_THAT(told, Contains("enough"));
}

TEST_CASE("messages without an end are noticed") {
  world w({.node = false, .messages_max = 100});
  harness::mock<m::alarm_listener> echo = w.mock<m::alarm_listener>("echo");
  echo.on<m::alarm_rang>([&](const m::alarm_rang& rang) { w.inject(rang).from(echo).to(echo); });
  w.inject(m::alarm_rang{}).from(echo).to(echo);

  CHECK_THROWS_AS(w.settle(), harness::failure);
}

TEST_CASE("a rule nobody added fails by its name") {
  world w;

  CHECK_THROWS_WITH(w.rule("nobody"), Contains("the world has no rule nobody"));
}

TEST_CASE("a world without a node has no rule actors to name") {
  world w({.node = false});
  w.add_rule();

  CHECK_THROWS_WITH(w.rule(), Contains("no node runs in this world"));
}
