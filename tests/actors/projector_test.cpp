#include "actors/projector.hpp"
#include "actors/recorder.hpp"
#include "storage/provider_events.hpp"
#include "storage/soci_session.hpp"
#include "tests/actors/callback_world.hpp"

#include <catch2/catch.hpp>

#include <iterator>

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;
namespace m = messages;
using core::callback_outcome;
using enum core::provider_event_type;

namespace {

/// What becomes of suppressions.
struct effect_script {
  bool fails = false;
  std::vector<core::suppression_told> suppressed;

  storage::result<core::told_recorded> apply(const std::vector<core::suppression_told>& told) {
    if (fails)
      return std::unexpected{storage::failure{storage::error::refused, "it fails"}};
    suppressed.insert(suppressed.end(), told.begin(), told.end());
    return core::told_recorded{0, std::ssize(told)};
  }
};

m::callback_recorder real_recorder(callback_world& w, const std::shared_ptr<effect_script>& effects) {
  actors::recorder_resources resources{
      std::make_shared<storage::session>(w.open_session(storage::access::write)),
      w.keys(),
      &w.clock(),
      {},
      15s,
      100};
  resources.effects = [effects](storage::session&, const core::events_projected& projected, core::timestamp) {
    return effects->apply(projected.suppressions);
  };
  return w.spawn("recorder", actors::recorder, std::move(resources));
}

/// The real intake, projector and recorder on a database where attempt 1 has the message "m-1".
struct ledger_world : callback_world {
  explicit ledger_world(
      const settings_change& change = [](auto&) {},
      std::shared_ptr<effect_script> told = std::make_shared<effect_script>())
      : callback_world(change, [told](callback_world& w) { return real_recorder(w, told); }),
        effects(std::move(told)) {
    add_tenant("acme");
    execute("INSERT INTO notification_attempts (id, public_id, notification_id, number, profile_id, state, "
            "submitted_at, provider_message_id) VALUES (1, 'attempt-1', 1, 1, 7, 'accepted', 1, 'm-1')");
  }

  void execute(const std::string& sql) {
    must(storage::transact(db(), [&](storage::session& within) {
      return storage::guarded(within, "Executing", [&] { return storage::query(within, sql).run(); });
    }));
  }

  [[nodiscard]] m::projector projector() const {
    auto* actor = harness::actor_behind(intake);
    return dynamic_cast<m::callback_intake::stateful_pointer<actors::callback_intake_state>>(actor)
        ->state.projector_actor();
  }

  [[nodiscard]] std::optional<core::provider_event_type> state() {
    const std::vector<core::notification_attempt_id> attempts{{1}};
    const auto found = must(storage::read_projections(db(), attempts));
    return found.empty() ? std::nullopt : found.front().told.state;
  }

  std::shared_ptr<effect_script> effects;
};

const std::vector<std::string> course{"ok e-2 delivered", "ok e-1 sent", "ok e-2 delivered",
                                      "ok e-3 complained", "ok e-4 soft_bounced"};

} // namespace

TEST_CASE("what was told is projected at once, by its meaning and not its order") {
  ledger_world w;
  for (const auto& body : course)
    CHECK(is(w.post(body), callback_outcome::recorded));
  CHECK(w.state() == complained);
  auto& events = w.links->metrics->provider_events;
  CHECK(events(core::event_progress::matched).value() == 4);
  CHECK(events(core::event_progress::duplicate).value() == 1);
}

TEST_CASE(
    "a projector that dies leaves the answers to callbacks alone, and its next life comes to the same") {
  ledger_world w;
  w.kill(w.projector());
  for (const auto& body : course)
    CHECK(is(w.post(body), callback_outcome::recorded));
  CHECK_FALSE(w.state());
  w.advance(w.settings().callbacks.project_interval);
  CHECK(w.state() == complained);
  CHECK(static_cast<bool>(w.projector()));
}

TEST_CASE("a projector that dies while its batch is out loses nothing of it") {
  ledger_world w;
  auto told = w.post_only("ok e-1 delivered");
  w.settle_before<m::project_events>();
  w.kill(w.projector());
  w.settle();
  CHECK(is(told, callback_outcome::recorded));
  w.advance(w.settings().callbacks.project_interval);
  CHECK(w.state() == delivered);
  CHECK(w.effects->suppressed.empty());
}

