#include "storage/audit.hpp"
#include "storage/replay_jobs.hpp"
#include "tests/storage/push_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using core::attempt_ending;
using enum core::delivery_state;

namespace {

using list = std::vector<std::int64_t>;
using states = std::vector<core::delivery_state>;

/// Every event of the tests, dead deliveries where nothing else is said.
core::replay_choice all_of(states which = {dead}) {
  return {at(0), at(1000), std::move(which)};
}

struct replay_world : push_world {
  explicit replay_world(storage::engine kind = GENERATE(from_range(engines()))) : push_world(kind) {}

  /// An event that occurred then, with its delivery.
  void deliver_at(double seconds) {
    publish_many(1, at(seconds));
    fan_out_to(hook, {}, at(seconds));
  }

  /// So many events of 1 s, 2 s, …, whose deliveries are dead at 21 s.
  void kill(int count) {
    for (int n = 1; n <= count; ++n)
      deliver_at(n);
    end_all(20, attempt_ending::permanent);
  }

  storage::result<core::replay_job> start(const core::replay_choice& which, double seconds = 30,
                                          const core::replay_limits& limits = {}) {
    return start(hook, which, seconds, limits);
  }
  storage::result<core::replay_job> start(const core::subscription& of, const core::replay_choice& which,
                                          double seconds, const core::replay_limits& limits = {}) {
    return storage::transact(db(), [&](storage::session& in) {
      return storage::start_replay(in, {of.id, which, limits, "ada"}, at(seconds));
    });
  }

  storage::result<std::int64_t> count(const core::replay_choice& which,
                                      const core::replay_limits& limits = {}) {
    auto reading = session(storage::access::read);
    return storage::count_replay(reading, hook.id, which, limits);
  }

  core::replay_step step(std::int64_t limit, double seconds, std::int64_t after_id = 0) {
    return committed(db(), [&](storage::session& in) {
      return storage::continue_replay(in, after_id, limit, at(seconds));
    });
  }

  storage::result<core::replay_job> cancel(const std::string& id, double seconds) {
    return storage::transact(db(), [&](storage::session& in) {
      return storage::cancel_replay(in, hook.id, id, "bob", at(seconds));
    });
  }

  list in_state(core::delivery_state state) {
    core::event_delivery_page page;
    page.subscription = hook.id;
    page.state = state;
    list found;
    for (const auto& one : must(storage::list_event_deliveries(db(), page)))
      found.insert(found.begin(), one.position.value);
    return found;
  }

  std::vector<core::audit_entry> audited(const std::string& act) {
    core::audit_page page;
    page.act = act;
    return must(storage::list_audit(db(), page));
  }
};

} // namespace

TEST_CASE("a replay counts its deliveries and restarts them batch by batch, position and rows together") {
  replay_world w;
  w.kill(5);
  const auto begun = must(w.start(all_of()));
  CHECK(begun.counted == 5);
  CHECK(begun.live());
  CHECK(begun.started_at == at(30));
  CHECK(begun.started_by == "ada");
  const auto first = w.step(2, 31);
  CHECK(first.deliveries == 2);
  CHECK(first.job->done == 2);
  CHECK(first.job->position.value == 2);
  CHECK(first.job->live());
  CHECK(w.in_state(pending) == list{1, 2});
  const auto restarted = w.delivery(w.hook, 1).progress;
  CHECK(restarted.attempts == 1);
  CHECK(restarted.round_attempts == 0);
  CHECK(restarted.due_at == at(31));
  CHECK(w.step(2, 32).job->live());
  const auto last = w.step(2, 33);
  CHECK(last.deliveries == 1);
  CHECK(last.job->done == 5);
  CHECK(last.job->ending == core::job_ending::completed);
  CHECK(last.job->ended_at == at(33));
  CHECK(must(storage::find_replay(w.db(), w.hook.id, begun.public_id)) == last.job);
  CHECK_FALSE(w.step(2, 34).job);
  CHECK(positions(w.claim_at(35)) == list{1, 2, 3, 4, 5});
}

