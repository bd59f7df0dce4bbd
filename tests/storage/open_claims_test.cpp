#include "storage/replay_jobs.hpp"
#include "tests/storage/push_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::attempt_ending;
using core::delivery_state;

namespace {

using list = std::vector<std::int64_t>;

/// A world with so many deliveries that are due.
struct claims_world : push_world {
  explicit claims_world(int deliveries, storage::engine kind = GENERATE(from_range(engines())))
      : push_world(kind) {
    publish_many(deliveries);
    fan_out_to(hook);
  }

  [[nodiscard]] std::string count(const std::string& rows) const {
    return value("SELECT count(*) FROM " + rows);
  }
  [[nodiscard]] std::string claims() const { return value("SELECT claims FROM delivery_claims"); }

  std::int64_t give_back(const core::claimed_delivery& what, double seconds) {
    const std::vector<core::returned_attempt> back{{what.event.position, what.claim.number}};
    return committed(db(), [&](storage::session& in) {
      return storage::give_back_attempts(in, hook.id, back, at(seconds), at(seconds));
    });
  }
};

} // namespace

TEST_CASE("a claim leaves the deliveries' rows as they are, and people see what is on its way") {
  claims_world w(3);
  const auto untouched =
      "event_deliveries WHERE attempts = 0 AND row_version = 1 AND next_attempt_at IS NOT NULL";
  const auto claims = w.claim_at(1, 2);
  CHECK(w.count(untouched) == "3");
  CHECK(w.count("delivery_attempts") == "0");
  CHECK(w.count("delivery_claims") == "1");
  const auto shown = w.delivery(w.hook, 2);
  CHECK(shown.progress.attempts == 1);
  CHECK(shown.progress.round_attempts == 1);
  CHECK(shown.progress.claim == claims.deliveries[1].claim);
  CHECK_FALSE(shown.progress.due_at);
  CHECK(shown.updated_at == at(1));
  CHECK_FALSE(w.delivery(w.hook, 3).progress.claim);
  const auto found = must(storage::find_event_delivery(w.db(), w.hook.id, shown.event));
  CHECK(found->progress == shown.progress);
}

TEST_CASE("an attempt's row is written when it has ended, begun when it was claimed") {
  claims_world w(2);
  const auto claims = w.claim_at(1);
  w.record(w.hook, {w.ended(claims.deliveries[0], attempt_ending::acknowledged)}, at(2));
  CHECK(w.count("delivery_attempts") == "1");
  const auto whole = w.attempts(w.hook, 1);
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].started_at == at(1));
  CHECK(whole[0].ended_at == at(2));
  CHECK(w.attempts(w.hook, 2).size() == 1);
  CHECK(must(storage::list_attempts(w.db(), w.hook.id, {2}, 1, 100)).empty());
  CHECK(w.claim_at(3).deliveries.empty());
  w.record(w.hook, {w.ended(claims.deliveries[1], attempt_ending::permanent)}, at(4));
  CHECK(w.claims().empty());
}

TEST_CASE("what is on its way is due when its lease lapses, whatever its row says") {
  claims_world w(2);
  const auto due = [&] { return must(storage::all_next_delivery_due(w.db())).at(0).at; };
  CHECK(due() == at(0));
  w.claim_at(1, 1);
  CHECK(due() == at(0));
  w.claim_at(2, 1);
  CHECK(due() == at(31));
  w.set_status(w.hook, core::subscription_status::active, core::subscription_status::paused);
  CHECK(due() == at(31));
  CHECK(must(storage::next_delivery_due(w.db(), w.hook.id)) == at(31));
}

TEST_CASE("what a claim left behind is told with the outcomes that follow, until a claim finds it gone") {
  claims_world w(4);
  const auto first = w.claim_at(1, 1);
  CHECK(first.next_due == at(0));
  w.execute("DELETE FROM event_deliveries WHERE position > 1");
  CHECK(w.record(w.hook, {w.ended(first.deliveries[0], attempt_ending::transient, at(9))}, at(2)).next_due
        == at(0));
  const auto nothing = w.claim_at(3, 1);
  CHECK(nothing.deliveries.empty());
  CHECK(nothing.through);
  CHECK(nothing.next_due == at(9));
  const auto again = w.claim_at(9, 1).deliveries;
  CHECK_FALSE(w.record(w.hook, {w.ended(again.at(0), attempt_ending::acknowledged)}, at(10)).next_due);
}

TEST_CASE("what a claim left behind is not due while the subscription is paused") {
  claims_world w(2);
  const auto first = w.claim_at(1, 1).deliveries;
  w.set_status(w.hook, core::subscription_status::active, core::subscription_status::paused);
  CHECK_FALSE(w.record(w.hook, {w.ended(first.at(0), attempt_ending::acknowledged)}, at(2)).next_due);
  CHECK_FALSE(w.claim_at(3).next_due);
  w.set_status(w.hook, core::subscription_status::paused, core::subscription_status::active);
  CHECK(positions(w.claim_at(4)) == list{2});
}

