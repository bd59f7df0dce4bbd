#include "storage/rule_jobs.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::delivery_status;
using core::row_act;

namespace {

core::ledger_row ended_row(const std::string& id, delivery_status status,
                           const std::string& error_class = "http_500") {
  auto row = delivered_row(id, at(1));
  row.status = status;
  row.error_class = error_class;
  row.attempts = 5;
  return row;
}

core::ledger_row waiting_row(const std::string& id, core::timestamp until) {
  auto row = ended_row(id, delivery_status::failed);
  row.attempts = 2;
  row.next_attempt_at = until;
  return row;
}

struct job_world : delivery_world {
  using delivery_world::delivery_world;

  core::ledger_row row_of(const std::string& id) {
    return *must(storage::find_ledger_row(db(), rule.id, id));
  }

  storage::result<core::ledger_row> offer(row_act act, const std::string& id, core::timestamp now) {
    return storage::transact(
        db(), [&](storage::session& within) { return storage::offer_row(within, rule.id, act, id, now); });
  }

  storage::result<core::rule_job> start(row_act act, core::timestamp now,
                                        const core::row_choice& which = {}) {
    return storage::transact(db(), [&](storage::session& within) {
      return storage::start_job(within, {rule.id, act, which, "ada"}, now);
    });
  }

  core::job_step step(std::int64_t limit, core::timestamp now) {
    return committed(
        db(), [&](storage::session& within) { return storage::continue_job(within, rule.id, limit, now); });
  }

  storage::result<core::rule_job> cancel(const std::string& id, core::timestamp now) {
    return storage::transact(
        db(), [&](storage::session& within) { return storage::cancel_job(within, rule.id, id, "bob", now); });
  }

  /// "r0" to "r4", exhausted at 5 s.
  void exhaust_five() {
    std::vector<core::ledger_row> rows;
    for (int n = 0; n < 5; ++n)
      rows.push_back(ended_row("r" + std::to_string(n), delivery_status::exhausted));
    write(rows, at(5));
  }

  std::string exhausted() {
    return value("SELECT count(*) FROM outbound_deliveries WHERE status = 'exhausted'");
  }
};

} // namespace

TEST_CASE("a terminal row that is reopened is due at once with its attempts counted anew") {
  job_world world(GENERATE(from_range(engines())));
  const auto status = GENERATE(delivery_status::remote_gone, delivery_status::exhausted);
  const auto before = ended_row("a", status);
  world.write({before, ended_row("b", status)});
  const auto row = must(world.offer(row_act::reopen, "a", at(9)));
  CHECK(row == world.row_of("a"));
  CHECK(row.status == delivery_status::failed);
  CHECK(row.attempts == 0);
  CHECK(row.next_attempt_at == at(9));
  CHECK(row.row_version == before.row_version + 1);
  CHECK(row.target == before.target);
  CHECK(world.row_of("b").status == status);
  CHECK(must(storage::next_due(world.db(), world.rule.id)) == at(9));
}

TEST_CASE("a row that is retried is due at once, keeps its attempts, and leaves its version to who has it") {
  job_world world(GENERATE(from_range(engines())));
  auto expected = waiting_row("a", at(100));
  world.write({expected, waiting_row("b", at(100))}, at(5));
  const auto row = must(world.offer(row_act::retry, "a", at(9)));
  expected.next_attempt_at = at(9);
  CHECK(row == expected);
  CHECK(world.row_of("a") == expected);
  CHECK(world.row_of("b").next_attempt_at == at(100));
}

TEST_CASE("an act on one row that is not for it is refused with the reason and changes nothing") {
  job_world world(GENERATE(from_range(engines())));
  auto trashed = ended_row("trashed", delivery_status::exhausted);
  trashed.trashed = true;
  world.write({waiting_row("waits", at(100)), waiting_row("due", at(8)), trashed,
               ended_row("ended", delivery_status::exhausted)});
  const auto refused = [&](row_act act, const std::string& id) {
    const auto before = world.row_of(id);
    const auto answer = world.offer(act, id, at(9));
    REQUIRE_FALSE(answer);
    CHECK(world.row_of(id) == before);
    return answer.error().code;
  };
  CHECK(refused(row_act::reopen, "waits") == storage::error::refused);
  CHECK(refused(row_act::reopen, "trashed") == storage::error::refused);
  CHECK(refused(row_act::retry, "due") == storage::error::refused);
  CHECK(refused(row_act::retry, "ended") == storage::error::refused);
  CHECK(world.offer(row_act::retry, "nobody", at(9)).error().code == storage::error::not_found);
}

