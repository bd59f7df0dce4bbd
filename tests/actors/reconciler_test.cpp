#include "storage/provider_events.hpp"
#include "tests/actors/notification_world.hpp"

#include <catch2/catch.hpp>

#include <utility>

using namespace sluice;
using namespace std::chrono_literals;
using tests::notification_world;
namespace m = messages;

namespace {

constexpr const char* askable = R"(,"status":true)";

/// A message at "mail" whose outcome is unknown.
struct doubtful_world : notification_world {
  explicit doubtful_world(const std::string& settings) : notification_world({}, settings) {
    target("mail").next(harness::hang());
    made = notify();
    advance(31s);
    if (state(made) != "ambiguous")
      fail("the outcome should be unknown");
  }

  void answer_status(const harness::reaction& what) { target("mail").on("GET", what); }
  std::size_t asked() { return target("mail").count("GET"); }
  std::vector<core::reconciliation_item>
  targets(core::reconciliation_target kind = core::reconciliation_target::ambiguous_submission) {
    core::reconciliation_page page;
    page.kind = kind;
    std::vector<core::reconciliation_item> items;
    for (const auto& one : must(storage::list_reconciliation_targets(db(), page)))
      items.push_back(one.item);
    return items;
  }

  core::notification_record made;
};

/// A rule's create whose reply was lost, at a target that answers no lookup. Rules are not swept meanwhile.
struct unsettled_world : notification_world {
  unsettled_world()
      : notification_world({}, "", [](config::settings& changed) {
          changed.delivery.sweep_interval = 24h;
          changed.circuit.failures = 1000;
        }) {
    add_target("crm", {.lookup = true, .idempotency_key = false});
    add_rule();
    target("crm").next(harness::lose_the_reply());
    target("crm").on("GET", harness::answer(503));
    put_record("c-1");
    settle();
    if (status("c-1") != "ambiguous")
      fail("the create should be unknown");
  }

  std::size_t looks() { return target("crm").count("GET"); }
};

} // namespace

TEST_CASE(
    "a provider that knows the message ends the doubt, and what it told is in the ledger as asked for") {
  doubtful_world w{askable};
  w.answer_status(harness::answer(200, "{}"));
  w.advance(2min);
  CHECK(w.asked() == 1);
  CHECK(w.state(w.made) == "accepted");
  CHECK(w.attempts(w.made).front().provider_message_id == "found-" + w.attempts(w.made).front().public_id);
  const auto kept = w.must(storage::list_provider_events(w.db(), {}));
  REQUIRE(kept.size() == 1);
  CHECK(kept.front().source == core::report_source::reconciliation);
  CHECK(kept.front().what.type == core::provider_event_type::delivered);
  CHECK(w.targets().empty());
  CHECK(w.metrics().reconciliation_looks(core::reconciliation_verdict::known).value() == 1);
}

TEST_CASE("a provider that does not know the message is asked by the schedule, and then a person is") {
  doubtful_world w{askable};
  w.answer_status(harness::answer(404));
  w.advance(2min);
  CHECK(w.asked() == 1);
  CHECK(w.state(w.made) == "ambiguous");
  w.advance(5min);
  CHECK(w.asked() == 2);
  w.advance(24h * 4);
  CHECK(w.asked() == w.settings().notifications.reconcile_schedule.size());
  CHECK(w.state(w.made) == "ambiguous");
  REQUIRE(w.targets().size() == 1);
  CHECK(w.targets().front().needs_person);
  CHECK(w.messages_at("mail").size() == 1);
}

TEST_CASE("a provider that cannot be asked is recorded as such, and nothing is inferred") {
  doubtful_world w{""};
  w.advance(2min);
  REQUIRE(w.targets().size() == 1);
  CHECK(w.targets().front().verdict == core::reconciliation_verdict::unsupported);
  CHECK(w.targets().front().needs_person);
  CHECK(w.state(w.made) == "ambiguous");
}

TEST_CASE("an answer that says nothing is no verdict on the message") {
  doubtful_world w{askable};
  w.answer_status(harness::answer(500));
  w.advance(2min);
  REQUIRE(w.targets().size() == 1);
  CHECK(w.targets().front().verdict == core::reconciliation_verdict::unread);
  CHECK(w.state(w.made) == "ambiguous");
}

