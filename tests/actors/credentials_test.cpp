#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using tests::catch_world;

TEST_CASE("refused credentials are the connection's fault: its routes close and no attempt is used up") {
  catch_world w;
  w.add_rule();
  w.target().on("POST", harness::answer(401));
  w.put_record("c-1");
  w.settle();

  CHECK(w.connection("crm").status == core::connection_status::error);
  CHECK_FALSE(w.connection("crm").status_reason.empty());
  CHECK(w.status("c-1") == "none");
  CHECK(w.intents().empty());
  CHECK(w.runs().front().ending == core::run_ending::faulted);
  auto calls = w.target().calls().size();

  w.put_record("c-2");
  w.advance(1h);
  CHECK(w.target().calls().size() == calls);

  w.target().behave();
  w.set_connection_status("crm", core::connection_status::active);
  w.advance(10s);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.status("c-2") == "delivered");
}

TEST_CASE("a refused access token is renewed once and the call repeated") {
  catch_world w;
  w.add_target("crm", {.oauth2 = true});
  w.add_rule();
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.status("c-1") == "delivered");

  w.target().revoke_tokens();
  w.put_record("c-1", "-new");
  w.settle();

  CHECK(w.target().object_of("c-1")->writes == 2);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.connection("crm").status == core::connection_status::active);
}

TEST_CASE("a token endpoint that answers 429 is waited for, and the run goes on") {
  catch_world w;
  w.add_target("crm", {.oauth2 = true});
  w.add_rule();
  w.target().next(harness::rate_limit("20"));
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.target().calls().size() == 1);

  w.advance(19s);
  CHECK(w.target().calls().size() == 1);
  w.advance(5s);
  CHECK(w.status("c-1") == "delivered");
  for (const auto& run : w.runs())
    CHECK(run.ending != core::run_ending::faulted);
}

TEST_CASE("a new access token that is refused too is the connection's fault") {
  catch_world w;
  w.add_target("crm", {.oauth2 = true});
  w.add_rule();
  w.target().decide([](const harness::seen_call& call) -> std::optional<harness::reaction> {
    if (call.path != "/token")
      return harness::answer(401);
    return std::nullopt;
  });
  w.put_record("c-1");

  w.settle();

  CHECK(w.connection("crm").status == core::connection_status::error);
  CHECK(w.target().count("POST") == 4); // two tokens, two creates
  CHECK(w.status("c-1") == "none");
}

TEST_CASE("token calls take slots of the connection's budget") {
  catch_world w;
  w.add_target("crm", {.requests_per_minute = 5, .oauth2 = true});
  w.add_rule();
  w.put_records(12);

  w.advance(5min);

  CHECK(w.target().most_calls_within(60s) <= 5);
  CHECK(w.target().objects().size() == 12);
}