TEST_CASE("a job counts its rows and offers them in bounded batches, position and rows together") {
  job_world world(GENERATE(from_range(engines())));
  world.exhaust_five();
  const auto begun = must(world.start(row_act::reopen, at(9)));
  CHECK(begun.counted == 5);
  CHECK(begun.done == 0);
  CHECK(begun.live());
  CHECK(begun.started_by == "ada");
  CHECK(begun.started_at == at(9));
  const auto first = world.step(2, at(10));
  CHECK(first.rows == 2);
  CHECK(first.job->done == 2);
  CHECK(first.job->position == "r1");
  CHECK(first.job->live());
  CHECK(world.step(2, at(11)).job->position == "r3");
  const auto last = world.step(2, at(12));
  CHECK(last.rows == 1);
  CHECK(last.job->done == 5);
  CHECK(last.job->ending == core::job_ending::completed);
  CHECK(last.job->ended_at == at(12));
  CHECK(must(storage::find_job(world.db(), world.rule.id, begun.public_id)) == last.job);
  CHECK_FALSE(world.step(2, at(13)).job);
  CHECK(world.exhausted() == "0");
}

TEST_CASE("a batch that is rolled back leaves rows and position where they were, and is done once") {
  job_world world(GENERATE(from_range(engines())));
  world.exhaust_five();
  const auto id = must(world.start(row_act::reopen, at(9))).public_id;
  world.step(2, at(10));
  const auto crashed = storage::transact(world.db(), [&](storage::session& within) -> storage::result<void> {
    const auto done = must(storage::continue_job(within, world.rule.id, 2, at(11)));
    CHECK(done.rows == 2);
    return std::unexpected{storage::failure{storage::error::unavailable, "the node died here"}};
  });
  REQUIRE_FALSE(crashed);
  const auto found = must(storage::find_job(world.db(), world.rule.id, id));
  CHECK(found->position == "r1");
  CHECK(found->done == 2);
  CHECK(world.exhausted() == "3");
  CHECK(world.step(200, at(12)).job->done == 5);
  for (int n = 0; n < 5; ++n)
    CHECK(world.row_of("r" + std::to_string(n)).row_version == 2);
}

TEST_CASE("a job takes what its status, error and time name, and its count is the same") {
  job_world world(GENERATE(from_range(engines())));
  world.exhaust_five();
  world.write({ended_row("other-error", delivery_status::exhausted, "http_404"),
               ended_row("gone", delivery_status::remote_gone),
               ended_row("done", delivery_status::delivered)},
              at(5));
  world.write({ended_row("too-early", delivery_status::exhausted)}, at(4));
  world.write({ended_row("too-late", delivery_status::exhausted)}, at(6));
  core::row_choice which;
  which.status = delivery_status::exhausted;
  which.error_class = "http_500";
  which.from = at(5);
  which.until = at(6);
  CHECK(must(storage::count_rows(world.db(), world.rule.id, row_act::reopen, which, at(9))) == 5);
  CHECK(must(storage::count_rows(world.db(), world.rule.id, row_act::reopen, {}, at(9))) == 9);
  CHECK(must(storage::count_rows(world.db(), world.rule.id, row_act::retry, {}, at(9))) == 0);
  const auto begun = must(world.start(row_act::reopen, at(9), which));
  CHECK(begun.which == which);
  CHECK(begun.counted == 5);
  CHECK(world.step(200, at(10)).rows == 5);
  for (const auto* id : {"other-error", "too-early", "too-late"})
    CHECK(world.row_of(id).status == delivery_status::exhausted);
  CHECK(world.row_of("gone").status == delivery_status::remote_gone);
  CHECK(world.row_of("done").status == delivery_status::delivered);
}

