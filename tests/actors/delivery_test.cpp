#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::catch_world;

TEST_CASE("three records of a source become three objects at the target") {
  catch_world w;
  w.add_rule();
  w.put_records(3);

  w.settle();

  auto& crm = w.target();
  CHECK(crm.objects().size() == 3);
  CHECK(crm.count("POST") == 3);
  for (const auto* id : {"c-1", "c-2", "c-3"}) {
    CHECK(w.status(id) == "delivered");
    REQUIRE(crm.object_of(id));
    CHECK(w.row(id)->remote_id == crm.object_of(id)->id);
  }
  REQUIRE(w.runs().size() == 1);
  CHECK(w.runs().front().ending == core::run_ending::completed);
  CHECK(w.runs().front().counts.created == 3);
  CHECK(w.intents().empty());
}

TEST_CASE("a changed record is updated at the target") {
  catch_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();

  w.put_record("c-1", "-new");
  w.settle();

  CHECK(w.target().count("POST") == 1);
  CHECK(w.target().count("PATCH") == 1);
  CHECK_THAT(w.target().object_of("c-1")->body, Contains("c-1-new@example.com"));
  CHECK(w.runs().front().counts.updated == 1);
}

TEST_CASE("an identical upsert sends nothing") {
  catch_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();

  w.put_record("c-1");
  w.advance(15min);

  CHECK(w.target().calls().size() == 1);
}

TEST_CASE("a rule that only creates suppresses changes") {
  catch_world w;
  w.add_rule("customers", {.updates = core::update_mode::create_only});
  w.put_record("c-1");
  w.settle();

  w.put_record("c-1", "-new");
  w.settle();

  CHECK(w.status("c-1") == "suppressed");
  CHECK(w.target().calls().size() == 1);
  CHECK(w.runs().front().counts.suppressed == 1);
}

TEST_CASE("a record the filter leaves out is not delivered until the filter lets it in") {
  catch_world w;
  w.add_rule("customers", {.filter = R"({"field":"/email","prefix":"c-1"})"});
  w.put_records(2);
  w.settle();
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.status("c-2") == "filtered");
  CHECK(w.target().objects().size() == 1);

  w.change_rule("customers", {.filter = R"({"field":"/email","prefix":"c-"})"});
  w.advance(w.settings().delivery.sweep_interval);

  CHECK(w.status("c-2") == "delivered");
  CHECK(w.target().objects().size() == 2);
}

TEST_CASE("a record without a required field is undeliverable until it changes") {
  catch_world w;
  w.add_rule();
  w.put_payload("c-1", R"({"name":"no address"})");
  w.settle();
  CHECK(w.status("c-1") == "undeliverable");
  CHECK_THAT(w.row("c-1")->error, Contains("email"));
  CHECK(w.target().calls().empty());

  w.put_record("c-1");
  w.settle();

  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("a deleted record is deleted at the target, and created anew when it comes back") {
  catch_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();

  w.delete_record("c-1");
  w.settle();
  CHECK(w.status("c-1") == "withdrawn");
  CHECK(w.target().objects().empty());

  w.put_record("c-1");
  w.settle();
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.target().objects().size() == 1);
  CHECK(w.target().calls().front().key != w.target().calls().back().key);
}

TEST_CASE("a delete the target answers with not there has succeeded") {
  catch_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();
  w.target().forget(w.row("c-1")->remote_id);

  w.delete_record("c-1");
  w.settle();

  CHECK(w.status("c-1") == "withdrawn");
}

TEST_CASE("a rule that deactivates switches the object off, and on again with the record's new version") {
  catch_world w;
  w.add_rule("customers", {.deletes = core::delete_policy::deactivate});
  w.put_record("c-1");
  w.settle();

  w.delete_record("c-1");
  w.settle();
  REQUIRE(w.target().object_of("c-1"));
  CHECK_FALSE(w.target().object_of("c-1")->active);

  w.put_record("c-1", "-back");
  w.settle();
  CHECK(w.target().object_of("c-1")->active);
  CHECK_THAT(w.target().object_of("c-1")->body, Contains("c-1-back"));
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("a rule that ignores deletions sends none") {
  catch_world w;
  w.add_rule("customers", {.deletes = core::delete_policy::ignore});
  w.put_record("c-1");
  w.settle();

  w.delete_record("c-1");
  w.advance(15min);

  CHECK(w.target().calls().size() == 1);
}

TEST_CASE("an update of what the target no longer holds is remote gone, and stays so") {
  catch_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle();
  w.target().forget(w.row("c-1")->remote_id);

  w.put_record("c-1", "-new");
  w.settle();
  CHECK(w.status("c-1") == "remote_gone");

  w.put_record("c-1", "-newer");
  w.advance(1h);
  CHECK(w.target().calls().size() == 2);
}

TEST_CASE("a create that meets exists is looked up and linked, then updated") {
  catch_world w;
  w.add_rule();
  auto there = w.target().hold("c-1");
  w.target().next(harness::answer(409));
  w.put_record("c-1");

  w.settle();
  w.advance(1s);

  CHECK(w.status("c-1") == "delivered");
  CHECK(w.row("c-1")->remote_id == there);
  CHECK(w.target().objects().size() == 1);
  CHECK_THAT(w.target().object_of("c-1")->body, Contains("c-1@example.com"));
}

TEST_CASE("two rules deliver one source into two targets, each for itself") {
  catch_world w;
  w.add_rule("customers");
  w.add_rule("newsletter", {.target = "mailer"});
  w.target("mailer").on("POST", harness::answer(422));
  w.put_records(2);

  w.settle();

  CHECK(w.status("c-1", "customers") == "delivered");
  CHECK(w.status("c-1", "newsletter") == "failed");
  CHECK(w.target("crm").objects().size() == 2);
}

TEST_CASE("a change of the mapping reaches a record that was undeliverable") {
  catch_world w;
  w.add_rule();
  w.put_payload("c-1", R"({"mail":"c-1@example.com"})");
  w.settle();
  REQUIRE(w.status("c-1") == "undeliverable");

  w.change_rule("customers", {.mapping = R"({"external_id":{"template":"{source_id}"},"email":"/mail"})"});
  w.advance(w.settings().delivery.sweep_interval);

  CHECK(w.status("c-1") == "delivered");
}
