#include "actors/rule_jobs.hpp"
#include "actors/sync_rule.hpp"
#include "harness/mocks.hpp"
#include "messages/fault.hpp"
#include "storage/rule_jobs.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace sluice;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using core::delivery_status;
using core::row_act;
using tests::catch_world;
namespace m = messages;

namespace {

/// The second failure of a record is its last.
config::settings a_row_a_batch() {
  config::settings settings;
  settings.delivery.drain_chunk_size = 1;
  settings.delivery.retry_schedule = {1min};
  settings.circuit.failures = 1000;
  return settings;
}

/// A rule whose job takes its rows one by one.
struct job_world : catch_world {
  explicit job_world(int records = 0) : catch_world({.settings = a_row_a_batch()}) {
    add_rule();
    if (records > 0)
      exhaust(records);
  }

  /// "c-1" to "c-N" are exhausted, and the target is well again.
  void exhaust(int records) {
    target().on("POST", harness::answer(422));
    put_records(records);
    advance(5min);
    REQUIRE(count_rows(delivery_status::exhausted) == records);
    target().behave();
  }

  harness::asked<core::rule_job> start(row_act act, const core::row_choice& which = {}) {
    return ask<core::rule_job>(dispatcher(), m::start_job{{rule_id(), act, which, "ada"}});
  }

  /// Newest first.
  std::vector<core::rule_job> jobs() { return must(storage::list_jobs(db(), {rule_id()})); }
};

std::string text_of(const caf::error& error) {
  return error.context().get_as<std::string>(0);
}

/// Of the three rows of a job that was interrupted in any way: it did all of them once, or never began.
void check_all_or_none(job_world& w) {
  const auto jobs = w.jobs();
  if (jobs.empty()) {
    CHECK(w.count_rows(delivery_status::exhausted) == 3);
    return;
  }
  REQUIRE(jobs.size() == 1);
  CHECK(jobs[0].ending == core::job_ending::completed);
  CHECK(jobs[0].counted == 3);
  CHECK(jobs[0].done == 3);
  CHECK(w.count_rows(delivery_status::delivered) == 3);
  CHECK(w.target().objects().size() == 3);
}

} // namespace

TEST_CASE("a failed record that a person retries does not wait for its next attempt") {
  catch_world w;
  w.add_rule();
  w.target().next(harness::answer(422));
  w.put_record("c-1");
  w.settle();
  REQUIRE(w.status("c-1") == "failed");

  const auto act = m::offer_record{w.rule_id(), row_act::retry, "c-1", "ada"};
  auto retried = w.ask<core::ledger_row>(w.dispatcher(), act);
  w.settle();

  REQUIRE(retried.answered());
  CHECK(retried.value().attempts == 1);
  CHECK(retried.value().next_attempt_at == w.now());
  CHECK(w.status("c-1") == "delivered");
  auto again = w.ask<core::ledger_row>(w.dispatcher(), act);
  w.settle();
  REQUIRE(again.failed());
  CHECK_THAT(text_of(again.error()), Contains("delivered"));
}

TEST_CASE("a retry that fails counts on where the schedule was") {
  catch_world w;
  w.add_rule();
  w.target().on("POST", harness::answer(422));
  w.put_record("c-1");
  w.settle();

  auto retried =
      w.ask<core::ledger_row>(w.dispatcher(), m::offer_record{w.rule_id(), row_act::retry, "c-1", "ada"});
  w.settle();

  REQUIRE(retried.answered());
  CHECK(w.status("c-1") == "failed");
  CHECK(w.row("c-1")->attempts == 2);
  CHECK(w.row("c-1")->next_attempt_at >= w.now() + 5min);
}

TEST_CASE("many failed records are retried by a job, those of an error alone where one is named") {
  job_world w;
  w.target().next(harness::answer(422));
  w.put_record("rejected");
  w.settle();
  w.target().next(harness::answer(404));
  w.put_record("nowhere");
  w.settle();
  REQUIRE(w.count_rows(delivery_status::failed) == 2);

  core::row_choice which;
  which.error_class = w.row("rejected")->error_class;
  REQUIRE(which.error_class != w.row("nowhere")->error_class);
  auto begun = w.start(row_act::retry, which);
  w.settle();

  REQUIRE(begun.answered());
  CHECK(begun.value().counted == 1);
  CHECK(begun.value().live());
  CHECK(w.jobs().at(0).ending == core::job_ending::completed);
  CHECK(w.jobs().at(0).done == 1);
  CHECK(w.status("rejected") == "delivered");
  CHECK(w.status("nowhere") == "failed");
}

