#include "storage/audit.hpp"
#include "tests/storage/push_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;
using core::attempt_ending;
using core::delivery_state;
using core::subscription_status;

namespace {

using list = std::vector<std::int64_t>;

} // namespace

TEST_CASE("a claim numbers the attempt and writes its row before anything is sent") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(3);
  w.fan_out_to(w.hook);
  const auto claims = w.claim_at(1, 2);
  CHECK(positions(claims) == list{1, 2});
  CHECK_FALSE(claims.through);
  CHECK(claims.deliveries[0].claim == core::attempt_claim{1, at(31)});
  CHECK(claims.deliveries[0].round_attempts == 1);
  CHECK(claims.deliveries[1].event.body == R"({"n":1})");
  CHECK(claims.next_due == at(0));
  const auto rows = w.attempts(w.hook, 1);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].number == 1);
  CHECK(rows[0].started_at == at(1));
  CHECK_FALSE(rows[0].ending);
  CHECK(positions(w.claim_at(2)) == list{3});
  CHECK(w.claim_at(3).deliveries.empty());
  CHECK(w.claim_at(3).next_due == at(31));
}

TEST_CASE("what an attempt came to is kept with its answer and takes the delivery further") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(3);
  w.fan_out_to(w.hook);
  const auto claims = w.claim_at(1);
  auto kept = w.ended(claims.deliveries[0], attempt_ending::acknowledged);
  kept.answer = std::string(core::kept_answer_bytes_max, 'a') + "b";
  auto waits = w.ended(claims.deliveries[1], attempt_ending::transient, at(60));
  waits.answer = std::string("x\0\xff", 3);
  const auto done =
      w.record(w.hook, {kept, waits, w.ended(claims.deliveries[2], attempt_ending::permanent)}, at(2));
  CHECK(done.applied == 3);
  CHECK(done.delivered == 1);
  CHECK(done.dead == 1);
  CHECK(done.next_due == at(60));
  CHECK(w.state(w.hook, 1) == delivery_state::delivered);
  const auto retrying = w.delivery(w.hook, 2).progress;
  CHECK(retrying.state == delivery_state::retrying);
  CHECK(retrying.due_at == at(60));
  CHECK(retrying.error_class == "http_503");
  CHECK(w.state(w.hook, 3) == delivery_state::dead);
  const auto first = w.attempts(w.hook, 1).front();
  CHECK(first.ending == attempt_ending::acknowledged);
  CHECK(first.status == 204);
  CHECK(first.took == 7ms);
  CHECK(first.ended_at == at(2));
  CHECK(first.answer.size() == core::kept_answer_bytes_max);
  CHECK(first.answer_cut);
  const auto second = w.attempts(w.hook, 2).front();
  CHECK(second.answer == "x??");
  CHECK_FALSE(second.answer_cut);
  CHECK(second.error == "The subscriber answered 503.");
  CHECK(w.claim_at(59).deliveries.empty());
  const auto again = w.claim_at(60).deliveries;
  REQUIRE(again.size() == 1);
  CHECK(again[0].claim.number == 2);
  CHECK(again[0].round_attempts == 2);
}

TEST_CASE(
    "a lease that lapsed closes its attempt as interrupted, counted, and a late answer changes nothing") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(1);
  w.fan_out_to(w.hook);
  const auto lost = w.claim_at(1).deliveries.front();
  CHECK(w.claim_at(30.9).interrupted == 0);
  const auto after = w.claim_at(31);
  CHECK(after.interrupted == 1);
  CHECK(after.next_due == at(91));
  const auto waiting = w.delivery(w.hook, 1).progress;
  CHECK(waiting.state == delivery_state::retrying);
  CHECK(waiting.round_attempts == 1);
  CHECK(waiting.error_class == "interrupted");
  const auto late = w.record(w.hook, {w.ended(lost, attempt_ending::acknowledged)}, at(40));
  CHECK(late.superseded == 1);
  CHECK(w.state(w.hook, 1) == delivery_state::retrying);
  CHECK(w.attempts(w.hook, 1).front().ending == attempt_ending::interrupted);
  CHECK(w.claim_at(91).deliveries.front().claim.number == 2);
}

