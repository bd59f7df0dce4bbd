#include "tests/storage/notification_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using std::string;
using enum core::notification_state;
using attempt_state = core::notification_attempt_state;
using core::rejection_cause;
using core::settlement_kind;

namespace {

constexpr std::string_view ambiguous_targets = "reconciliation_targets WHERE kind = 'ambiguous_submission'";

string targets(const notification_world& w) {
  return w.count(string(ambiguous_targets));
}

/// What the last attempt's row says of it.
core::notification_attempt last_attempt(notification_world& w, const core::notification_record& of) {
  const auto all = w.attempts(of);
  REQUIRE_FALSE(all.empty());
  return all.back();
}

} // namespace

TEST_CASE("an accepted submission keeps the provider's id, and says nothing of delivery") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  const auto recorded = w.record(made, w.accepted("m-1"));
  CHECK(recorded.applied == 1);
  CHECK(recorded.accepted == 1);
  CHECK(recorded.superseded == 0);
  CHECK_FALSE(recorded.next_due);
  CHECK(w.state(made) == accepted);
  const auto attempt = last_attempt(w, made);
  CHECK(attempt.state == attempt_state::accepted);
  CHECK(attempt.provider_message_id == "m-1");
  CHECK(attempt.ended_at == at(2));
  CHECK_FALSE(attempt.told);
  CHECK(w.claim(1000).notifications.empty());
}

TEST_CASE("a refused recipient or message ends the notification, with its cause at the attempt") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  w.record(made, core::rejected_end(rejection_cause::message));
  CHECK(w.state(made) == rejected);
  CHECK(w.now(made).progress.error_class == "http_400");
  CHECK(last_attempt(w, made).cause == rejection_cause::message);
  CHECK(last_attempt(w, made).error == "the provider refused it");
  CHECK(w.claim_at_backup(1000).notifications.empty());
}

TEST_CASE("retries and fallbacks number their attempts without a gap, until the route is exhausted") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  w.record(made, w.retryable(at(60)));
  CHECK(w.now(made).progress.due_at == at(60));
  CHECK(w.claim(59).notifications.empty());
  REQUIRE(w.claim(60).notifications.size() == 1);
  const auto fell = w.record(made, w.retryable({}, 2), 61);
  CHECK(fell.fallbacks == std::vector<core::profile_due>{{w.backup, at(61)}});
  CHECK(w.now(made).profile_name == "backup");
  CHECK(w.claim(61).notifications.empty());
  const auto claimed = w.claim_at_backup(61);
  REQUIRE(claimed.notifications.size() == 1);
  CHECK(claimed.notifications.front().claim.number == 3);
  CHECK(claimed.notifications.front().place_attempts == 1);
  w.record({{made.id, w.retryable({}, 3)}}, 62, w.backup);
  CHECK(w.state(made) == failed);
  CHECK(w.now(made).progress.error_class == "http_503");
  CHECK(w.history(made) == "1 retryable, 2 retryable, 3 retryable");
  CHECK(w.attempts(made)[2].profile_name == "backup");
}

TEST_CASE("a rejection that is the provider's falls back, and at the last profile it is final") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  w.record(made, core::rejected_end(rejection_cause::provider));
  CHECK(w.state(made) == queued);
  REQUIRE(w.claim_at_backup(3).notifications.size() == 1);
  w.record({{made.id, core::rejected_end(rejection_cause::provider, 2)}}, 4, w.backup);
  CHECK(w.state(made) == rejected);
  CHECK(w.history(made) == "1 rejected, 2 rejected");
}

TEST_CASE("an ambiguous submission waits, and is a target of reconciliation") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  CHECK(w.record(made, core::ambiguous_end()).ambiguous == 1);
  CHECK(w.state(made) == ambiguous);
  CHECK(last_attempt(w, made).error_class == "timed_out");
  CHECK(targets(w) == "1");
  CHECK(w.value("SELECT subject_id FROM " + string(ambiguous_targets))
        == std::to_string(last_attempt(w, made).id.value));
  CHECK(w.claim(1'000'000).notifications.empty());
}

TEST_CASE("a late answer settles the ambiguity its lapsed lease left") {
  notification_world w(GENERATE(from_range(engines())));
  const auto taken = w.sent();
  const auto refused = w.sent();
  CHECK(w.claim(61).lapsed == 2);
  CHECK(w.record({{taken.id, w.accepted("m-1")}, {refused.id, w.retryable(at(99))}}, 62).applied == 2);
  CHECK(w.state(taken) == accepted);
  CHECK(w.now(taken).progress.error.empty());
  CHECK(last_attempt(w, taken).provider_message_id == "m-1");
  CHECK(last_attempt(w, taken).error.empty());
  CHECK(w.state(refused) == queued);
  CHECK(w.now(refused).progress.due_at == at(62));
  CHECK(w.history(refused) == "1 retryable");
  CHECK(targets(w) == "0");
  CHECK(w.claim(62).notifications.front().claim.number == 2);
}

TEST_CASE("a late doubt settles nothing") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  w.claim(61);
  const auto recorded = w.record(made, core::ambiguous_end(), 62);
  CHECK(recorded.applied == 0);
  CHECK(recorded.superseded == 1);
  CHECK(w.state(made) == ambiguous);
  CHECK(last_attempt(w, made).error_class == "lease_lapsed");
}