TEST_CASE("a replay is for events of its window whose deliveries are in a state it names") {
  replay_world w;
  w.deliver_at(1);
  w.deliver_at(2);
  w.end_all(3, attempt_ending::acknowledged);
  w.deliver_at(5);
  w.deliver_at(6);
  w.end_all(7, attempt_ending::permanent);
  w.deliver_at(9);
  w.end_all(10, attempt_ending::transient, at(500));
  w.deliver_at(12);
  CHECK(w.count(all_of()) == 2);
  CHECK(w.count(all_of({delivered, dead, retrying})) == 5);
  CHECK(w.count({at(2), at(6), {delivered, dead}}) == 2);
  CHECK(w.count({at(100), at(200), {dead}}) == 0);
  CHECK(must(w.start({at(2), at(10), {delivered, dead, retrying}})).counted == 4);
  CHECK(w.step(100, 31).deliveries == 4);
  CHECK(w.in_state(delivered) == list{1});
  CHECK(w.in_state(pending) == list{2, 3, 4, 5, 6});
  CHECK(w.delivery(w.hook, 6).progress.due_at == at(12)); // it waited before
}

TEST_CASE("what the filter left out is never replayed, and to ask for it is refused with the reason") {
  replay_world w;
  w.publish_many(2);
  const auto place = must(storage::read_fan_out_place(w.db()));
  core::fan_out_batch batch{.from = place.cursor, .to = {place.sequenced, {}}, .deliveries = {}};
  for (const std::int64_t position : {1, 2})
    batch.deliveries.push_back({w.hook.id, {position}, w.hook.mode, position == 2, std::nullopt});
  REQUIRE(w.write(batch));
  w.end_all(20, attempt_ending::permanent);
  for (const auto& refused :
       {w.start(all_of({dead, skipped_filter})).error(), w.count(all_of({skipped_filter})).error()}) {
    CHECK(refused.code == storage::error::refused);
    CHECK_THAT(refused.detail, Contains("recorded as filtered out"));
  }
  CHECK(must(w.start(all_of({delivered, retrying, failed, dead}))).counted == 1);
  CHECK(w.step(100, 31).deliveries == 1);
  CHECK(w.in_state(skipped_filter) == list{1});
}

TEST_CASE("a replay of too many deliveries, or of too long a window, is refused and nothing begins") {
  replay_world w;
  w.kill(3);
  const core::replay_limits two{.deliveries_max = 2, .window_max = 1000s};
  CHECK_THAT(w.count(all_of(), two).error().detail, Contains("3 such deliveries"));
  const auto refused = w.start(all_of(), 30, two);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == storage::error::refused);
  CHECK_THAT(refused.error().detail, Contains("at most 2"));
  CHECK_THAT(w.start({at(0), at(1001), {dead}}, 30, two).error().detail, Contains("window"));
  CHECK(must(storage::list_replays(w.db(), {w.hook.id})).empty());
  CHECK(w.audited("start_replay").empty());
  CHECK(must(w.start({at(2), at(1000), {dead}}, 30, two)).counted == 2);
}

TEST_CASE("a replay passes over what was written after it began") {
  replay_world w;
  w.kill(3);
  must(w.start(all_of({delivered, dead})));
  must(w.restart(2, at(31)));
  w.end_all(32, attempt_ending::acknowledged);
  w.deliver_at(40);
  w.end_all(41, attempt_ending::permanent);
  CHECK(w.step(100, 50).deliveries == 2);
  CHECK(w.state(w.hook, 2) == delivered);
  CHECK(w.in_state(pending) == list{1, 3});
  CHECK(w.state(w.hook, 4) == dead);
}

TEST_CASE("a batch that is not committed leaves the replay where it was") {
  replay_world w;
  w.kill(3);
  must(w.start(all_of()));
  const auto lost = storage::transact(w.db(), [&](storage::session& in) -> storage::result<int> {
    CHECK(must(storage::continue_replay(in, 0, 2, at(31))).deliveries == 2);
    return std::unexpected{storage::failure{storage::error::refused, "the power went"}};
  });
  CHECK_FALSE(lost);
  CHECK(w.in_state(dead) == list{1, 2, 3});
  CHECK(w.step(2, 32).job->done == 2);
  CHECK(w.step(2, 33).job->done == 3);
}

