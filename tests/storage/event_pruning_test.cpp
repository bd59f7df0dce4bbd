#include "storage/lifecycle.hpp"
#include "tests/storage/subscription_world.hpp"

using namespace sluice;
using namespace sluice::tests;

namespace {

struct pruning_world : subscription_world {
  using subscription_world::subscription_world;

  core::pruned_events prune(core::timestamp until, std::int64_t limit) {
    return committed(db(),
                     [&](storage::session& in) { return storage::prune_events(in, until, limit, at(100)); });
  }

  /// Each of them is to be tried again much later.
  void fail(const core::subscription& of, const core::delivery_claims& claims, core::timestamp now) {
    std::vector<core::ended_attempt> all;
    for (const auto& one : claims.deliveries)
      all.push_back(ended(one, core::attempt_ending::transient, at(1000)));
    record(of, all, now);
  }

  [[nodiscard]] std::string count(const std::string& table) const {
    return value("SELECT count(*) FROM " + table);
  }
};

} // namespace

TEST_CASE("events past their retention go with their deliveries and attempts, so many at a time") {
  pruning_world w(GENERATE(from_range(engines())));
  const auto hook = w.subscribe("hook");
  w.publish_many(6, at(1));
  w.fan_out_to(hook);
  const auto claims = w.claim(w.wish(hook, 4), at(2));
  REQUIRE(claims.deliveries.size() == 4);
  w.fail(hook, claims, at(3));
  w.publish_many(2, at(50));
  w.fan_out_to(hook);
  std::int64_t rows = 0, open = 0;
  for (int calls = 0; calls < 50; ++calls) {
    const auto step = w.prune(at(10), 2);
    CHECK(step.rows <= 4);
    if (step.rows == 0)
      break;
    rows += step.rows;
    open += step.open;
  }
  CHECK(rows == 6 + 6 + 4);
  CHECK(open == 6);
  CHECK(w.count("change_events") == "2");
  CHECK(w.count("event_deliveries") == "2");
  CHECK(w.count("delivery_attempts") == "0");
  CHECK(must(storage::read_fan_out_place(w.db())).pruned.value == 6);
}

TEST_CASE("an event that was not fanned out is not pruned, however old it is") {
  pruning_world w(GENERATE(from_range(engines())));
  w.publish_many(3, at(1));
  CHECK(w.prune(at(10), 100).rows == 0);
  CHECK(w.count("change_events") == "3");
}

TEST_CASE("settled deliveries and attempts have their own retention; what is open waits for its event's") {
  pruning_world w(GENERATE(from_range(engines())));
  const auto hook = w.subscribe("hook");
  w.publish_many(3, at(1));
  w.fan_out_to(hook);
  const auto claims = w.claim(w.wish(hook, 2), at(2));
  w.record(hook,
           {w.ended(claims.deliveries[0], core::attempt_ending::acknowledged),
            w.ended(claims.deliveries[1], core::attempt_ending::transient, at(1000))},
           at(3));
  const auto all = [&](auto prune) {
    for (int calls = 0; calls < 20; ++calls)
      if (committed(w.db(), [&](storage::session& in) { return prune(in, at(10), 2); }) == 0)
        return;
    FAIL("retention does not come to its end");
  };
  all(storage::prune_attempts);
  CHECK(w.count("delivery_attempts") == "1");
  CHECK(w.count("event_deliveries") == "3");
  all(storage::prune_deliveries);
  CHECK(w.count("event_deliveries") == "2");
  CHECK(w.count("change_events") == "3");
}

TEST_CASE("what waited for a delivery that retention takes goes on") {
  pruning_world w(GENERATE(from_range(engines())));
  const auto hook = w.subscribe("hook");
  w.publish_many(1, at(1));
  w.fan_out_to(hook, {"k"});
  w.publish_many(1, at(50));
  w.fan_out_to(hook, {"k"});
  CHECK(positions(w.claim(w.wish(hook), at(51))) == std::vector<std::int64_t>{1});
  CHECK_FALSE(w.delivery(hook, 2).progress.due_at);
  CHECK(w.prune(at(10), 100).rows == 1);
  CHECK(positions(w.claim(w.wish(hook), at(101))) == std::vector<std::int64_t>{2});
}

TEST_CASE("a purge takes the source's events with everything that hangs on them, and no others") {
  pruning_world w(GENERATE(from_range(engines())));
  const auto hook = w.subscribe("hook");
  w.put({"a", "b", "c"}, at(1));
  must(w.publish(w.event("orders.created")));
  CHECK(w.sequence() == 4);
  w.fan_out_to(hook);
  w.fail(hook, w.claim(w.wish(hook), at(2)), at(3));
  w.put({"d"}, at(3));
  must(storage::uninstall_connection(w.db(), "shop", at(4), 2));
  CHECK(w.value("SELECT count(*) FROM connections WHERE name = 'shop'") == "0");
  CHECK(w.count("change_events") == "1");
  CHECK(w.count("event_deliveries") == "1");
  CHECK(w.count("delivery_attempts") == "1");
  CHECK(w.state(hook, 4) == core::delivery_state::retrying);
}
