#include "actors/recorder.hpp"
#include "actors/reply.hpp"
#include "storage/lease.hpp"
#include "storage/node_state.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;

namespace {

struct recorder_world : tests::catch_world {
  recorder_world() : catch_world({.node = false}) {
    add_rule();
    crm = connection_id("crm");
    auto fence = must(storage::acquire_lease(db(), "node", "node-1", {})).mine;
    recorder = spawn(
        "recorder", actors::recorder,
        actors::recorder_resources{std::make_shared<storage::session>(open_session(storage::access::write)),
                                   keys(), &clock(), fence, 15s, 100});
  }

  [[nodiscard]] std::optional<std::string> window() { return must(storage::load_window(db(), crm)); }

  harness::asked<void> keep(const std::string& text, core::connection_id connection) {
    return ask<void>(recorder, m::record_window{connection, text});
  }

  core::connection_id crm{};
  m::recorder recorder;
};

constexpr core::connection_id nobody{999};

} // namespace

TEST_CASE("writes that are queued together are committed by one commit_group") {
  recorder_world w;
  auto first = w.keep("one", w.crm);
  auto second = w.keep("two", w.crm);

  w.expect<m::record_window>().to(w.recorder);
  w.expect<m::record_window>().to(w.recorder);
  CHECK_FALSE(w.window());
  w.expect<m::commit_group>().from(w.recorder).to(w.recorder);
  CHECK(w.window() == "two");
  CHECK_FALSE(w.allow<m::commit_group>().to(w.recorder));
  w.settle();

  CHECK(first.answered());
  CHECK(second.answered());
}

TEST_CASE("nobody is answered before the commit") {
  recorder_world w;
  auto asked = w.keep("one", w.crm);

  w.expect<m::record_window>().to(w.recorder);

  CHECK(w.pending_messages().size() == 1); // the commit_group
  CHECK_FALSE(asked.answered());
}

TEST_CASE("one bad write of a group does not cost the others theirs") {
  recorder_world w;
  auto good = w.keep("one", w.crm);
  auto bad = w.keep("of nobody", nobody);
  auto run = w.ask<m::run_opened>(w.recorder, m::open_run{w.rule_id()});
  w.settle();

  CHECK(good.answered());
  CHECK(run.answered());
  REQUIRE(bad.failed());
  CHECK(actors::fault_of(bad.error()) == m::fault::database_refused);
  CHECK(w.window() == "one");
  CHECK(w.runs().size() == 1);
}

TEST_CASE("a write that nobody waits for is not answered") {
  recorder_world w;

  w.inject(m::abandon_runs{}).from(w.recorder).to(w.recorder);
  w.settle();

  CHECK(w.keep("still here", w.crm).answered() == false);
  w.settle();
  CHECK(w.window() == "still here");
}

TEST_CASE("a recorder whose lease is lost writes nothing and says so") {
  recorder_world w;
  w.must(storage::acquire_lease(w.db(), "node", "node-2", {}));

  auto asked = w.keep("late", w.crm);
  w.settle();

  REQUIRE(asked.failed());
  CHECK(actors::fault_of(asked.error()) == m::fault::lease_lost);
  CHECK_FALSE(w.window());
}

TEST_CASE("a row whose stored version is not the one that was read is a lost race, not a failure") {
  recorder_world w;
  core::ledger_row row;
  row.source_id = "c-1";
  row.status = core::delivery_status::suppressed;
  row.seen_revision = 1;
  row.row_version = 1;
  m::record_outcomes outcomes;
  outcomes.rule = w.rule_id();
  outcomes.rows = {row};

  auto first = w.ask<m::outcomes_recorded>(w.recorder, outcomes);
  w.settle();
  auto second = w.ask<m::outcomes_recorded>(w.recorder, outcomes);
  w.settle();

  CHECK(first.value().lost_races == 0);
  CHECK(second.value().lost_races == 1);
}
