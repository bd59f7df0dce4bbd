#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>

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

TEST_CASE("ten rejections in a row open the circuit: a target that refuses everything is not asked for all") {
  catch_world w;
  w.add_rule();
  w.target().on("POST", harness::answer(422).after(100ms));
  w.put_records(100);
  w.advance(10s);

  CHECK(w.target().calls().size() < 30);
  REQUIRE_FALSE(w.runs().empty());
  CHECK(w.runs().front().ending == core::run_ending::breaker_open);

  w.target().behave();
  w.advance(30min);
  CHECK(w.count_rows(core::delivery_status::delivered) == 100);
}

TEST_CASE("rejections with successes between them leave the circuit closed") {
  catch_world w;
  w.add_rule();
  int calls = 0;
  w.target().decide([&calls](const harness::seen_call&) -> std::optional<harness::reaction> {
    return ++calls % 3 == 0 ? harness::serve() : harness::answer(422);
  });
  w.put_records(60);
  w.settle();

  CHECK(w.target().calls().size() == 60);
  CHECK(w.runs().front().ending == core::run_ending::completed);
}

TEST_CASE("a target that lost everything is found out after ten answers of gone, not after every record") {
  catch_world w;
  w.add_rule();
  w.put_records(200);
  w.settle();
  auto objects = w.target().objects();
  for (const auto& [id, object] : objects)
    w.target().forget(id);
  w.target().take(100ms);

  for (int i = 1; i <= 200; ++i)
    w.put_record("c-" + std::to_string(i), "-new");
  w.advance(50s);

  CHECK(w.count_rows(core::delivery_status::remote_gone) < 30);
  CHECK(w.runs().front().ending == core::run_ending::breaker_open);
}

TEST_CASE("deletes of what is not there any more count as answers of gone as well") {
  harness::world_options options;
  options.settings.volume.floor = 1000;
  catch_world w(options);
  w.add_rule();
  w.put_records(100);
  w.settle();
  auto objects = w.target().objects();
  for (const auto& [id, object] : objects)
    w.target().forget(id);
  w.target().take(100ms);

  w.delete_records(100);
  w.advance(50s);

  CHECK(w.count_rows(core::delivery_status::withdrawn) < 30);
  CHECK(w.runs().front().ending == core::run_ending::breaker_open);
}