TEST_CASE("the answer of a superseded attempt is written at its own row, and nowhere else") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  w.claim(61);
  must(w.try_settle(made, settlement_kind::not_sent));
  REQUIRE(w.claim(100).notifications.size() == 1);
  CHECK(w.record(made, w.accepted("m-1"), 101).superseded == 1);
  CHECK(w.state(made) == dispatching);
  CHECK(w.history(made) == "1 accepted, 2 dispatching");
  CHECK(w.attempts(made).front().provider_message_id == "m-1");
  CHECK(w.record(made, core::rejected_end(rejection_cause::message), 102).superseded == 1);
  CHECK(w.history(made) == "1 accepted, 2 dispatching"); // what was taken stays taken
}

TEST_CASE("a person settles an ambiguity by the attempt they looked at, with an audit row") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  CHECK(w.try_settle(made, settlement_kind::accepted).error().code == storage::error::refused);
  w.record(made, core::ambiguous_end());
  CHECK(w.try_settle(made, settlement_kind::accepted, 2).error().code == storage::error::refused);
  CHECK(w.audit(made.public_id).empty());
  CHECK(must(w.try_settle(made, settlement_kind::accepted, 1)).progress.state == accepted);
  CHECK(w.history(made) == "1 accepted");
  CHECK(targets(w) == "0");
  const auto audit = w.audit(made.public_id);
  REQUIRE(audit.size() == 1);
  CHECK(audit.front().act == "settle_notification");
  CHECK(audit.front().by == "ada");
  CHECK(audit.front().details == R"({"as":"accepted","attempt":1,"note":"I asked them."})");
}

TEST_CASE("what was settled as not sent is due again at the same profile, under the next number") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  w.record(made, core::ambiguous_end());
  must(w.try_settle(made, settlement_kind::not_sent, 1, core::notification_cause::reconciler));
  CHECK(w.audit(made.public_id).empty());
  CHECK(w.now(made).progress.due_at == at(100));
  CHECK(targets(w) == "0");
  CHECK(w.claim(100).notifications.front().claim.number == 2);
  CHECK(w.history(made) == "1 retryable, 2 dispatching");
}

TEST_CASE("an event of an ambiguous attempt proves that it was taken") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  w.record(made, core::ambiguous_end());
  w.append_event(w.event(core::provider_event_type::bounced, "m-1", last_attempt(w, made).public_id));
  CHECK(w.project().proven == 1);
  CHECK(w.state(made) == accepted);
  CHECK(w.history(made) == "1 accepted");
  CHECK(last_attempt(w, made).told == core::provider_event_type::bounced);
  CHECK(last_attempt(w, made).error.empty());
  CHECK(targets(w) == "0");
  w.append_event(w.event(core::provider_event_type::complained, "m-1"));
  w.project();
  CHECK(last_attempt(w, made).provider_message_id == "m-1");
  CHECK(last_attempt(w, made).told == core::provider_event_type::complained);
}

TEST_CASE("an event that waited under the name a proof brought is looked at again") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  w.append_event(w.event(core::provider_event_type::delivered, "m-1"));
  w.project();
  CHECK(w.count("unmatched_events") == "1");
  SECTION("after it became ambiguous") {
    w.record(made, core::ambiguous_end());
    w.append_event(w.event(core::provider_event_type::sent, "m-1", last_attempt(w, made).public_id));
    CHECK(w.project().proven == 1);
  }
  SECTION("at that moment") {
    w.append_event(w.event(core::provider_event_type::sent, "m-1", last_attempt(w, made).public_id));
    w.project();
    CHECK(w.record(made, core::ambiguous_end()).early_events == 1);
  }
  CHECK(w.count("unmatched_events") == "0");
  w.project();
  CHECK(last_attempt(w, made).told == core::provider_event_type::delivered);
}

TEST_CASE("an event that came before its attempt became ambiguous proves it at that moment") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  w.append_event(w.event(core::provider_event_type::delivered, "m-1", last_attempt(w, made).public_id));
  CHECK(w.project().proven == 0);
  CHECK(w.state(made) == dispatching);
  SECTION("by its answer") {
    const auto recorded = w.record(made, core::ambiguous_end());
    CHECK(recorded.ambiguous == 0);
    CHECK(recorded.accepted == 1);
  }
  SECTION("by its lease") {
    w.claim(61);
  }
  CHECK(w.state(made) == accepted);
  CHECK(w.history(made) == "1 accepted");
  CHECK(last_attempt(w, made).error_class.empty());
  CHECK(last_attempt(w, made).provider_message_id == "m-1");
  CHECK(targets(w) == "0");
}

TEST_CASE("an event that came before its attempt had the provider's id is projected after it has") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  w.append_event(w.event(core::provider_event_type::delivered, "m-1"));
  w.project();
  CHECK(w.count("unmatched_events") == "1");
  CHECK(w.record(made, w.accepted("m-1")).early_events == 1);
  w.project();
  CHECK(w.count("unmatched_events") == "0");
  CHECK(last_attempt(w, made).told == core::provider_event_type::delivered);
  CHECK(last_attempt(w, made).told_at == at(2));
}

TEST_CASE("what is recorded of a notification that is gone is superseded") {
  notification_world w(GENERATE(from_range(engines())));
  const auto recorded = w.record({{{999}, w.accepted("m-1")}});
  CHECK(recorded.superseded == 1);
  CHECK(recorded.applied == 0);
  CHECK(w.record({}).applied == 0);
}