TEST_CASE("an attempt on its way when its delivery is replayed writes its own row alone") {
  replay_world w;
  w.deliver_at(1);
  w.end_all(2, attempt_ending::transient, at(5));
  const auto out = w.claim_at(6);
  must(w.start(all_of({retrying})));
  CHECK(w.step(100, 31).deliveries == 1);
  const auto done = w.record(w.hook, {w.ended(out.deliveries.at(0), attempt_ending::acknowledged)}, at(32));
  CHECK(done.superseded == 1);
  CHECK(w.state(w.hook, 1) == pending);
  CHECK(w.claim_at(33).deliveries.at(0).claim.number == 3);
}

TEST_CASE("a subscription has one live replay, and a second start is told which") {
  replay_world w;
  w.kill(3);
  const auto first = must(w.start(all_of()));
  const auto second = w.start(all_of());
  REQUIRE_FALSE(second);
  CHECK(second.error().code == storage::error::refused);
  CHECK_THAT(second.error().detail, Contains(first.public_id) && Contains("ada"));
  w.step(100, 31);
  CHECK(must(w.start(all_of(), 32)).counted == 0);
  CHECK(w.step(100, 33).job->ending == core::job_ending::completed);
  const auto newest = must(storage::list_replays(w.db(), {w.hook.id, 0, 1}));
  REQUIRE(newest.size() == 1);
  CHECK(must(storage::list_replays(w.db(), {w.hook.id, newest[0].id, 10})).at(0).id == first.id);
}

TEST_CASE("replays of several subscriptions go on in turn") {
  replay_world w;
  const auto other = w.subscribe("other");
  w.kill(3);
  const auto first = must(w.start(all_of()));
  const auto second = must(w.start(other, all_of(), 30));
  CHECK(w.step(1, 31).job->id == first.id);
  CHECK(w.step(1, 32, first.id).job->id == second.id);
  CHECK(w.step(1, 33, second.id).job->id == first.id);
}

TEST_CASE("a replay that is cancelled leaves the rest as it was") {
  replay_world w;
  w.kill(3);
  const auto begun = must(w.start(all_of()));
  w.step(1, 31);
  const auto ended = must(w.cancel(begun.public_id, 32));
  CHECK(ended.ending == core::job_ending::cancelled);
  CHECK(ended.ended_by == "bob");
  CHECK(ended.done == 1);
  CHECK_FALSE(w.step(1, 33).job);
  CHECK(w.in_state(dead) == list{2, 3});
  CHECK(w.cancel(begun.public_id, 34).error().code == storage::error::refused);
  CHECK(w.cancel("nobody", 34).error().code == storage::error::not_found);
}

TEST_CASE("the audit says who began a replay and what it came to, with counts") {
  replay_world w;
  w.kill(3);
  const auto begun = must(w.start(all_of()));
  REQUIRE(w.audited("start_replay").size() == 1);
  const auto start = w.audited("start_replay")[0];
  CHECK(start.by == "ada");
  CHECK(start.subject == w.hook.public_id);
  CHECK(start.tenant == "acme");
  CHECK(start.count == 3);
  CHECK_THAT(start.details, Contains(begun.public_id) && Contains(R"("states":"dead")"));
  w.step(2, 31);
  CHECK(w.audited("end_replay").empty());
  must(w.cancel(begun.public_id, 32));
  must(w.start(all_of(), 33));
  w.step(100, 34);
  const auto ends = w.audited("end_replay");
  REQUIRE(ends.size() == 2);
  CHECK(ends[0].by == "ada");
  CHECK(ends[0].count == 1);
  CHECK_THAT(ends[0].details, Contains("completed"));
  CHECK(ends[1].by == "bob");
  CHECK(ends[1].count == 2);
  CHECK_THAT(ends[1].details, Contains("cancelled"));
}
