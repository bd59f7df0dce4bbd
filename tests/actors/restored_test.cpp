#include "storage/restore.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using tests::catch_world;

namespace {

/// A rule whose ledger is behind its target.
void restored(catch_world& w, harness::target_options options) {
  w.add_target("crm", options);
  w.must(storage::note_restore(w.db(), w.now()));
  w.add_rule();
}

} // namespace

TEST_CASE("after a restore a record the target already has is linked and updated, never created again") {
  catch_world w;
  restored(w, {.lookup = true, .idempotency_key = false});
  const auto id = w.target().hold("c-1");
  w.put_record("c-1");

  w.advance(10s);

  CHECK(w.target().count("POST") == 0);
  CHECK(w.target().count("GET") == 1);
  CHECK(w.target().count("PATCH") == 1);
  CHECK(w.row("c-1")->remote_id == id);
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("after a restore a record the target does not have is created behind one look") {
  catch_world w;
  restored(w, {.lookup = true, .idempotency_key = true});
  w.put_record("c-1");

  w.advance(10s);

  REQUIRE(w.target().calls().size() == 2);
  CHECK(w.target().calls()[0].method == "GET");
  CHECK(w.target().calls()[1].method == "POST");
  CHECK_THAT(w.target().calls()[1].body, Catch::Matchers::Contains("c-1"));
  CHECK_FALSE(w.target().calls()[1].key.empty());
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.intents().empty());
}

TEST_CASE("the create behind a look has its intent, so that a crash leaves it to be settled") {
  catch_world w;
  restored(w, {.lookup = true, .idempotency_key = false});
  w.target().on("POST", harness::lose_the_reply().after(5s));
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.target().count("POST") == 1);
  CHECK(w.intents().size() == 1);
  w.target().behave();
  w.crash_and_restart();

  w.advance(5min);

  CHECK(w.target().count("POST") == 1);
  CHECK(w.target().objects().size() == 1);
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("after a restore several matches are for a person") {
  catch_world w;
  restored(w, {.lookup = true, .idempotency_key = false});
  w.target().hold("c-1");
  w.target().hold("c-1");
  w.put_record("c-1");

  w.advance(1min);

  CHECK(w.target().count("POST") == 0);
  CHECK(w.status("c-1") == "ambiguous");
}

TEST_CASE("a look that fails is an ordinary failure, and the next attempt looks again") {
  catch_world w;
  restored(w, {.lookup = true, .idempotency_key = false});
  w.target().next(harness::answer(503));
  w.put_record("c-1");

  w.advance(10s);
  CHECK(w.status("c-1") == "failed");
  CHECK(w.target().count("POST") == 0);

  w.advance(2min);
  CHECK(w.target().count("GET") == 2);
  CHECK(w.target().count("POST") == 1);
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("once the restore is over records are created without a look") {
  catch_world w;
  restored(w, {.lookup = true, .idempotency_key = false});
  w.must(storage::end_restore(w.db()));
  w.put_record("c-1");

  w.advance(10s);

  CHECK(w.target().count("GET") == 0);
  CHECK(w.target().count("POST") == 1);
}