TEST_CASE("what comes into the state after a job began is not touched by it") {
  job_world world(GENERATE(from_range(engines())));
  world.exhaust_five();
  must(world.start(row_act::reopen, at(9)));
  world.step(2, at(10));
  auto again = world.row_of("r4"); // written anew while the job is on its way to it
  ++again.row_version;
  world.write({again}, at(11));
  world.write({ended_row("r9", delivery_status::exhausted)}, at(11));
  CHECK(world.step(200, at(12)).job->done == 4);
  CHECK(world.row_of("r4") == again);
  CHECK(world.row_of("r9").status == delivery_status::exhausted);
}

TEST_CASE("a bulk retry takes what waits, and leaves what fell due meanwhile to the drain") {
  job_world world(GENERATE(from_range(engines())));
  world.write({waiting_row("a", at(100)), waiting_row("b", at(11)), waiting_row("c", at(100)),
               ended_row("d", delivery_status::exhausted)},
              at(5));
  CHECK(must(world.start(row_act::retry, at(9))).counted == 3);
  const auto done = world.step(200, at(12));
  CHECK(done.rows == 2);
  CHECK(done.job->ending == core::job_ending::completed);
  CHECK(world.row_of("a").next_attempt_at == at(12));
  CHECK(world.row_of("b").next_attempt_at == at(11));
  CHECK(world.row_of("c").attempts == 2);
  CHECK(world.row_of("d").status == delivery_status::exhausted);
}

TEST_CASE("a rule has one live job, and a second start names it") {
  job_world world(GENERATE(from_range(engines())));
  world.exhaust_five();
  const auto first = must(world.start(row_act::reopen, at(9)));
  const auto second = world.start(row_act::retry, at(10));
  REQUIRE_FALSE(second);
  CHECK(second.error().code == storage::error::refused);
  CHECK_THAT(second.error().detail, Catch::Matchers::Contains(first.public_id));
  CHECK(must(storage::rules_with_jobs(world.db())) == std::vector{world.rule.id});
  CHECK(world.refuses("INSERT INTO rule_jobs (public_id, rule_id, act, counted, started_at, started_by) "
                      "VALUES ('x', "
                      + std::to_string(world.rule.id.value) + ", 'retry', 0, 1, 'me')"));
  must(world.cancel(first.public_id, at(11)));
  CHECK(must(storage::rules_with_jobs(world.db())).empty());
  CHECK(must(world.start(row_act::retry, at(12))).public_id != first.public_id);
}

TEST_CASE("a job that is cancelled keeps what it has done, and is cancelled once") {
  job_world world(GENERATE(from_range(engines())));
  world.exhaust_five();
  const auto id = must(world.start(row_act::reopen, at(9))).public_id;
  world.step(2, at(10));
  const auto ended = must(world.cancel(id, at(11)));
  CHECK(ended.ending == core::job_ending::cancelled);
  CHECK(ended.ended_by == "bob");
  CHECK(ended.done == 2);
  CHECK_FALSE(world.step(2, at(12)).job);
  CHECK(world.exhausted() == "3");
  CHECK(world.cancel(id, at(13)).error().code == storage::error::refused);
  CHECK(world.cancel("no-such-job", at(13)).error().code == storage::error::not_found);
}

TEST_CASE("jobs are listed by the page, newest first") {
  job_world world(GENERATE(from_range(engines())));
  std::vector<std::string> ids;
  for (int n = 0; n < 3; ++n) {
    ids.push_back(must(world.start(row_act::retry, at(9 + n))).public_id);
    world.step(2, at(9 + n));
  }
  auto page = must(storage::list_jobs(world.db(), {world.rule.id, 0, 2}));
  REQUIRE(page.size() == 2);
  CHECK(page[0].public_id == ids[2]);
  page = must(storage::list_jobs(world.db(), {world.rule.id, page[1].id, 2}));
  REQUIRE(page.size() == 1);
  CHECK(page[0].public_id == ids[0]);
  CHECK_FALSE(must(storage::find_job(world.db(), core::rule_id{999}, ids[0])));
}
