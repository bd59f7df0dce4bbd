#include "tests/actors/consent_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::catch_world;
using tests::consent_rule;
using tests::consent_world;
using tests::consents;

TEST_CASE("a consent that comes back without its customer is switched on, and its update waits for them") {
  catch_world w;
  auto options = consent_rule();
  options.deletes = core::delete_policy::deactivate;
  w.add_rule("customers");
  w.add_rule("consents", options);
  w.advance(1min);
  w.put_record("c-1");
  w.put_payload("k-1", R"({"customer":"c-1"})", consents);
  w.settle();
  w.delete_record("k-1", consents);
  w.delete_record("c-1");
  w.settle();
  REQUIRE_FALSE(w.target().object_of("k-1")->active);

  w.put_payload("k-1", R"({"customer":"c-1","tag":"new"})", consents);
  w.settle();
  CHECK(w.target().object_of("k-1")->active);
  CHECK(w.status("k-1", "consents") == "awaiting_anchor");

  w.put_record("c-1", "again");
  w.settle();
  CHECK(w.status("k-1", "consents") == "delivered");
  CHECK_THAT(w.target().object_of("k-1")->body, Contains(w.row("c-1", "customers")->remote_id));
}

TEST_CASE("a consent of which nobody knows whether its removal arrived waits for its customer as well") {
  consent_world w;
  w.put_record("c-1");
  w.put_consent("k-1", "c-1");
  w.settle();
  w.delete_record("c-1");
  w.settle();
  w.target().next(harness::hang());
  w.delete_record("k-1", consents);
  w.settle();
  w.crash();
  w.put_consent("k-1", "c-1", "new");
  w.start();
  w.advance(1min);
  CHECK(w.row("k-1", "consents")->target == core::target_state::inactive);
  CHECK(w.status("k-1", "consents") == "awaiting_anchor");

  w.put_record("c-1", "again");
  w.settle();
  CHECK(w.status("k-1", "consents") == "delivered");
}

TEST_CASE("a consent said to be gone is created again, unknown, and found: what is found is written over") {
  harness::target_options without_keys;
  without_keys.idempotency_key = false;
  consent_world w{without_keys};
  w.put_record("c-1");
  w.put_consent("k-1", "c-1");
  w.settle();
  w.target().next(harness::answer(404));
  w.put_consent("k-1", "c-1", "new");
  w.settle();
  REQUIRE(w.status("k-1", "consents") == "remote_gone");

  w.target().next(harness::cut_the_call());
  w.put_consent("k-1", "c-1", "newer");
  w.advance(10min);

  CHECK(w.status("k-1", "consents") == "delivered");
  REQUIRE(w.target().objects_of("k-1").size() == 1);
  CHECK(w.target().object_of("k-1")->writes == 2);
}
