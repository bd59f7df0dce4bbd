#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using tests::catch_world;
namespace m = messages;

namespace {

/// A record that was delivered is being withdrawn: the target has done it, and its answer is on its way.
void leave_withdrawal_unanswered(catch_world& w, core::delete_policy deletes) {
  w.add_rule("customers", {.deletes = deletes});
  w.put_record("c-1");
  w.settle();
  w.delete_record("c-1");
  w.settle_before<m::calls_answered>();
}

} // namespace

TEST_CASE("a crash between the intent and the call is settled after the restart") {
  catch_world w;
  w.add_rule();
  w.put_record("c-1");
  w.settle_before<m::place_calls>();
  REQUIRE(w.intents().size() == 1);

  w.crash_and_restart();
  w.advance(5min);

  CHECK(w.status("c-1") == "delivered");
  CHECK(w.target().objects().size() == 1);
  CHECK(w.intents().empty());
}

TEST_CASE("a crash between the call and its answer creates nothing twice, by the key") {
  catch_world w;
  w.add_target("crm", {.lookup = false, .idempotency_key = true});
  w.add_rule();
  w.put_record("c-1");
  w.settle_before<m::calls_answered>();
  REQUIRE(w.target().objects().size() == 1);

  w.crash_and_restart();
  w.advance(10s);

  CHECK(w.target().count("POST") == 2);
  CHECK(w.target().objects().size() == 1);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.row("c-1")->remote_id == w.target().object_of("c-1")->id);
}

TEST_CASE("a crash between the call and its answer creates nothing twice, by a lookup") {
  catch_world w;
  w.add_target("crm", {.lookup = true, .idempotency_key = false});
  w.add_rule();
  w.put_record("c-1");
  w.settle_before<m::calls_answered>();

  w.crash_and_restart();
  w.advance(10s);

  CHECK(w.target().count("POST") == 1);
  CHECK(w.target().objects().size() == 1);
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("a crash before the answer, with neither key nor lookup, is ambiguous for a person") {
  catch_world w;
  w.add_target("crm", {.lookup = false, .idempotency_key = false});
  w.add_rule();
  w.put_record("c-1");
  w.settle_before<m::calls_answered>();

  w.crash_and_restart();
  w.advance(24h);

  CHECK(w.status("c-1") == "ambiguous");
  CHECK(w.target().calls().size() == 1);
}

TEST_CASE("a crash before an outcome is durable repeats an update and nothing else") {
  catch_world w;
  w.add_rule();
  w.put_records(3);
  w.settle();
  w.put_record("c-1", "-new");
  w.settle_before<m::record_outcomes>();

  w.crash_and_restart();
  w.advance(1min);

  CHECK(w.target().count("POST") == 3);
  CHECK(w.target().count("PATCH") == 2);
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("a crash between a withdrawal and its answer keeps no record from coming back") {
  auto deletes = GENERATE(core::delete_policy::delete_record, core::delete_policy::deactivate);
  catch_world w;
  leave_withdrawal_unanswered(w, deletes);
  w.crash();
  w.put_record("c-1", "-back");

  w.start();
  w.advance(1min);

  CHECK(w.status("c-1") == "delivered");
  REQUIRE(w.target().objects().size() == 1);
  CHECK(w.target().object_of("c-1")->active);
  CHECK(w.row("c-1")->remote_id == w.target().object_of("c-1")->id);
}

TEST_CASE("a crash between a withdrawal and its answer repeats the withdrawal") {
  auto deletes = GENERATE(core::delete_policy::delete_record, core::delete_policy::deactivate);
  catch_world w;
  leave_withdrawal_unanswered(w, deletes);

  w.crash_and_restart();
  w.advance(1min);

  CHECK(w.status("c-1") == "withdrawn");
  CHECK(w.intents().empty());
}

TEST_CASE("a crash between a reactivation and its answer keeps no deletion from arriving") {
  catch_world w;
  w.add_rule("customers", {.deletes = core::delete_policy::deactivate});
  w.put_record("c-1");
  w.settle();
  w.delete_record("c-1");
  w.settle();
  w.put_record("c-1", "-back");
  w.settle_before<m::calls_answered>();
  REQUIRE(w.target().object_of("c-1")->active);
  w.crash();
  w.delete_record("c-1");

  w.start();
  w.advance(1min);

  CHECK(w.status("c-1") == "withdrawn");
  CHECK_FALSE(w.target().object_of("c-1")->active);
}

TEST_CASE("runs a crash left open are abandoned") {
  catch_world w;
  w.add_rule();
  w.target().take(1s);
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.runs().size() == 1);
  REQUIRE_FALSE(w.runs().front().ending);

  w.crash_and_restart();
  w.advance(1min);

  CHECK(w.runs().back().ending == core::run_ending::abandoned);
  CHECK(w.runs().front().ending == core::run_ending::completed);
}

TEST_CASE("a crash at any message loses no record and creates none twice") {
  auto deliveries = GENERATE(range(10, 120, 10));
  CAPTURE(deliveries);
  catch_world w;
  w.add_rule();
  w.put_records(12);
  for (int i = 0; i < deliveries; ++i)
    w.deliver_next();

  w.crash_and_restart();
  w.advance(10min);

  CHECK(w.count_rows(core::delivery_status::delivered) == 12);
  CHECK(w.target().objects().size() == 12);
  CHECK(w.intents().empty());
}

TEST_CASE("10,000 records of one moment are created once though the node dies after every 97th") {
  constexpr std::size_t all = 10'000;
  auto backfilled = GENERATE(false, true);
  CAPTURE(backfilled);
  catch_world w;
  w.add_source();
  if (!backfilled)
    w.add_rule();
  w.settle();
  w.put_records(static_cast<int>(all));
  if (backfilled) {
    w.advance(1h);
    w.add_rule();
    REQUIRE(w.cursor().backfill_until);
  }

  for (std::size_t seen = 97; seen < all; seen += 97) {
    while (w.target().calls().size() < seen && w.deliver_next()) {
    }
    w.crash_and_restart();
  }
  w.advance(10min);

  CHECK(w.count_rows(core::delivery_status::delivered) == static_cast<std::int64_t>(all));
  CHECK(w.target().objects().size() == all);
  CHECK(w.intents().empty());
  CHECK_FALSE(w.cursor().backfill_until);
}
