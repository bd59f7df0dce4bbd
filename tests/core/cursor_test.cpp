#include "core/cursor.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {
const timestamp opened = from_us(1'700'000'000'000'000);
}

TEST_CASE("a first activation starts delta at its own time and a backfill bounded by it") {
  const auto cursor = open_cursor(rule_id{5}, opened);
  CHECK(cursor.rule == rule_id{5});
  CHECK(cursor.delta == position{.changed_at = opened, .id = {}});
  CHECK(cursor.backfill_until == opened);
  CHECK(cursor.backfill == position{});
  CHECK(cursor.backfill_generation == 1);
  CHECK(cursor.change_counter == cursor.completed_counter);
  CHECK_FALSE(cursor.rescan_from);
  CHECK(cursor.updated_at == opened);
}

TEST_CASE("a pass begins the overlap before where the pass before it began, wherever delta stands now") {
  auto cursor = open_cursor(rule_id{5}, opened);
  cursor.delta.changed_at = opened + 1h;
  CHECK(delta_pass_floor(cursor, 5min) == opened - 5min);
  CHECK(delta_pass_floor(cursor, 0s) == opened);
}

TEST_CASE("a marker lowers where a pass begins and never raises it") {
  auto cursor = open_cursor(rule_id{5}, opened);
  cursor.rescan_from = opened - 2h;
  CHECK(delta_pass_floor(cursor, 5min) == opened - 2h);
  cursor.rescan_from = opened + 2h;
  CHECK(delta_pass_floor(cursor, 5min) == opened - 5min);
}

TEST_CASE("positions order by time and then by record") {
  const position first{.changed_at = opened, .id = {2}};
  CHECK(first < position{.changed_at = opened, .id = {3}});
  CHECK(first < position{.changed_at = opened + 1us, .id = {1}});
}

TEST_CASE("a dependent rule's first activation has no backfill") {
  sync_rule rule;
  rule.id = rule_id{5};
  CHECK(open_cursor(rule, opened) == open_cursor(rule_id{5}, opened));
  rule.anchor_domain = "customers";
  const auto cursor = open_cursor(rule, opened);
  CHECK_FALSE(cursor.backfill_until);
  CHECK(cursor.activated_at == opened);
  CHECK(cursor.delta.changed_at == opened);
}
