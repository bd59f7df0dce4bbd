#include "app/after_restore.hpp"
#include "app/doctor.hpp"
#include "storage/lease.hpp"
#include "storage/restore.hpp"
#include "storage/stops.hpp"
#include "tests/app/command_world.hpp"

#include <catch2/catch.hpp>

namespace sluice::app {
namespace {

struct world : tests::command_world {
  std::vector<core::delivery_stop> stops() {
    auto db = open();
    return storage::live_stops(db).value();
  }
  bool restored() {
    auto db = open();
    return storage::restored_at(db).value().has_value();
  }
};

constexpr auto lookup = R"(
[connections.settings.operations.lookup]
path = "/customers?external_id={source_id}"
matches = "/items"
id = "/id"
[[rules]])";

TEST_CASE(
    "after a restore everything is stopped, and a rule whose target cannot be asked is stopped by itself") {
  world w;
  CHECK(begin_after_restore(w.context) == exit_ok);
  CHECK(w.restored());
  const auto stops = w.stops();
  REQUIRE(stops.size() == 2);
  CHECK(stops[0].target.scope == core::stop_scope::global);
  CHECK(stops[1].target.scope == core::stop_scope::rule);
  CHECK(begin_after_restore(w.context) == exit_ok);
  CHECK(w.stops().size() == 2);
  CHECK(doctor(w.context.settings, {}, w.context.style) == exit_ok);
}

TEST_CASE("a rule whose target has a lookup needs no stop of its own") {
  world w;
  std::string text = tests::command_world::configuration;
  text.replace(text.find("[[rules]]"), 9, lookup);
  REQUIRE(w.apply(text) == exit_ok);
  w.context.style.json = false;
  CHECK(doctor(w.context.settings, {.after_restore = true}, w.context.style) == exit_ok);
  CHECK(w.stops().size() == 1);
}

TEST_CASE("a restore is over when a person says so, and the stops stay") {
  world w;
  REQUIRE(begin_after_restore(w.context) == exit_ok);
  CHECK(doctor(w.context.settings, {.after_restore = true, .over = true}, w.context.style) == exit_ok);
  CHECK_FALSE(w.restored());
  CHECK(w.stops().size() == 2);
  w.context.style.json = false;
  CHECK(end_after_restore(w.context) == exit_ok);
}

TEST_CASE("nothing is changed beneath a node that works on the database") {
  world w;
  const auto lock = storage::file_lock::take(w.folder.path("test.db"));
  REQUIRE(lock);
  CHECK(begin_after_restore(w.context) == exit_refused);
  CHECK_FALSE(w.restored());
  CHECK(w.stops().empty());
}

} // namespace
} // namespace sluice::app
