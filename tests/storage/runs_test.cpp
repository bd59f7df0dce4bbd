#include "storage/runs.hpp"
#include "tests/storage/world.hpp"

using namespace sluice;
using namespace sluice::tests;

TEST_CASE("a run counts while it runs and ends once") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  const auto run = must(storage::open_run(here.db(), rule.id, at(1)));
  must(storage::count_run(here.db(), run, {.examined = 3, .created = 2}));
  must(storage::count_run(here.db(), run, {.examined = 1, .skipped = 1}));

  auto listed = must(storage::list_runs(here.db(), rule.id, 10));
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].id == run);
  CHECK(listed[0].public_id.size() == 36);
  CHECK(listed[0].rule_name == rule.name);
  CHECK_FALSE(listed[0].ending.has_value());
  CHECK_FALSE(listed[0].ended_at.has_value());

  CHECK(must(storage::close_run(here.db(), run, core::run_ending::faulted, "target refused", at(2))));
  CHECK_FALSE(must(storage::close_run(here.db(), run, core::run_ending::completed, "", at(3))));
  must(storage::count_run(here.db(), run, {.examined = 100}));
  listed = must(storage::list_runs(here.db(), rule.id, 10));
  CHECK(listed[0].ending == core::run_ending::faulted);
  CHECK(listed[0].reason == "target refused");
  CHECK(listed[0].ended_at == at(2));
  CHECK(listed[0].counts == core::run_counts{.examined = 4, .created = 2, .skipped = 1});
}

TEST_CASE("runs left by a dead chain are abandoned, those of others are not") {
  world here(GENERATE(from_range(engines())));
  const auto one = here.add_rule();
  const auto two = here.add_rule({.name = "orders-to-crm", .domain = "orders"});
  const auto ended = must(storage::open_run(here.db(), one.id, at(1)));
  must(storage::close_run(here.db(), ended, core::run_ending::completed, "", at(2)));
  must(storage::open_run(here.db(), one.id, at(3)));
  must(storage::open_run(here.db(), two.id, at(3)));

  CHECK(must(storage::abandon_runs(here.db(), one.id, at(4))) == 1);
  auto listed = must(storage::list_runs(here.db(), std::nullopt, 10));
  REQUIRE(listed.size() == 3);
  CHECK_FALSE(listed[0].ending.has_value());
  CHECK(listed[1].ending == core::run_ending::abandoned);
  CHECK(listed[2].ending == core::run_ending::completed);
  CHECK(must(storage::abandon_runs(here.db(), std::nullopt, at(5))) == 1);
  CHECK(must(storage::list_runs(here.db(), std::nullopt, 2)).size() == 2);
}

TEST_CASE("a rule whose latest run faulted or met an open circuit is listed as broken off") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  const auto end_run = [&](double started, core::run_ending ending) {
    const auto run = must(storage::open_run(here.db(), rule.id, at(started)));
    must(storage::close_run(here.db(), run, ending, "because", at(started + 1)));
  };
  CHECK(must(storage::list_broken_off(here.db(), at(0))).empty());
  end_run(10, core::run_ending::faulted);
  const auto listed = must(storage::list_broken_off(here.db(), at(10)));
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].rule_name == rule.name);
  CHECK(listed[0].ending == core::run_ending::faulted);
  CHECK(listed[0].reason == "because");
  CHECK(must(storage::list_broken_off(here.db(), at(11))).empty());
  end_run(20, core::run_ending::breaker_open);
  CHECK(must(storage::list_broken_off(here.db(), at(10))).size() == 1);
  end_run(30, core::run_ending::completed);
  CHECK(must(storage::list_broken_off(here.db(), at(10))).empty());
}

TEST_CASE("a chain that opened no run leaves one where the rule's state has to change") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  const auto record = [&](core::run_ending ending, double second) {
    return must(storage::record_ending(here.db(), rule.id, ending, "because", at(second)));
  };
  CHECK_FALSE(record(core::run_ending::completed, 1)); // nothing had gone wrong
  CHECK(record(core::run_ending::faulted, 2));
  CHECK(must(storage::list_broken_off(here.db(), at(0))).size() == 1);
  CHECK(record(core::run_ending::completed, 3));
  CHECK_FALSE(record(core::run_ending::completed, 4));
  CHECK(must(storage::list_broken_off(here.db(), at(0))).empty());

  const auto listed = must(storage::list_runs(here.db(), rule.id, 10));
  REQUIRE(listed.size() == 2);
  CHECK(listed[0].ending == core::run_ending::completed);
  CHECK(listed[1].reason == "because");
  CHECK(listed[1].ended_at == at(2));
}

TEST_CASE("pruning removes the oldest runs in bounded batches") {
  world here(GENERATE(from_range(engines())));
  const auto rule = here.add_rule();
  for (int second = 0; second < 5; ++second)
    must(storage::open_run(here.db(), rule.id, at(second)));
  CHECK(must(storage::prune_runs(here.db(), at(4), 3)) == 3);
  CHECK(must(storage::prune_runs(here.db(), at(4), 3)) == 1);
  CHECK(must(storage::prune_runs(here.db(), at(4), 3)) == 0);
  const auto left = must(storage::list_runs(here.db(), rule.id, 10));
  REQUIRE(left.size() == 1);
  CHECK(left[0].started_at == at(4));
}