TEST_CASE("the sixth interrupted attempt is dead, and numbers have no gap") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(1);
  w.fan_out_to(w.hook);
  for (int day = 1; day <= 12; ++day) // each attempt is claimed on one day, and found lost on the next
    w.claim_at(day * 86400.0);
  CHECK(w.state(w.hook, 1) == delivery_state::dead);
  const auto rows = w.attempts(w.hook, 1);
  REQUIRE(rows.size() == 6);
  for (std::size_t n = 0; n < rows.size(); ++n)
    CHECK(rows[n].number == static_cast<std::int64_t>(n) + 1);
  CHECK(w.stored(w.hook).consecutive_dead == 1);
}

TEST_CASE("a restarted delivery goes on counting, and the attempt that was out writes its own row alone") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(1);
  w.fan_out_to(w.hook);
  w.end_all(1, attempt_ending::transient, at(10));
  const auto out = w.claim_at(10).deliveries.front();
  const auto restarted = must(w.restart(1, at(11)));
  CHECK(restarted.progress.state == delivery_state::pending);
  CHECK(restarted.progress.attempts == 2);
  CHECK(restarted.progress.round_attempts == 0);
  CHECK(restarted.progress.due_at == at(11));
  const auto superseded = w.record(w.hook, {w.ended(out, attempt_ending::acknowledged)}, at(12));
  CHECK(superseded.superseded == 1);
  CHECK(superseded.applied == 0);
  CHECK(w.state(w.hook, 1) == delivery_state::pending);
  CHECK(w.attempts(w.hook, 1)[1].ending == attempt_ending::acknowledged);
  const auto next = w.claim_at(13).deliveries.front();
  CHECK(next.claim.number == 3);
  CHECK(next.round_attempts == 1);
  core::audit_page page;
  const auto audit = must(storage::list_audit(w.db(), page));
  REQUIRE(audit.size() == 1);
  CHECK(audit[0].act == "retry_delivery");
  CHECK(audit[0].by == "ada");
  CHECK(audit[0].subject == w.hook.public_id);
  CHECK(audit[0].tenant == "acme");
  CHECK_THAT(audit[0].details, Catch::Contains(restarted.event));
}

TEST_CASE("what may be restarted is, and what may not is refused with the reason and no audit row") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(4);
  core::fan_out_batch batch{.from = {}, .to = {{4}, {}}, .deliveries = {}};
  for (std::int64_t n = 1; n <= 4; ++n)
    batch.deliveries.push_back({w.hook.id, {n}, core::subscription_mode::push, n != 4, {}});
  w.write(batch);
  const auto claims = w.claim_at(1);
  w.record(w.hook,
           {w.ended(claims.deliveries[0], attempt_ending::acknowledged),
            w.ended(claims.deliveries[1], attempt_ending::permanent)},
           at(2));
  CHECK(must(w.restart(1, at(3))).progress.state == delivery_state::pending);
  CHECK(must(w.restart(2, at(3))).progress.state == delivery_state::pending);
  for (const std::int64_t position : {3, 4}) {
    const auto refused = w.restart(position, at(3));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == storage::error::refused);
  }
  CHECK_THAT(w.restart(4, at(3)).error().detail, Catch::Contains("filter"));
  CHECK(w.restart(5, at(3)).error().code == storage::error::not_found);
  CHECK(w.value("SELECT count(*) FROM audit_log") == "2");
}

TEST_CASE("an attempt held back before its call gives its number back") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(2);
  w.fan_out_to(w.hook);
  const auto claims = w.claim_at(1).deliveries;
  const std::vector<core::returned_attempt> back{{claims[0].event.position, claims[0].claim.number},
                                                 {claims[1].event.position, 7}};
  CHECK(committed(w.db(),
                  [&](storage::session& in) {
                    return storage::give_back_attempts(in, w.hook.id, back, at(20), at(2));
                  })
        == 1);
  CHECK(w.attempts(w.hook, 1).empty());
  CHECK(w.attempts(w.hook, 2).size() == 1);
  CHECK(w.claim_at(19).deliveries.empty());
  const auto again = w.claim_at(20).deliveries;
  REQUIRE(again.size() == 1);
  CHECK(again[0].claim.number == 1);
}

TEST_CASE("dead deliveries in a row disable the subscription, one success begins anew") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(6);
  w.fan_out_to(w.hook);
  const auto claims = w.claim_at(1).deliveries;
  const auto dead = [&](std::size_t n) { return w.ended(claims[n], attempt_ending::permanent); };
  CHECK_FALSE(w.record(w.hook, {dead(0), dead(1)}, at(2), 3).disabled);
  CHECK(w.stored(w.hook).consecutive_dead == 2);
  w.record(w.hook, {w.ended(claims[2], attempt_ending::acknowledged)}, at(3), 3);
  CHECK(w.stored(w.hook).consecutive_dead == 0);
  const auto version = must(storage::subscriptions_version(w.db()));
  const auto last = w.record(w.hook, {dead(3), dead(4), dead(5)}, at(4), 3);
  CHECK(last.disabled == core::disable_cause::dead_deliveries);
  const auto stored = w.stored(w.hook);
  CHECK(stored.status == subscription_status::disabled);
  CHECK(stored.cause == core::disable_cause::dead_deliveries);
  CHECK_FALSE(stored.status_reason.empty());
  CHECK(must(storage::subscriptions_version(w.db())) > version);
}

