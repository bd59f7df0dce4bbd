#include "actors/recorder.hpp"
#include "actors/reply.hpp"
#include "storage/cursor.hpp"
#include "storage/ledger.hpp"
#include "storage/stops.hpp"
#include "storage/volume.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace std::chrono_literals;
namespace m = messages;

namespace {

struct decision_world : tests::catch_world {
  decision_world() : catch_world({.node = false}) {
    add_rule();
    recorder = spawn(
        "recorder", actors::recorder,
        actors::recorder_resources{std::make_shared<storage::session>(open_session(storage::access::write)),
                                   keys(), &clock(), std::nullopt, 15s, 100});
  }

  template <class Answer, class Message>
  auto asked(Message message) {
    auto made = ask<Answer>(recorder, std::move(message));
    settle();
    return made;
  }

  template <class Answer, class Message>
  Answer answer_to(Message message) {
    return asked<Answer>(std::move(message)).value();
  }

  [[nodiscard]] core::delivery_cursor cursor() { return *must(storage::find_cursor(db(), rule_id())); }

  [[nodiscard]] core::stop_target whole_rule() { return {core::stop_scope::rule, {}, rule_id()}; }

  [[nodiscard]] m::record_outcomes outcomes_of(const std::string& source_id) {
    core::ledger_row row;
    row.source_id = source_id;
    row.status = core::delivery_status::delivered;
    row.target = core::target_state::active;
    row.remote_id = "r-" + source_id;
    row.row_version = 1;
    m::record_outcomes made;
    made.rule = rule_id();
    made.rows = {row};
    made.known_delta = 1;
    return made;
  }

  [[nodiscard]] std::int64_t withdrawn() {
    core::scan_query query;
    query.rule = rule_id();
    query.volume_window = 1h;
    query.now = now();
    return must(storage::count_scan_volume(db(), query, storage::scan_range::delta)).withdrawn;
  }

  m::recorder recorder;
};

} // namespace

TEST_CASE("a stop is answered once it is committed, and ended by where it holds or by its id") {
  decision_world w;
  auto waiting = w.ask<core::stop_in_force>(w.recorder, m::record_stop{{w.whole_rule(), "why", "ada"}});
  w.expect<m::record_stop>().to(w.recorder);
  CHECK(w.must(storage::live_stops(w.db())).empty());
  w.settle();
  CHECK_FALSE(waiting.value().was_live);
  CHECK(w.must(storage::live_stops(w.db())).size() == 1);

  const auto ended = w.answer_to<core::delivery_stop>(m::record_stop_end{"", w.whole_rule(), "bob"});
  CHECK(ended.ended_by == "bob");
  const auto again = w.answer_to<core::stop_in_force>(m::record_stop{{w.whole_rule(), "why", "ada"}});
  const auto by_id = w.answer_to<core::delivery_stop>(m::record_stop_end{again.stop.public_id, {}, "bob"});
  CHECK(by_id.id == again.stop.id);
  auto gone = w.asked<core::delivery_stop>(m::record_stop_end{again.stop.public_id, {}, "bob"});
  REQUIRE(gone.failed());
  CHECK(actors::fault_of(gone.error()) == m::fault::not_found);
}

TEST_CASE("a hold is set, released and its release consumed") {
  decision_world w;
  const auto hold = w.answer_to<core::stop_in_force>(m::record_hold{w.rule_id(), {501, 5000, 500}});
  const auto release = w.answer_to<core::delivery_stop>(m::record_release{hold.stop.public_id, 501, "ada"});
  CHECK(release.allowed_withdrawals == 501);
  CHECK(w.answer_to<m::stop_changed>(m::record_release_consumed{release.id}).changed);
  CHECK_FALSE(w.answer_to<m::stop_changed>(m::record_release_consumed{release.id}).changed);
  auto refused = w.asked<core::delivery_stop>(m::record_hold_discarded{hold.stop.public_id, "bob"});
  REQUIRE(refused.failed());
  CHECK(actors::fault_of(refused.error()) == m::fault::refused);
}

TEST_CASE("a hold heals, or is discarded") {
  decision_world w;
  const auto first = w.answer_to<core::stop_in_force>(m::record_hold{w.rule_id(), {30, 100, 25}});
  CHECK(w.answer_to<m::stop_changed>(m::record_hold_healed{first.stop.id}).changed);
  const auto second = w.answer_to<core::stop_in_force>(m::record_hold{w.rule_id(), {30, 100, 25}});
  const auto discarded =
      w.answer_to<core::delivery_stop>(m::record_hold_discarded{second.stop.public_id, "bob"});
  CHECK(discarded.resolution == core::stop_resolution::resumed);
}

TEST_CASE("a backfill is aborted and started anew, and a start that is refused writes nothing") {
  decision_world w;
  const auto first = w.cursor();
  const m::record_backfill_abort abort{w.rule_id(), *first.backfill_until, first.backfill_generation};
  CHECK(w.answer_to<m::backfill_aborted>(abort).aborted);
  CHECK_FALSE(w.answer_to<m::backfill_aborted>(abort).aborted);
  w.put_record("c-1");
  w.advance(1s);
  core::backfill_start start{w.rule_id(), w.now(), false, 1, 0, "ada"};
  auto refused = w.asked<core::delivery_cursor>(m::record_backfill_start{start});
  REQUIRE(refused.failed());
  CHECK_FALSE(w.cursor().backfill_until);
  start.creates = 1;
  CHECK(w.answer_to<core::delivery_cursor>(m::record_backfill_start{start}).backfill_until == start.until);
}

TEST_CASE("outcomes raise what the target holds and what was withdrawn, together with their rows") {
  decision_world w;
  auto outcomes = w.outcomes_of("c-1");
  outcomes.withdrawn = 3;
  w.answer_to<m::outcomes_recorded>(outcomes);
  CHECK(w.cursor().known_records == 1);
  CHECK(w.withdrawn() == 3);
}

TEST_CASE("after a lost race what the target holds is counted anew") {
  decision_world w;
  w.answer_to<m::outcomes_recorded>(w.outcomes_of("c-1"));
  const auto raced = w.answer_to<m::outcomes_recorded>(w.outcomes_of("c-1"));
  CHECK(raced.lost_races == 1);
  CHECK(w.cursor().known_records == 1);
}

TEST_CASE("terminal rows are reopened by a batch") {
  decision_world w;
  auto outcomes = w.outcomes_of("c-1");
  outcomes.rows[0].status = core::delivery_status::exhausted;
  w.answer_to<m::outcomes_recorded>(outcomes);
  const auto begun =
      w.answer_to<core::rule_job>(m::record_job_start{{w.rule_id(), core::row_act::reopen, {}, "ada"}});
  CHECK(begun.counted == 1);
  const auto done = w.answer_to<core::job_step>(m::record_job_step{w.rule_id(), 100});
  CHECK(done.rows == 1);
  REQUIRE(done.job);
  CHECK(done.job->ending == core::job_ending::completed);
  CHECK(w.must(storage::next_due(w.db(), w.rule_id())) == w.now());
}

TEST_CASE("old counts of withdrawals go with old runs") {
  decision_world w;
  auto outcomes = w.outcomes_of("c-1");
  outcomes.withdrawn = 3;
  w.answer_to<m::outcomes_recorded>(outcomes);
  w.inject(m::prune_runs{w.now(), w.now() - 1h}).from(w.recorder).to(w.recorder);
  w.settle();
  CHECK(w.withdrawn() == 3);
  w.inject(m::prune_runs{w.now(), w.now() + 1h}).from(w.recorder).to(w.recorder);
  w.settle();
  CHECK(w.withdrawn() == 0);
}
