#include "tests/actors/delivered_records.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
using tests::catch_world;
using tests::deliver;

TEST_CASE("a record kept inactive is reactivated when it comes back, and nothing more where the rule only "
          "creates") {
  catch_world w;
  deliver(w, 1, {.updates = core::update_mode::create_only, .deletes = core::delete_policy::deactivate});
  w.delete_record("c-1");
  w.settle();
  REQUIRE(w.status("c-1") == "withdrawn");
  REQUIRE(w.row("c-1")->target == core::target_state::inactive);
  auto calls = w.target().calls().size();

  w.put_record("c-1", "-back");
  w.settle();
  w.advance(1min);

  CHECK(w.status("c-1") == "suppressed");
  CHECK(w.row("c-1")->target == core::target_state::active);
  CHECK(w.target().object_of("c-1")->active);
  CHECK(w.target().calls().size() == calls + 1);
}

TEST_CASE("a reactivation that fails is tried again as a reactivation") {
  catch_world w;
  deliver(w, 1, {.deletes = core::delete_policy::deactivate});
  w.delete_record("c-1");
  w.settle();
  w.target().next(harness::answer(503));
  w.put_record("c-1", "-back");
  w.settle();
  REQUIRE(w.status("c-1") == "failed");

  w.advance(10min);

  CHECK(w.status("c-1") == "delivered");
  CHECK(w.target().object_of("c-1")->active);
}

TEST_CASE("a record that is deleted again between its reactivation and the update is deactivated again") {
  catch_world w;
  deliver(w, 1, {.deletes = core::delete_policy::deactivate});
  w.delete_record("c-1");
  w.settle();
  w.target().next(harness::serve());
  w.target().next(harness::rate_limit("600"));
  w.put_record("c-1", "-back");
  w.settle();
  REQUIRE(w.target().object_of("c-1")->active);
  CHECK(w.row("c-1")->target == core::target_state::active);

  w.delete_record("c-1");
  w.advance(20min);

  CHECK(w.status("c-1") == "withdrawn");
  CHECK_FALSE(w.target().object_of("c-1")->active);
}

TEST_CASE("a deactivation or reactivation of what the target no longer holds is remote gone") {
  catch_world w;
  deliver(w, 2, {.deletes = core::delete_policy::deactivate});
  w.target().forget(w.row("c-1")->remote_id);
  w.delete_record("c-1");
  w.settle();
  CHECK(w.status("c-1") == "remote_gone");

  w.delete_record("c-2");
  w.settle();
  w.target().forget(w.row("c-2")->remote_id);
  w.put_record("c-2");
  w.settle();
  CHECK(w.status("c-2") == "remote_gone");
  CHECK(w.cursor().known_records == 0);
}
