#include "storage/replay_jobs.hpp"
#include "tests/storage/push_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::attempt_ending;
using enum core::delivery_state;

namespace {

const core::replay_choice everything{at(0), at(1000), {delivered, retrying, failed, dead}};

/// Three deliveries, dead at 21 s.
struct lost_world : push_world {
  explicit lost_world(storage::engine kind = GENERATE(from_range(engines()))) : push_world(kind) {
    publish_many(3);
    fan_out_to(hook);
    end_all(20, attempt_ending::permanent);
  }

  storage::result<core::replay_job> start(const core::subscription& of, double seconds = 30) {
    return storage::transact(db(), [&](storage::session& in) {
      return storage::start_replay(in, {of.id, everything, {}, "ada"}, at(seconds));
    });
  }

  core::replay_step step(double seconds) {
    return committed(db(),
                     [&](storage::session& in) { return storage::continue_replay(in, 0, 1, at(seconds)); });
  }

  void remove() {
    committed(db(),
              [&](storage::session& in) { return storage::remove_subscription(in, {hook.id}, at(32)); });
  }

  void accept_access(bool accepted) {
    auto changed = stored(hook);
    changed.access_accepted = accepted;
    committed(db(), [&](storage::session& in) {
      return storage::change_subscription(in, changed, keys(), at(32));
    });
  }

  std::string count_of(const std::string& table) { return value("SELECT count(*) FROM " + table); }
};

} // namespace

TEST_CASE("a replay whose subscription is removed is cancelled, and restarts nothing more") {
  lost_world w;
  must(w.start(w.hook));
  w.step(31);
  w.remove();
  const auto ended = w.step(33);
  CHECK(ended.deliveries == 0);
  CHECK(ended.job->ending == core::job_ending::cancelled);
  CHECK(ended.job->ended_by == "the removal of the subscription");
  CHECK(ended.job->done == 1);
  CHECK(w.start(w.hook, 34).error().code == storage::error::not_found);
}

TEST_CASE("a subscription without access is not replayed, and a replay under way ends with the access") {
  lost_world w;
  must(w.start(w.hook));
  w.accept_access(false);
  CHECK(w.step(33).job->ended_by == "the end of the subscription's access");
  CHECK(w.start(w.hook, 34).error().code == storage::error::refused);
  auto reading = w.session(storage::access::read);
  CHECK(storage::count_replay(reading, w.hook.id, everything, {}).error().code == storage::error::refused);
  w.accept_access(true);
  CHECK(must(w.start(w.hook, 35)).counted == 3);
}

TEST_CASE("a subscription that is paused is replayed, and its deliveries wait until it is resumed") {
  using enum core::subscription_status;
  lost_world w;
  REQUIRE(w.set_status(w.hook, active, paused));
  must(w.start(w.hook));
  CHECK(w.step(31).deliveries == 1);
  CHECK(w.claim_at(32).deliveries.empty());
  REQUIRE(w.set_status(w.hook, paused, active));
  CHECK(positions(w.claim_at(33)) == std::vector<std::int64_t>{1});
}

TEST_CASE("replays of a subscription that is pruned go with it") {
  lost_world w;
  must(w.start(w.hook));
  w.remove();
  w.step(33);
  w.execute("DELETE FROM event_deliveries");
  CHECK(w.count_of("replay_jobs") == "1");
  committed(w.db(), [&](storage::session& in) { return storage::prune_subscriptions(in, at(100), 10); });
  CHECK(w.count_of("replay_jobs") == "0");
}

TEST_CASE("of a pull subscription what its cursor has not passed is replayed, and is due at no time") {
  lost_world w;
  const auto reader = w.subscribe("reader", core::subscription_mode::pull);
  w.publish_many(3, at(22));
  w.fan_out_to(reader, {}, at(22));
  w.execute("UPDATE event_deliveries SET state = 'failed' WHERE subscription_id = "
            + std::to_string(reader.id.value));
  w.execute("UPDATE subscriptions SET cursor_position = 4, offered_position = 6 WHERE id = "
            + std::to_string(reader.id.value));
  auto reading = w.session(storage::access::read);
  CHECK(storage::count_replay(reading, reader.id, everything, {}) == 2);
  CHECK(must(w.start(reader)).counted == 2);
  w.step(31);
  CHECK(w.step(32).job->done == 2);
  CHECK(w.state(reader, 4) == failed);
  CHECK(w.state(reader, 5) == pending);
  CHECK_FALSE(w.delivery(reader, 6).progress.due_at);
}
