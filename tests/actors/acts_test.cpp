#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tests::catch_world;
namespace m = messages;

namespace {

/// A rule into a target that offers neither a lookup nor keys: an unknown create waits for a person.
struct unknown_world : catch_world {
  unknown_world() {
    add_target("crm", {.lookup = false, .idempotency_key = false});
    add_rule();
    settle();
  }

  void lose_create(const std::string& id) {
    target().next(harness::lose_the_reply());
    put_record(id);
    settle();
    REQUIRE(status(id) == "ambiguous");
  }

  template <class Act>
  harness::asked<core::ledger_row> act(Act act) {
    auto asked = ask<core::ledger_row>(dispatcher(), std::move(act));
    settle();
    return asked;
  }
};

std::string text_of(const caf::error& error) {
  return error.context().get_as<std::string>(0);
}

} // namespace

TEST_CASE("an unknown create that a person links is updated under the id they gave") {
  unknown_world w;
  w.lose_create("c-1");
  auto id = w.target().object_of("c-1")->id;

  auto linked = w.act(m::link_record{w.rule_id(), "c-1", id, "ada"});

  REQUIRE(linked.answered());
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.row("c-1")->remote_id == id);
  CHECK(w.target().count("POST") == 1);
  CHECK(w.target().count("PATCH") == 1);
  CHECK(w.intents().empty());
  CHECK(w.cursor().known_records == 1);
}

TEST_CASE("an unknown create that a person resends is made again") {
  unknown_world w;
  w.target().next(harness::cut_the_call());
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.status("c-1") == "ambiguous");

  REQUIRE(w.act(m::resend_record{w.rule_id(), "c-1", "ada"}).answered());

  CHECK(w.status("c-1") == "delivered");
  CHECK(w.target().objects().size() == 1);
  CHECK(w.intents().empty());
}

TEST_CASE("a link imports the id of a record the target has already, before its first delivery") {
  unknown_world w;
  w.set_connection_status("crm", core::connection_status::inactive);
  w.put_record("c-1");
  w.settle();
  auto there = w.target().hold("c-1");

  REQUIRE(w.act(m::link_record{w.rule_id(), "c-1", there, "ada"}).answered());
  w.set_connection_status("crm", core::connection_status::active);
  w.settle();

  CHECK(w.status("c-1") == "delivered");
  CHECK(w.target().count("POST") == 0);
  CHECK(w.target().objects().size() == 1);
}

TEST_CASE("acts on a record that does not exist, or on one they do not fit, say why and change nothing") {
  unknown_world w;
  w.put_record("c-1");
  w.settle();
  auto before = w.row("c-1");

  auto nobody = w.act(m::link_record{w.rule_id(), "c-404", "r-1", "ada"});
  REQUIRE(nobody.failed());
  CHECK_THAT(text_of(nobody.error()), Contains("c-404"));
  auto held = w.act(m::link_record{w.rule_id(), "c-1", "r-77", "ada"});
  REQUIRE(held.failed());
  CHECK_THAT(text_of(held.error()), Contains(before->remote_id));
  auto known = w.act(m::resend_record{w.rule_id(), "c-1", "ada"});
  REQUIRE(known.failed());
  CHECK_THAT(text_of(known.error()), Contains("unknown"));
  auto no_rule = w.act(m::resend_record{core::rule_id{999}, "c-1", "ada"});
  REQUIRE(no_rule.failed());
  CHECK_THAT(text_of(no_rule.error()), Contains("999"));

  CHECK(w.row("c-1") == before);
}

TEST_CASE("a record is not linked while its create is out") {
  unknown_world w;
  w.target().take(5s);
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.target().calls().size() == 1);

  auto linked = w.act(m::link_record{w.rule_id(), "c-1", "r-1", "ada"});

  CHECK(linked.failed());
  w.advance(10s);
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("terminal rows that a person reopens are tried again, one and in bulk") {
  catch_world w;
  w.add_rule();
  w.target().on("POST", harness::answer(422));
  w.put_records(3);
  w.advance(24h);
  REQUIRE(w.count_rows(core::delivery_status::exhausted) == 3);
  w.target().behave();

  auto reopened = w.ask<core::ledger_row>(w.dispatcher(),
                                          m::offer_record{w.rule_id(), core::row_act::reopen, "c-1", "ada"});
  w.settle();
  REQUIRE(reopened.answered());
  CHECK(reopened.value().attempts == 0);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.count_rows(core::delivery_status::exhausted) == 2);

  auto rest =
      w.ask<core::rule_job>(w.dispatcher(), m::start_job{{w.rule_id(), core::row_act::reopen, {}, "ada"}});
  w.settle();
  REQUIRE(rest.answered());
  CHECK(rest.value().counted == 2);
  CHECK(w.count_rows(core::delivery_status::delivered) == 3);
}

TEST_CASE("a link makes the records that waited for it go out") {
  catch_world w;
  w.add_target("crm", {.lookup = false, .idempotency_key = false});
  w.add_rule("customers");
  harness::rule_options dependent;
  dependent.domain = "consents";
  dependent.mapping = R"({"external_id":{"template":"{source_id}"},"customer":{"anchor":"customers"}})";
  dependent.anchor_domain = "customers";
  dependent.anchor_pointer = "/customer";
  w.add_rule("consents", dependent);
  w.settle();
  w.target().next(harness::lose_the_reply());
  w.put_record("c-1");
  w.settle();
  w.put_payload("k-1", R"({"customer":"c-1"})", {"shop", "consents"});
  w.settle();
  REQUIRE(w.status("k-1", "consents") == "awaiting_anchor");

  auto linked = w.ask<core::ledger_row>(
      w.dispatcher(), m::link_record{w.rule_id(), "c-1", w.target().object_of("c-1")->id, "ada"});
  w.settle();

  REQUIRE(linked.answered());
  CHECK(w.status("k-1", "consents") == "delivered");
}
