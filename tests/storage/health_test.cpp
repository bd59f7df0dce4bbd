#include "core/request_window.hpp"
#include "storage/health.hpp"
#include "storage/ledger.hpp"
#include "storage/node_state.hpp"
#include "storage/rules.hpp"
#include "storage/runs.hpp"
#include "storage/stops.hpp"
#include "tests/storage/world.hpp"

using namespace sluice;
using namespace sluice::tests;

namespace {

core::rule_facts facts_of(world& here, core::rule_id rule) {
  auto found = must(storage::read_rule_facts(here.db(), rule));
  REQUIRE(found.size() == 1);
  return found.front();
}

} // namespace

TEST_CASE("the facts of a rule that is just there say so") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  const auto facts = facts_of(here, rule.id);
  CHECK(facts.rule == rule.id);
  CHECK(facts.name == rule.name);
  CHECK(facts.public_id == rule.public_id);
  CHECK(facts.source == rule.source);
  CHECK(facts.target == rule.target);
  CHECK(facts.active);
  CHECK(facts.route_open);
  CHECK(facts.updated_at == at());
  CHECK(facts.cursor_updated_at == at());
  CHECK(facts.backfill_until == at());
  CHECK(facts.change_counter == facts.completed_counter);
  CHECK_FALSE(facts.running);
  CHECK_FALSE(facts.ended);
  CHECK_FALSE(facts.completed_at);
  CHECK_FALSE(facts.blocked_until);
  CHECK_FALSE(facts.stops.stopped());
  CHECK(facts.stops.hold == 0);
}

TEST_CASE("facts tell the run in progress, how the latest ended and when the latest was completed") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  const auto completed = must(storage::open_run(here.db(), rule.id, at(1)));
  must(storage::close_run(here.db(), completed, core::run_ending::completed, "", at(2)));
  const auto faulted = must(storage::open_run(here.db(), rule.id, at(3)));
  must(storage::close_run(here.db(), faulted, core::run_ending::faulted, "refused", at(4)));
  const auto running = must(storage::open_run(here.db(), rule.id, at(5)));
  auto facts = facts_of(here, rule.id);
  REQUIRE(facts.running);
  CHECK(facts.running->id == running);
  CHECK(facts.running->started_at == at(5));
  REQUIRE(facts.ended);
  CHECK(facts.ended->id == faulted);
  CHECK(facts.ended->ending == core::run_ending::faulted);
  CHECK(facts.ended->reason == "refused");
  CHECK(facts.ended->started_at == at(3));
  CHECK(facts.ended->ended_at == at(4));
  CHECK(facts.completed_at == at(2));
  must(storage::abandon_runs(here.db(), rule.id, at(6)));
  facts = facts_of(here, rule.id);
  CHECK_FALSE(facts.running);
  CHECK(facts.ended->ending == core::run_ending::abandoned);
  CHECK(facts.completed_at == at(2));
}

TEST_CASE("the first ending of a run is the one the facts tell, and retention does not take it away") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  const auto run = must(storage::open_run(here.db(), rule.id, at(1)));
  must(storage::close_run(here.db(), run, core::run_ending::throttled, "", at(2)));
  must(storage::close_run(here.db(), run, core::run_ending::completed, "", at(3)));
  must(storage::prune_runs(here.db(), at(9), 10));
  const auto facts = facts_of(here, rule.id);
  CHECK(facts.ended->ending == core::run_ending::throttled);
  CHECK_FALSE(facts.completed_at);
}

TEST_CASE("the end of a run is no sign of life of the chain") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  const auto run = must(storage::open_run(here.db(), rule.id, at(1)));
  must(storage::close_run(here.db(), run, core::run_ending::completed, "", at(2)));
  CHECK(facts_of(here, rule.id).cursor_updated_at == at());
}