TEST_CASE(
    "an event and what it brings about are projected together or not at all, whatever its sender is told") {
  ledger_world w;
  w.effects->fails = true;
  CHECK(is(w.post("ok e-1 bounced"), callback_outcome::recorded));
  CHECK_FALSE(w.state());
  CHECK(w.effects->suppressed.empty());
  w.effects->fails = false;
  w.advance(w.settings().callbacks.project_interval);
  CHECK(w.state() == bounced);
  REQUIRE(w.effects->suppressed.size() == 1);
  CHECK(w.effects->suppressed.front().reason == core::suppression_reason::hard_bounce);
  CHECK(w.effects->suppressed.front().attempt == core::notification_attempt_id{1});
  w.post("ok e-1 bounced");
  w.advance(1min);
  CHECK(w.effects->suppressed.size() == 1);
}

TEST_CASE("what others appended is found by the tick, in as many batches as it takes") {
  ledger_world w{[](auto& settings) { settings.project_batch = 2; }};
  std::vector<core::provider_report> reports(5);
  for (std::size_t at = 0; at < reports.size(); ++at) {
    core::provider_event event;
    event.event_id = "e-" + std::to_string(at);
    event.provider_message_id = at == 4 ? "m-1" : "another";
    event.type = delivered;
    event.provider_type = "delivered";
    reports[at] = {mailer_id, "acme", core::report_source::reconciliation, w.now(), "{}", {event}};
  }
  w.must(storage::transact(
      w.db(), [&](storage::session& within) { return storage::append_reports(within, reports, *w.keys()); }));
  CHECK_FALSE(w.state());
  w.advance(w.settings().callbacks.project_interval);
  CHECK(w.state() == delivered);
  CHECK(w.links->metrics->provider_events(core::event_progress::unmatched).value() == 4);
}

TEST_CASE("whoever appended otherwise has it projected at once by a word to the intake") {
  ledger_world w;
  core::provider_event event;
  event.event_id = "e-1";
  event.provider_message_id = "m-1";
  event.type = delivered;
  event.provider_type = "delivered";
  const std::vector<core::provider_report> reports{
      {mailer_id, "acme", core::report_source::reconciliation, w.now(), "{}", {event}}};
  auto appended = w.ask<core::reports_appended>(w.recorder, m::record_reports{reports});
  w.settle();
  REQUIRE(appended.answered());
  CHECK_FALSE(w.state());
  w.inject(m::events_appended{}).from(w.courier).to(w.intake);
  w.settle();
  CHECK(w.state() == delivered);
}

TEST_CASE("a person has projections made anew, batch by batch") {
  ledger_world w;
  for (const auto& body : course)
    w.post(body);
  w.execute("UPDATE attempt_projections SET state = 'sent', rank = 1");
  CHECK(w.state() == sent);
  core::projections_rebuilt done;
  for (int batches = 0; batches < 10 && !done.through; ++batches) {
    auto asked = w.ask<core::projections_rebuilt>(w.intake, m::rebuild_projections{done.upto, "ada"});
    w.settle();
    REQUIRE(asked.answered());
    done = asked.value();
  }
  CHECK(done.through);
  CHECK(w.state() == complained);
}

TEST_CASE("what a defect left pending is projected by a replay, whenever the next look is") {
  ledger_world w;
  w.effects->fails = true;
  CHECK(is(w.post("ok e-1 bounced"), callback_outcome::recorded));
  CHECK_FALSE(w.state());
  w.effects->fails = false;
  auto asked = w.ask<core::projections_rebuilt>(w.intake, m::rebuild_projections{{}, "ada"});
  w.settle();
  REQUIRE(asked.answered());
  CHECK(asked.value().attempts == 1);
  CHECK(w.state() == bounced);
}

TEST_CASE("while what projects is being started again a rebuild is refused with why") {
  ledger_world w;
  w.kill(w.projector());
  w.settle();
  auto asked = w.ask<core::projections_rebuilt>(w.intake, m::rebuild_projections{{}, "ada"});
  w.settle();
  REQUIRE(asked.failed());
  CHECK(m::fault_of(asked.error()) == m::fault::refused);
  w.advance(w.settings().callbacks.project_interval);
  auto again = w.ask<core::projections_rebuilt>(w.intake, m::rebuild_projections{{}, "ada"});
  w.settle();
  CHECK(again.answered());
}

TEST_CASE("what providers told is removed when its time is over, and what it came to stays") {
  ledger_world w{[](auto& settings) {
    settings.retention = 2h;
    settings.project_interval = 10min;
  }};
  w.post("ok e-1 delivered");
  w.advance(4h);
  CHECK(w.must(storage::list_provider_events(w.db(), {})).empty());
  CHECK(w.state() == delivered);
}