TEST_CASE("a job whose node is killed at any message is done to its end by the next, each row once") {
  const auto messages = GENERATE(range(0, 90, 2));
  job_world w{3};
  auto begun = w.start(row_act::reopen);
  for (int delivered = 0; delivered < messages && w.deliver_next(); ++delivered) {
  }

  w.crash_and_restart();
  w.advance(1h);

  check_all_or_none(w);
}

TEST_CASE("a job whose rule actor dies at any message goes on in the next one") {
  const auto messages = GENERATE(range(0, 60, 2));
  job_world w{3};
  auto begun = w.start(row_act::reopen);
  for (int delivered = 0; delivered < messages && w.deliver_next(); ++delivered) {
  }

  w.kill(w.rule());
  w.advance(1h);

  check_all_or_none(w);
}

TEST_CASE("a rule has one job at a time, and a second one is told which") {
  job_world w{20};
  auto first = w.start(row_act::reopen);
  auto second = w.start(row_act::reopen);
  w.settle();

  REQUIRE(first.answered());
  REQUIRE(second.failed());
  CHECK_THAT(text_of(second.error()), Contains(first.value().public_id));
  CHECK(w.jobs().size() == 1);
}

TEST_CASE("a job that a person cancels leaves the rest as it was, and another may begin") {
  job_world w{20};
  auto begun = w.start(row_act::reopen);
  w.settle_before<m::record_job_step>();
  const auto id = w.jobs().at(0).public_id;
  auto cancelled = w.ask<core::rule_job>(w.dispatcher(), m::cancel_job{w.rule_id(), id, "bob"});
  w.settle();

  REQUIRE(cancelled.answered());
  CHECK(cancelled.value().ending == core::job_ending::cancelled);
  CHECK(cancelled.value().ended_by == "bob");
  const auto done = w.jobs().at(0).done;
  CHECK(done < 20);
  CHECK(w.count_rows(delivery_status::exhausted) == 20 - done);
  CHECK(w.count_rows(delivery_status::delivered) == done);
  auto next = w.start(row_act::reopen);
  w.settle();
  CHECK(next.value().counted == 20 - done);
  CHECK(w.count_rows(delivery_status::delivered) == 20);
}

TEST_CASE("what a job offers and fails for good again is not offered twice by it") {
  job_world w;
  w.exhaust(2);
  w.target().on("POST", harness::answer(422));
  auto begun = w.start(row_act::reopen);
  w.advance(5min);

  REQUIRE(begun.answered());
  CHECK(w.jobs().at(0).done == 2);
  CHECK(w.count_rows(delivery_status::exhausted) == 2);
  CHECK(w.row("c-1")->attempts == 2);
}

TEST_CASE("no job begins under a rule that is switched off") {
  job_world w{1};
  w.change_rule("customers", {.active = false});
  w.settle();

  auto begun = w.start(row_act::reopen);
  w.settle();

  REQUIRE(begun.failed());
  CHECK_THAT(text_of(begun.error()), Contains("switched off"));
  CHECK(w.jobs().empty());
}

TEST_CASE("a batch the database does not take is asked for again after a pause") {
  catch_world w{{.node = false}};
  auto recorder = w.mock<m::recorder>("recorder");
  auto alarm = w.mock<m::alarm>("alarm");
  auto dispatcher = w.mock<m::dispatcher>("dispatcher");
  recorder.on<m::record_job_step>([](const m::record_job_step&) {
    return caf::make_error(m::fault::database_unavailable, "the database is away");
  });
  alarm.accept<m::set_timer>();
  dispatcher.accept<m::chain_wanted>();
  auto node = std::make_shared<actors::node_links>();
  node->recorder = recorder.actor();
  node->alarm = alarm.actor();
  node->time = &w.clock();
  node->settings = &w.settings();
  auto rule = w.spawn("rule", actors::sync_rule, core::rule_id{7},
                      actors::rule_links{node, {}, {}, {}, dispatcher.actor()});

  w.inject(m::continue_job{}).to(rule);
  w.settle();

  CHECK(dispatcher.got<m::chain_wanted>().size() == 1);
  CHECK(recorder.got<m::record_job_step>().size() == 1);
  const auto timers = alarm.got<m::set_timer>();
  REQUIRE(timers.size() == 1);
  CHECK(timers[0].after == w.settings().delivery.dispatch_interval);
  recorder.on<m::record_job_step>([](const m::record_job_step&) { return core::job_step{}; });
  w.inject(m::alarm_rang{timers[0].token}).to(rule);
  w.settle();
  CHECK(recorder.got<m::record_job_step>().size() == 2);
  CHECK(alarm.got<m::set_timer>().size() == 1);
}