TEST_CASE("facts name the live stop of every scope and the hold, and none that has ended") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  const auto other = here.add_rule({.name = "other", .target = "erp"});
  const auto stop = [&](core::stop_target target) {
    return must(storage::set_stop(here.db(), {target, "", "ada"}, at(1))).stop.id;
  };
  const auto global = stop({});
  const auto connection = stop({core::stop_scope::connection, rule.target, {}});
  const auto of_rule = stop({core::stop_scope::rule, {}, rule.id});
  const auto hold = must(storage::set_hold(here.db(), rule.id, {30, 100, 25}, at(1))).stop.id;
  auto facts = facts_of(here, rule.id);
  CHECK(facts.stops.global == global);
  CHECK(facts.stops.connection == connection);
  CHECK(facts.stops.rule == of_rule);
  CHECK(facts.stops.hold == hold);
  CHECK(facts_of(here, other.id).stops.global == global);
  CHECK(facts_of(here, other.id).stops.connection == 0);
  CHECK(must(storage::read_installation_facts(here.db())).stopped);
  here.execute("UPDATE delivery_stops SET ended_at = 1");
  facts = facts_of(here, rule.id);
  CHECK_FALSE(facts.stops.stopped());
  CHECK(facts.stops.hold == 0);
  CHECK_FALSE(must(storage::read_installation_facts(here.db())).stopped);
}

TEST_CASE("facts tell that a connection is in error or blocked") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  core::request_window window(60);
  window.block(at(90), at(1));
  must(storage::save_window(here.db(), rule.target, window.to_text(), at(1)));
  must(storage::set_connection_status(here.db(), rule.target, core::connection_status::active,
                                      core::connection_status::error, "401", at(2)));
  const auto facts = facts_of(here, rule.id);
  CHECK(facts.blocked_until == at(90));
  CHECK(facts.target_status == core::connection_status::error);
  CHECK(facts.source_status == core::connection_status::active);
  CHECK_FALSE(facts.route_open);
}

TEST_CASE("the facts of all push-out rules come in id order, those of others not at all") {
  world here(GENERATE(from_range(engines())));
  const auto first = here.add_rule();
  const auto second = here.add_rule({.name = "a-second", .domain = "orders"});
  const auto pulls = here.add_rule({.name = "pulls", .domain = "products"});
  here.execute("UPDATE sync_rules SET direction = 'pull_in' WHERE name = 'pulls'");
  const auto all = must(storage::read_rule_facts(here.db(), std::nullopt));
  REQUIRE(all.size() == 2);
  CHECK(all[0].rule == first.id);
  CHECK(all[1].rule == second.id);
  CHECK(must(storage::read_rule_facts(here.db(), pulls.id)).empty());
}

TEST_CASE("the installation's heartbeat is the dispatcher's") {
  world here(GENERATE(from_range(engines())));
  CHECK_FALSE(must(storage::read_installation_facts(here.db())).heartbeat_at);
  must(storage::write_heartbeat(here.db(), "dispatcher", at(3)));
  CHECK(must(storage::read_installation_facts(here.db())).heartbeat_at == at(3));
}

TEST_CASE("what is due is told by rule with the earliest attempt, and nothing that is still to come") {
  world here(GENERATE(from_range(engines())));
  const auto late = here.add_rule();
  const auto early = here.add_rule({.name = "early", .domain = "orders"});
  const auto off = here.add_rule({.name = "off", .domain = "products"});
  const auto due_at = [&](const core::sync_rule& rule, const std::string& id, core::timestamp due) {
    core::ledger_row row;
    row.source_id = id;
    row.seen_content_changed_at = at();
    row.row_version = 1;
    row.next_attempt_at = due;
    const auto write = [&](storage::session& db) {
      return storage::write_ledger(db, rule.id, std::vector{row}, at());
    };
    REQUIRE(committed(here.db(), write) == 1);
  };
  due_at(late, "c1", at(30));
  due_at(late, "c2", at(20));
  due_at(early, "o1", at(10));
  due_at(off, "p1", at(5));
  here.execute("UPDATE sync_rules SET active = 0 WHERE name = 'off'");
  const auto found_at = [&](double now) { return must(storage::read_overdue(here.db(), at(now))); };
  CHECK(found_at(9).empty());
  REQUIRE(found_at(10).size() == 1);
  CHECK(found_at(10)[0].rule == early.id);
  const auto both = found_at(25);
  REQUIRE(both.size() == 2);
  CHECK(both[0].rule == late.id);
  CHECK(both[0].at == at(20));
  CHECK(both[1].at == at(10));
}
