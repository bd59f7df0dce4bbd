#include "tests/storage/push_world.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::tests;
using core::attempt_ending;
using core::delivery_state;

namespace {

using list = std::vector<std::int64_t>;

} // namespace

TEST_CASE("of an ordering key one is on its way, the others wait for the earlier") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(6);
  w.fan_out_to(w.hook, {"a", "a", "b", "a", std::nullopt, "b"});
  const auto claims = w.claim_at(1);
  CHECK(positions(claims) == list{1, 3, 5});
  CHECK(w.claim_at(2).deliveries.empty());
  CHECK(w.claim_at(2).next_due == at(31));
  w.record(w.hook,
           {w.ended(claims.deliveries[0], attempt_ending::transient, at(20)),
            w.ended(claims.deliveries[1], attempt_ending::permanent)},
           at(3));
  const auto after = w.claim_at(4);
  CHECK(positions(after) == list{6});
  CHECK(w.delivery(w.hook, 2).progress.state == delivery_state::pending);
  const auto retried = w.claim_at(20).deliveries;
  REQUIRE(retried.size() == 1);
  CHECK(retried[0].event.position.value == 1);
  w.record(w.hook, {w.ended(retried[0], attempt_ending::acknowledged)}, at(21));
  const auto second = w.claim_at(21);
  CHECK(positions(second) == list{2});
  w.record(w.hook, {w.ended(second.deliveries[0], attempt_ending::acknowledged)}, at(22));
  CHECK(positions(w.claim_at(22)) == list{4});
}

TEST_CASE("a thousand that wait behind one key are put aside so many a claim, and none is lost") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(50);
  w.fan_out_to(w.hook, std::vector<std::optional<std::string>>(50, "k"));
  list order;
  double now = 1;
  for (int rounds = 0; rounds < 200 && order.size() < 50; ++rounds, ++now) {
    const auto claims = w.claim_at(now, 10);
    CHECK(claims.deliveries.size() <= 1);
    for (const auto& one : claims.deliveries) {
      order.push_back(one.event.position.value);
      w.record(w.hook, {w.ended(one, attempt_ending::acknowledged)}, at(now));
    }
  }
  REQUIRE(order.size() == 50);
  CHECK(std::ranges::is_sorted(order));
  CHECK(order.front() == 1);
}

TEST_CASE("an earlier delivery of a key that is restarted goes before the later ones") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(3);
  w.fan_out_to(w.hook, {"k", "k", "k"});
  w.end_all(1, attempt_ending::permanent);
  const auto second = w.claim_at(3).deliveries;
  REQUIRE(second.size() == 1);
  CHECK(second[0].event.position.value == 2);
  must(w.restart(1, at(4)));
  CHECK(w.claim_at(5).deliveries.empty()); // the second is on its way
  w.record(w.hook, {w.ended(second[0], attempt_ending::transient, at(6))}, at(5));
  CHECK(positions(w.claim_at(7)) == list{1});
}

TEST_CASE("a restart takes the claim away, and the key goes on with its earliest") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(2);
  w.fan_out_to(w.hook, {"k", "k"});
  w.end_all(1, attempt_ending::permanent);
  w.end_all(3, attempt_ending::transient, at(6));
  must(w.restart(1, at(5)));
  w.claim_at(5); // the first goes out, and its lease is until 35
  must(w.restart(2, at(6)));
  CHECK(w.claim_at(7).deliveries.empty());
  CHECK(w.claim_at(36).interrupted == 1);
  CHECK(positions(w.claim_at(96)) == list{1});
}

TEST_CASE("open deliveries of a removed subscription become failed, so many at a time, settled ones stay") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(5);
  w.fan_out_to(w.hook);
  const auto claims = w.claim_at(1, 2).deliveries;
  w.record(w.hook, {w.ended(claims[0], attempt_ending::acknowledged)}, at(2));
  CHECK(w.refuse().refused == 0);
  committed(w.db(),
            [&](storage::session& in) { return storage::remove_subscription(in, {w.hook.id}, at(3)); });
  CHECK(w.claim_at(4).deliveries.empty());
  const auto first = w.refuse(2);
  CHECK_FALSE(first.through);
  CHECK(first.refused == 1);
  const auto rest = w.refuse(100);
  CHECK(rest.through);
  CHECK(rest.refused == 3);
  CHECK(w.refuse().refused == 0);
  CHECK(w.state(w.hook, 1) == delivery_state::delivered);
  CHECK(w.state(w.hook, 2) == delivery_state::failed);
  CHECK(w.delivery(w.hook, 5).progress.error_class == "configuration_lost");
  const auto late = w.record(w.hook, {w.ended(claims[1], attempt_ending::acknowledged)}, at(91));
  CHECK(late.superseded == 1);
  CHECK(w.state(w.hook, 2) == delivery_state::failed);
  CHECK(w.attempts(w.hook, 2).front().ending == attempt_ending::acknowledged);
}

TEST_CASE(
    "without accepted access nothing goes out, what waits fails and no restart is taken; accepted again, one "
    "sends it") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(2);
  w.fan_out_to(w.hook, {"k", "k"});
  auto written = w.hook;
  const auto accept = [&](bool accepted) {
    written.access_accepted = accepted;
    written = committed(w.db(), [&](storage::session& in) {
      return storage::change_subscription(in, written, w.keys(), at(1));
    });
  };
  accept(false);
  CHECK(w.claim_at(2).deliveries.empty());
  w.refuse();
  CHECK(w.state(w.hook, 1) == delivery_state::failed);
  CHECK(w.state(w.hook, 2) == delivery_state::failed);
  const auto early = w.restart(1, at(3));
  REQUIRE_FALSE(early);
  CHECK(early.error().code == storage::error::refused);
  CHECK_THAT(early.error().detail, Catch::Contains("access") && Catch::Contains("not accepted"));
  CHECK(w.state(w.hook, 1) == delivery_state::failed);
  CHECK(w.value("SELECT count(*) FROM audit_log") == "0");
  accept(true);
  must(w.restart(1, at(5)));
  CHECK(positions(w.claim_at(6)) == list{1});
}