TEST_CASE("leases that lapsed are closed so many at a time, the others stay") {
  claims_world w(3);
  w.claim_at(1, 2);
  w.claim_at(20, 1);
  const auto first = w.claim_at(40, 1);
  CHECK(first.interrupted == 1);
  CHECK_FALSE(first.through);
  CHECK(w.claim_at(40, 100).interrupted == 1);
  CHECK(w.claim_at(40, 100).interrupted == 0);
  CHECK(w.delivery(w.hook, 3).progress.claim == core::attempt_claim{1, at(50)});
  CHECK(w.count("delivery_attempts WHERE ending = 'interrupted' AND started_at = "
                + std::to_string(core::to_us(at(1))))
        == "2");
}

TEST_CASE("a superseded attempt keeps its number in a row of its own, which its answer closes") {
  claims_world w(1);
  w.end_all(1, attempt_ending::transient, at(10));
  const auto out = w.claim_at(10).deliveries.at(0);
  must(w.restart(1, at(11)));
  CHECK(w.claims().empty());
  CHECK(w.count("delivery_attempts WHERE number = 2 AND ended_at IS NULL") == "1");
  const auto next = w.claim_at(12).deliveries.at(0);
  CHECK(next.claim.number == 3);
  CHECK(w.attempts(w.hook, 1).size() == 3);
  CHECK(w.record(w.hook, {w.ended(out, attempt_ending::acknowledged)}, at(13)).superseded == 1);
  CHECK(w.delivery(w.hook, 1).progress.claim == next.claim);
  CHECK(w.record(w.hook, {w.ended(next, attempt_ending::acknowledged)}, at(14)).delivered == 1);
  const auto rows = w.attempts(w.hook, 1);
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].started_at == at(10));
  CHECK(rows[1].ended_at == at(13));
  CHECK(rows[2].ended_at == at(14));
}

TEST_CASE("an attempt that is given back leaves no trace, and another's number gives nothing back") {
  claims_world w(1);
  auto out = w.claim_at(1).deliveries.at(0);
  out.claim.number = 2;
  CHECK(w.give_back(out, 2) == 0);
  CHECK(w.claim_at(3).deliveries.empty());
  out.claim.number = 1;
  CHECK(w.give_back(out, 4) == 1);
  CHECK(w.claims().empty());
  CHECK(w.claim_at(5).deliveries.at(0).claim.number == 1);
  CHECK(w.attempts(w.hook, 1).size() == 1);
}

TEST_CASE("of a delivery that retention took, an answer writes nothing and a lease that lapses is dropped") {
  claims_world w(2);
  const auto out = w.claim_at(1).deliveries;
  w.execute("DELETE FROM event_deliveries");
  CHECK(w.record(w.hook, {w.ended(out[0], attempt_ending::acknowledged)}, at(2)).superseded == 1);
  CHECK(w.attempts(w.hook, 2).empty());
  CHECK(must(storage::next_delivery_due(w.db(), w.hook.id)) == at(31));
  const auto after = w.claim_at(31);
  CHECK(after.interrupted == 0);
  CHECK_FALSE(after.next_due);
  CHECK(w.count("delivery_attempts") == "0");
  CHECK(w.claims().empty());
}

TEST_CASE("a replay leaves alone what was claimed after it began, and supersedes what was claimed before") {
  claims_world w(2);
  w.end_all(1, attempt_ending::transient, at(10));
  const auto before = w.claim_at(10, 1).deliveries.at(0);
  CHECK(before.event.position.value == 1);
  committed(w.db(), [&](storage::session& in) {
    return storage::start_replay(in, {w.hook.id, {at(0), at(1000), {delivery_state::retrying}}, {}, "ada"},
                                 at(11));
  });
  const auto after = w.claim_at(12).deliveries.at(0);
  const auto step =
      committed(w.db(), [&](storage::session& in) { return storage::continue_replay(in, 0, 100, at(13)); });
  CHECK(step.deliveries == 1);
  CHECK(w.state(w.hook, 1) == delivery_state::pending);
  CHECK(w.delivery(w.hook, 2).progress.claim == after.claim);
  CHECK(positions(w.claim_at(14)) == list{1});
}

TEST_CASE("claims that cannot be read stop what would go on without them") {
  claims_world w(1);
  w.claim_at(1);
  const std::string text = GENERATE("[", "{}", "[[1]]", "[[5,5,1,1]]", R"([[1,2,"1",1]])");
  w.execute("UPDATE delivery_claims SET claims = '" + text + "'");
  const auto refused = storage::transact(
      w.db(), [&](storage::session& in) { return storage::claim_deliveries(in, w.wish(w.hook), at(2)); });
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == storage::error::corrupt);
}

TEST_CASE("a subscription that is pruned takes its row of claims along") {
  claims_world w(1);
  w.end_all(1, attempt_ending::acknowledged);
  committed(w.db(),
            [&](storage::session& in) { return storage::remove_subscription(in, {w.hook.id}, at(3)); });
  w.execute("DELETE FROM event_deliveries");
  CHECK(w.count("delivery_claims") == "1");
  committed(w.db(), [&](storage::session& in) { return storage::prune_subscriptions(in, at(100), 10); });
  CHECK(w.count("delivery_claims") == "0");
}