TEST_CASE("a rule is asked to settle an unknown create for as long as it is unknown") {
  unsettled_world w;
  w.advance(24h); // its own looks are through
  const auto looks = w.looks();
  REQUIRE(std::cmp_greater_equal(looks, core::own_looks_at_create));
  w.advance(24h);
  CHECK(w.looks() >= looks + 9); // every two hours and a little, by the longest of its waits
  CHECK(w.looks() <= looks + 12);
  CHECK(w.status("c-1") == "ambiguous");
  CHECK(w.target("crm").count("POST") == 1);
  w.target("crm").behave();
  w.advance(3h);
  CHECK(w.status("c-1") == "delivered");
  CHECK(w.target("crm").objects().size() == 1);
}

TEST_CASE("within a stop no rule looks at an unknown create, and does so when it ends") {
  unsettled_world w;
  w.advance(24h);
  const auto looks = w.looks();
  auto set = w.ask<core::stop_in_force>(w.dispatcher(), m::set_stop{{{}, "wait", "ada"}});
  w.advance(24h);
  REQUIRE(set.answered());
  CHECK(w.looks() == looks);
  w.target("crm").behave();
  static_cast<void>(w.ask<core::delivery_stop>(w.dispatcher(), m::end_stop{{}, {}, "ada"}));
  w.advance(1min);
  CHECK(w.status("c-1") == "delivered");
}

TEST_CASE("within a stop of its profile a provider is not asked") {
  doubtful_world w{askable};
  const core::stop_target where{core::stop_scope::profile, {}, {}, {}, w.mail};
  auto set = w.ask<core::stop_in_force>(w.dispatcher(), m::set_stop{{where, "an audit", "ada"}});
  w.advance(10min);
  REQUIRE(set.answered());
  CHECK(w.asked() == 0);
  REQUIRE(w.targets().size() == 1);
  CHECK(w.targets().front().looks == 0);
}

TEST_CASE("within a stop no provider is asked, and the look is due as before") {
  doubtful_world w{askable};
  w.answer_status(harness::answer(200, "{}"));
  static_cast<void>(w.ask<core::stop_in_force>(w.dispatcher(), m::set_stop{{{}, "wait", "ada"}}));
  w.advance(10min);
  CHECK(w.asked() == 0);
  REQUIRE(w.targets().size() == 1);
  CHECK(w.targets().front().looks == 0);
  static_cast<void>(w.ask<core::delivery_stop>(w.dispatcher(), m::end_stop{{}, {}, "ada"}));
  w.advance(1min);
  CHECK(w.asked() == 1);
  CHECK(w.state(w.made) == "accepted");
}

TEST_CASE("a callback that does not come is asked for, where the provider tells and can be asked") {
  notification_world w{{}, askable};
  w.target("mail").on("GET", harness::answer(200, "{}"));
  auto wish = w.wanted();
  const auto made = w.notify(wish);
  wish.route = w.make_route("backup alone", {"backup"});
  w.notify(wish);
  w.settle();
  w.advance(23h);
  CHECK(w.target("mail").count("GET") == 0);
  w.advance(3h);
  CHECK(w.target("mail").count("GET") >= 1);
  CHECK(w.target("backup").count("GET") == 0);
  CHECK(w.state(made) == "accepted");
  CHECK_FALSE(w.must(storage::list_provider_events(w.db(), {})).empty());
}

TEST_CASE("an event without an attempt is handed to whoever projects once more") {
  notification_world w;
  core::provider_report report;
  report.profile = w.mail;
  report.tenant = "acme";
  report.received_at = w.now();
  report.body = "{}";
  core::provider_event event;
  event.event_id = "e-1";
  event.provider_message_id = "nobody's";
  event.type = core::provider_event_type::sent;
  report.events.push_back(event);
  const core::reconciliation_schedule looks;
  static_cast<void>(w.must(storage::transact(w.db(), [&](storage::session& open) {
    return storage::append_reports(open, std::vector{report}, *w.keys());
  })));
  static_cast<void>(w.must(storage::transact(
      w.db(), [&](storage::session& open) { return storage::project_events(open, 10, looks, w.now()); })));
  core::kept_event_page page;
  page.progress = core::event_progress::unmatched;
  REQUIRE(w.must(storage::list_provider_events(w.db(), page)).size() == 1);
  w.advance(2min);
  page.progress = core::event_progress::pending;
  CHECK(w.must(storage::list_provider_events(w.db(), page)).size() == 1);
}

TEST_CASE("a reconciler that dies is replaced, and looks at what is due") {
  doubtful_world w{askable};
  w.answer_status(harness::answer(200, "{}"));
  w.kill(w.reconciler());
  w.advance(2min);
  CHECK(w.state(w.made) == "accepted");
}