TEST_CASE("a subscriber that is gone disables at once; what arrives meanwhile goes out when it is enabled") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(1);
  w.fan_out_to(w.hook);
  const auto claims = w.claim_at(1).deliveries;
  CHECK(w.record(w.hook, {w.ended(claims[0], attempt_ending::gone)}, at(2)).disabled
        == core::disable_cause::gone);
  CHECK(w.state(w.hook, 1) == delivery_state::dead);
  w.publish_many(2);
  w.fan_out_to(w.hook);
  const auto nothing = w.claim_at(3);
  CHECK(nothing.deliveries.empty());
  CHECK(nothing.disabled == core::disable_cause::gone);
  CHECK_FALSE(nothing.next_due);
  CHECK(w.set_status(w.hook, subscription_status::disabled, subscription_status::active));
  CHECK(positions(w.claim_at(4)) == list{2, 3});
}

TEST_CASE("a paused subscription keeps its deliveries pending, and a lapsed lease of it is closed") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(2);
  w.fan_out_to(w.hook);
  w.claim_at(1, 1);
  w.set_status(w.hook, subscription_status::active, subscription_status::paused);
  const auto paused = w.claim_at(50);
  CHECK(paused.deliveries.empty());
  CHECK(paused.interrupted == 1);
  CHECK(w.state(w.hook, 2) == delivery_state::pending);
  CHECK(must(storage::all_next_delivery_due(w.db())).empty());
  w.set_status(w.hook, subscription_status::paused, subscription_status::active);
  const auto due = must(storage::all_next_delivery_due(w.db()));
  REQUIRE(due.size() == 1);
  CHECK(due[0].subscription == w.hook.id);
  CHECK(due[0].at == at(0));
}

TEST_CASE(
    "what is due says whether its subscription fails: a delivery is retried, or the last ones are dead") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(3);
  w.fan_out_to(w.hook);
  const auto failing = [&] { return must(storage::all_next_delivery_due(w.db())).at(0).failing; };
  CHECK_FALSE(failing());
  const auto claims = w.claim_at(1).deliveries;
  w.record(w.hook, {w.ended(claims[0], attempt_ending::transient, at(3))}, at(2));
  CHECK(failing());
  w.record(w.hook, {w.ended(w.claim_at(4).deliveries.at(0), attempt_ending::acknowledged)}, at(5));
  CHECK_FALSE(failing());
  w.record(w.hook, {w.ended(claims[1], attempt_ending::permanent)}, at(6));
  CHECK(failing());
  w.record(w.hook, {w.ended(claims[2], attempt_ending::acknowledged)}, at(7));
  CHECK(must(storage::all_next_delivery_due(w.db())).empty());
}

TEST_CASE("deliveries are listed newest first, by the page and by state") {
  push_world w(GENERATE(from_range(engines())));
  w.publish_many(4);
  w.fan_out_to(w.hook);
  const auto claims = w.claim_at(1).deliveries;
  w.record(w.hook, {w.ended(claims[1], attempt_ending::permanent)}, at(2));
  core::event_delivery_page page;
  page.subscription = w.hook.id;
  page.limit = 3;
  const auto seen = [&] {
    list found;
    for (const auto& one : must(storage::list_event_deliveries(w.db(), page)))
      found.push_back(one.position.value);
    return found;
  };
  CHECK(seen() == list{4, 3, 2});
  page.before = {2};
  CHECK(seen() == list{1});
  page.before = {};
  page.state = delivery_state::dead;
  CHECK(seen() == list{2});
  const auto events = w.events();
  const auto found = must(storage::find_event_delivery(w.db(), w.hook.id, events[1].public_id));
  REQUIRE(found);
  CHECK(found->position.value == 2);
  CHECK(found->event == events[1].public_id);
  CHECK(found->type == "orders.created");
  CHECK_FALSE(must(storage::find_event_delivery(w.db(), {999}, events[1].public_id)));
}
