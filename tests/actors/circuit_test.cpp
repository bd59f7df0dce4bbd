#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using tests::catch_world;

TEST_CASE("ten failures in a row open the circuit, and one trial after the cooldown closes it") {
  catch_world w;
  w.add_rule();
  w.target().on("POST", harness::answer(503).after(100ms));
  w.put_records(30);
  w.advance(2s);
  auto before = w.target().calls().size();
  CHECK(before >= 10);
  CHECK(before < 30); // two groups of eight, and the eight that start as the second one is answered
  REQUIRE_FALSE(w.runs().empty());
  CHECK(w.runs().front().ending == core::run_ending::breaker_open);

  w.advance(w.settings().circuit.cooldown - 3s);
  CHECK(w.target().calls().size() == before);

  w.target().behave();
  w.advance(30min);
  CHECK(w.count_rows(core::delivery_status::delivered) == 30);
  CHECK(w.target().objects().size() == 30);
}

TEST_CASE("a trial that fails keeps the circuit open twice as long") {
  catch_world w;
  w.add_rule();
  w.target().on("POST", harness::answer(503).after(100ms));
  w.put_records(30);
  w.advance(2s);
  auto before = w.target().calls().size();

  w.advance(w.settings().circuit.cooldown + 10s);
  auto after_trial = w.target().calls().size();
  CHECK(after_trial == before + 1);

  w.advance(2 * w.settings().circuit.cooldown - 15s);
  CHECK(w.target().calls().size() == after_trial);
}

TEST_CASE("an open circuit uses up no attempt of the records that wait") {
  catch_world w;
  w.add_rule();
  w.target().on("POST", harness::answer(503).after(100ms));
  w.put_records(30);
  w.advance(2s);
  auto failed = w.count_rows(core::delivery_status::failed);

  CHECK(failed == static_cast<std::int64_t>(w.target().calls().size()));
  CHECK(w.status("c-30") == "none");
  CHECK(w.intents().empty());
}

TEST_CASE("another connection's open circuit does not hold a rule back") {
  catch_world w;
  w.add_rule("customers");
  w.add_rule("newsletter", {.target = "mailer"});
  w.target("mailer").on("POST", harness::answer(503));
  w.put_records(30);

  w.settle();

  CHECK(w.count_rows(core::delivery_status::delivered, "customers") == 30);
}
