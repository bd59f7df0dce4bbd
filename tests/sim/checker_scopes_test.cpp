#include "tests/sim/checker_world.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice;
using namespace std::chrono_literals;
using core::operation;
using world = tests::checker_world;

TEST_CASE("a call that starts within an acknowledged stop breaks property 8, until its end is asked for") {
  world w;
  w.checker.target_is(0, {5});
  auto where = GENERATE(core::stop_target{}, core::stop_target{core::stop_scope::connection, {5}, {}},
                        core::stop_target{core::stop_scope::rule, {}, {1}});
  w.checker.call_started(0, {1});
  w.checker.stop_acknowledged(where);
  CHECK(w.broken() == 0);
  SECTION("within") {
    w.checker.call_started(0, {1});
    CHECK(w.broken() == 8);
  }
  SECTION("once more acknowledged, and ended") {
    w.checker.stop_acknowledged(where);
    w.checker.stop_ended(where);
    w.checker.call_started(0, {1});
    CHECK(w.broken() == 0);
  }
}

TEST_CASE("a stop of another connection or rule stops nothing here") {
  world w;
  w.checker.target_is(0, {5});
  w.checker.stop_acknowledged({core::stop_scope::connection, {6}, {}});
  w.checker.stop_acknowledged({core::stop_scope::rule, {}, {2}});
  w.checker.call_started(0, {1});
  CHECK(w.broken() == 0);
}

namespace {

/// … and of a dependent rule, one of whose records has the other rule's for its parent.
struct dependent_world : world {
  dependent_world() {
    sim::rule_facts rule;
    rule.rule = {2};
    rule.name = rule.domain = "addresses";
    rule.parent = core::rule_id{1};
    checker.rule_is(rule);
    checker.source_wrote("a-1", {1, true, true, true, "c-1"});
  }

  void creates_the_child(const std::string& under = {}) {
    auto made = call(operation::create, 1, 201);
    made.rule = {2};
    made.source_id = "a-1";
    made.parent = under;
    made.object = "r-9";
    made.done = made.names_object = true;
    checker.called(made, now());
  }

  [[nodiscard]] sim::observation waiting() const {
    core::candidate record;
    record.record.source_id = "a-1";
    record.record.content_changed_at = core::timestamp{1s};
    record.row.emplace();
    record.row->status = core::delivery_status::awaiting_anchor;
    sim::observation seen;
    seen.rule = {2};
    seen.records = {record};
    return seen;
  }
};

} // namespace

TEST_CASE("a dependent record that goes before its parent's create was acknowledged breaks property 6") {
  dependent_world w;
  SECTION("the parent was never sent") {
    w.creates_the_child();
  }
  SECTION("its create came to nothing") {
    w.checker.called(w.call(operation::create, 1, 503), w.now());
    w.pass(1s);
    w.creates_the_child();
  }
  CHECK(w.broken() == 6);
}

TEST_CASE("a dependent record goes under its own parent, or breaks property 6") {
  dependent_world w;
  w.creates("r-1");
  w.pass(1s);
  SECTION("its own") {
    w.creates_the_child("c-1");
    CHECK(w.broken() == 0);
  }
  SECTION("another one") {
    w.creates_the_child("c-2");
    CHECK(w.broken() == 6);
  }
}

TEST_CASE("a dependent record may wait for what the target does not hold, and for nothing else") {
  dependent_world w;
  SECTION("the parent is not there") {
    w.checker.ended(w.waiting(), {});
    CHECK(w.broken() == 0);
  }
  SECTION("it is there") {
    w.checker.ended(w.waiting(), {{"r-1", "c-1", 1, true}});
    CHECK(w.broken() == 1);
  }
  SECTION("it is there, switched off") {
    w.checker.ended(w.waiting(), {{"r-1", "c-1", 1, false}});
    CHECK(w.broken() == 1);
  }
  SECTION("the target said that it is gone") {
    w.creates("r-1");
    w.pass(1s);
    w.checker.source_wrote("c-1", {2, true, true, true, {}});
    w.checker.called(w.call(operation::update, 2, 404), w.now());
    w.pass(1s);
    w.checker.observed(w.waiting(), w.now());
    w.checker.ended(w.waiting(), {{"r-1", "c-1", 1, true}});
    CHECK(w.broken() == 0);
  }
}

TEST_CASE("what a dependent rule found at its activation and looked at all the same breaks property 5") {
  dependent_world w;
  auto seen = w.waiting();
  seen.cursor.activated_at = core::timestamp{2s};
  SECTION("it did") {
    w.checker.ended(seen, {});
    CHECK(w.broken() == 5);
  }
  SECTION("it did not") {
    seen.records.front().row.reset();
    w.checker.ended(seen, {});
    CHECK(w.broken() == 0);
  }
}
