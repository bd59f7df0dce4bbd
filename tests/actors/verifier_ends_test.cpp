#include "tests/actors/verifier_world.hpp"

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;
using core::drift_counts;
using core::verify_phase;
using tests::verifier_world;

TEST_CASE("a stop that is set meanwhile ends a verification, and one in force refuses it") {
  verifier_world w(12);
  w.slow_lookups(1s);
  w.start();
  w.stop_rule();
  const auto made = w.target().count("GET");

  const auto report = w.await_end();

  CHECK(report.phase == verify_phase::failed);
  CHECK_THAT(report.reason, Catch::Contains("by ada: a look first"));
  CHECK(w.target().count("GET") == made);
  CHECK(made < 12);
  CHECK(w.verify().phase == verify_phase::failed);
  CHECK(w.target().count("GET") == made);
}

TEST_CASE("refused credentials end a verification and are written nowhere") {
  verifier_world w(3);
  w.target().on("GET", harness::answer(401));

  const auto report = w.verify();

  CHECK(report.phase == verify_phase::failed);
  CHECK_THAT(report.reason, Catch::Contains("refused the credentials"));
  CHECK(w.connection("crm").status == core::connection_status::active);
}

TEST_CASE("a circuit that opens ends a verification; half open, one lookup goes first") {
  verifier_world w(30);
  w.target().on("GET", harness::answer(503));

  const auto report = w.verify();

  CHECK(report.phase == verify_phase::failed);
  CHECK_THAT(report.reason, Catch::Contains("circuit is open until"));
  const auto made = w.target().count("GET");
  CHECK(made < 20);
  CHECK_THAT(w.verify().reason, Catch::Contains("circuit is open until"));
  CHECK(w.target().count("GET") == made);

  w.advance(61s);
  w.target().behave();
  w.slow_lookups(1s);
  w.start();
  CHECK(w.target().count("GET") == made + 1);
  CHECK(w.await_end().counts == drift_counts{.agrees = 30});
}

TEST_CASE("without a lookup nothing is asked, and the setting that gives one is named") {
  verifier_world w(3, {.lookup = false});

  const auto report = w.verify();

  CHECK(report.phase == verify_phase::failed);
  CHECK_THAT(report.reason, Catch::Contains("operations.lookup"));
  CHECK(w.target().count("GET") == 0);
}

TEST_CASE("a connection in error or inactive is not asked") {
  verifier_world w(3);
  w.set_connection_status("crm", core::connection_status::error);
  CHECK_THAT(w.verify().reason, Catch::Contains("is in error"));
  w.set_connection_status("crm", core::connection_status::inactive);
  CHECK_THAT(w.verify().reason, Catch::Contains("is inactive"));
  CHECK(w.target().count("GET") == 0);
}

TEST_CASE("a verification nobody asks about ends within the minute; its last calls give their budget back") {
  verifier_world w(40, {.requests_per_minute = 10});
  w.start();
  w.advance(90s);
  const auto made = w.target().count("GET");
  CHECK(made < 40);

  const auto report = w.look();
  CHECK(report.phase == verify_phase::cancelled);
  CHECK_THAT(report.reason, Catch::Contains("nobody asked"));
  w.advance(5min);
  CHECK(w.target().count("GET") == made);

  w.start();
  CHECK(w.await_end().counts == drift_counts{.agrees = 40});
}

TEST_CASE("a verification a person cancels makes no further call, and the next one begins anew") {
  verifier_world w(12);
  w.slow_lookups(1s);
  w.start();
  CHECK(w.told(m::cancel_verify{w.rule_id()}).phase == verify_phase::cancelled);
  const auto made = w.target().count("GET");

  w.start();
  const auto report = w.await_end();

  CHECK(report.counts == drift_counts{.agrees = 12});
  CHECK(w.target().count("GET") == made + 12);
}

TEST_CASE("one verification at a time: another rule's is refused, the same rule's goes on") {
  verifier_world w(3);
  w.add_rule("orders", {.domain = "orders"});
  w.settle();
  CHECK_THAT(w.refusal_of(m::read_verify{w.rule_id()}), Catch::Contains("has not been verified"));
  w.slow_lookups(1s);
  w.start();
  const auto began_at = w.look().began_at;

  CHECK_THAT(w.refusal_of(m::start_verify{w.rule_id("orders"), {}}), Catch::Contains("another rule"));
  w.advance(500ms);
  CHECK(w.told(m::start_verify{w.rule_id(), {}}).began_at == began_at);
  CHECK(w.await_end().counts == drift_counts{.agrees = 3});
  CHECK_THAT(w.refusal_of(m::cancel_verify{w.rule_id("orders")}), Catch::Contains("has not been verified"));
}
