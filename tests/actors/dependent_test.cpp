#include "tests/actors/consent_world.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::catch_world;
using tests::consent_rule;
using tests::consent_world;
using tests::consents;

TEST_CASE("a consent waits for its customer and goes out once the customer is in the target, with its id") {
  consent_world w;
  w.put_consent("k-1", "c-1");
  w.settle();
  CHECK(w.status("k-1", "consents") == "awaiting_anchor");
  CHECK(w.row("k-1", "consents")->anchor_source_id == "c-1");
  CHECK(w.target().calls().empty());

  w.put_record("c-1");
  w.settle();

  CHECK(w.status("k-1", "consents") == "delivered");
  CHECK_THAT(w.target().object_of("k-1")->body, Contains(w.row("c-1", "customers")->remote_id));
  CHECK(w.row("k-1", "consents")->anchor_source_id.empty());
}

TEST_CASE("a consent whose customer is in the target goes out at once") {
  consent_world w;
  w.put_record("c-1");
  w.settle();
  w.put_consent("k-1", "c-1");
  w.settle();
  CHECK(w.status("k-1", "consents") == "delivered");
}

TEST_CASE("a customer that is created at the moment its consent is found without it: the consent goes out") {
  consent_world w;
  w.target().take(1s);
  w.put_record("c-1");
  w.put_consent("k-1", "c-1");
  w.advance(999ms);
  CHECK(w.status("k-1", "consents") == "awaiting_anchor");

  w.advance(3s);

  CHECK(w.status("k-1", "consents") == "delivered");
}

TEST_CASE("a consent goes out while its own chain and its customers' chain are still at work") {
  consent_world w;
  w.target().take(1s);
  w.put_consent("k-1", "c-1");
  w.settle();
  w.put_record("c-1");
  w.put_records(100, "many-");
  w.advance(4s);
  REQUIRE(w.runs("customers").front().ending == std::nullopt);

  CHECK(w.status("k-1", "consents") == "delivered");
}

TEST_CASE("a customer that is created at any message of its consent's chain: the consent goes out") {
  auto deliveries = GENERATE(range(0, 40));
  CAPTURE(deliveries);
  consent_world w;
  w.put_consent("k-1", "c-1");
  for (int i = 0; i < deliveries; ++i)
    w.deliver_next();

  w.put_record("c-1");
  w.settle();

  CHECK(w.status("k-1", "consents") == "delivered");
  CHECK(w.target().objects().size() == 2);
}

TEST_CASE("a consent whose customer was withdrawn waits, and goes out when the customer is there again") {
  consent_world w;
  w.put_record("c-1");
  w.settle();
  w.delete_record("c-1");
  w.settle();
  w.put_consent("k-1", "c-1");
  w.advance(1h);
  CHECK(w.status("k-1", "consents") == "awaiting_anchor");

  w.put_record("c-1");
  w.settle();
  CHECK(w.status("k-1", "consents") == "delivered");
}

TEST_CASE(
    "a consent whose customer is gone from the target waits, and goes out when a person has it made anew") {
  consent_world w;
  w.put_record("c-1");
  w.settle();
  w.target().forget(w.row("c-1", "customers")->remote_id);
  w.put_record("c-1", "-new");
  w.settle();
  REQUIRE(w.status("c-1") == "remote_gone");
  auto calls = w.target().calls().size();

  w.put_consent("k-1", "c-1");
  w.advance(24h);
  CHECK(w.status("k-1", "consents") == "awaiting_anchor");
  CHECK(w.target().calls().size() == calls);

  w.reopen("c-1");
  w.advance(1min);
  CHECK(w.status("k-1", "consents") == "delivered");
  CHECK_THAT(w.target().object_of("k-1")->body, Contains(w.row("c-1", "customers")->remote_id));
}

TEST_CASE(
    "a consent whose customer is exhausted waits without a call, and goes out when a person has it retried") {
  consent_world w;
  w.target().decide([](const harness::seen_call& call) {
    return call.path == "/customers" ? std::optional{harness::answer(422)} : std::nullopt;
  });
  w.put_record("c-1");
  w.put_consent("k-1", "c-1");
  w.advance(24h);
  REQUIRE(w.status("c-1") == "exhausted");
  CHECK(w.status("k-1", "consents") == "awaiting_anchor");
  CHECK(w.target().calls().size() == w.settings().delivery.retry_schedule.size() + 1);

  w.target().behave();
  w.reopen("c-1");
  w.advance(1min);
  CHECK(w.status("k-1", "consents") == "delivered");
}

TEST_CASE("a consent that names no customer is undeliverable, with the place where it should") {
  consent_world w;
  w.put_payload("k-1", R"({"tag":"nobody's"})", consents);
  w.settle();
  CHECK(w.status("k-1", "consents") == "undeliverable");
  CHECK_THAT(w.row("k-1", "consents")->error, Contains("/customer"));
}

TEST_CASE("a consent that is remote gone is offered again on its next change") {
  consent_world w;
  w.put_record("c-1");
  w.put_consent("k-1", "c-1");
  w.settle();
  w.target().forget(w.row("k-1", "consents")->remote_id);
  w.put_consent("k-1", "c-1", "new");
  w.settle();
  REQUIRE(w.status("k-1", "consents") == "remote_gone");

  w.put_consent("k-1", "c-1", "newer");
  w.settle();

  CHECK(w.status("k-1", "consents") == "delivered");
  CHECK(w.target().objects_of("k-1").size() == 1);
}

TEST_CASE("what was there before a dependent rule is not sent until it changes, whatever a marker says") {
  catch_world w;
  w.add_rule("customers");
  w.put_record("c-1");
  w.put_payload("k-1", R"({"customer":"c-1"})", consents);
  w.settle();
  w.advance(1s); // within the overlap of the new rule's first pass
  w.add_rule("consents", consent_rule());
  w.advance(1h);
  CHECK_FALSE(w.cursor("consents").backfill_until);
  CHECK(w.status("k-1", "consents") == "none");

  w.put_payload("k-1", R"({"customer":"c-1","tag":"new"})", consents);
  w.settle();

  CHECK(w.status("k-1", "consents") == "delivered");
}

TEST_CASE("a create of a consent that is unknown is settled under its customer") {
  consent_world w;
  w.put_record("c-1");
  w.settle();
  w.target().next(harness::lose_the_reply());
  w.put_consent("k-1", "c-1");
  w.advance(10min);

  CHECK(w.status("k-1", "consents") == "delivered");
  CHECK(w.target().objects_of("k-1").size() == 1);
}

TEST_CASE("a withdrawal whose address needs a parent the target does not hold fails without a call, and goes "
          "out when the parent is there again") {
  harness::target_options nested;
  nested.nested_domain = "consents";
  consent_world w(nested);
  w.put_record("c-1");
  w.put_consent("k-1", "c-1");
  w.settle();
  w.delete_record("c-1");
  w.settle();
  w.delete_record("k-1", consents);
  w.settle();
  CHECK(w.status("k-1", "consents") == "failed");
  CHECK_THAT(w.row("k-1", "consents")->error, Contains("its parent c-1 in customers"));
  CHECK(w.target().count("DELETE") == 1); // the customer's

  w.put_record("c-1");
  w.advance(1h);

  CHECK(w.status("k-1", "consents") == "withdrawn");
  CHECK(w.target().objects_of("k-1").empty());
}
