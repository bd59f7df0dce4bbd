#include "tests/conformance/callback_world.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>

using namespace sluice;
using namespace std::chrono_literals;
using core::callback_outcome;
using core::event_progress;
using tests::callback_world;

namespace {

constexpr auto projections_fail = "CREATE TRIGGER defect BEFORE INSERT ON attempt_projections "
                                  "BEGIN SELECT RAISE(ABORT, 'a defect of the projector'); END";

std::vector<event_progress> progress_of(const std::vector<core::kept_event>& events) {
  std::vector<event_progress> made;
  std::ranges::transform(events, std::back_inserter(made), &core::kept_event::progress);
  return made;
}

/// Projections made anew, as `sluice callbacks replay` has it.
void replay(callback_world& w) {
  static_cast<void>(w.ask<core::projections_rebuilt>(w.intake, messages::rebuild_projections{{}, "ada"}));
  w.settle();
}

} // namespace

TEST_CASE("Acceptance is not delivery: a submission is accepted, and what became of it stands beside it") {
  callback_world w;
  const auto made = w.notify();
  CHECK(w.state(made) == "accepted");
  CHECK(w.told(made).empty());
  w.tell("m-1", "bounced", "evt_1");
  CHECK(w.told(made) == "bounced");
  CHECK(w.state(made) == "accepted");
}

TEST_CASE("Acceptance is not delivery: an ambiguity blocks retry and fallback until it is settled") {
  callback_world w{false};
  w.target("receiver").next(harness::hang());
  const auto made = w.notify();
  w.advance(24h * 4);
  CHECK(w.state(made) == "ambiguous");
  CHECK(w.sent() == 1);
  CHECK(w.attempt(made).number == 1);
}

TEST_CASE("Ingestion order: what has no profile, another content type or a wrong signature is in no ledger") {
  callback_world w;
  w.notify();
  const std::string body = R"({"id":"m-1","state":"delivered"})";
  CHECK(w.post({.body = body, .profile = "01890a5d-ac96-774b-bcce-b302099a8057"})
        == callback_outcome::unknown);
  CHECK(w.post({.body = body, .type = "text/html"}) == callback_outcome::refused);
  CHECK(w.post({.body = body, .forged = true}) == callback_outcome::refused);
  w.advance(1s);
  CHECK(w.events().empty());
  const auto refused = w.refused();
  REQUIRE(refused.size() == 3);
  const auto& forged = refused.front();
  CHECK(forged.kind == core::callback_refusal_kind::bad_signature);
  CHECK(forged.source == "192.0.2.1");
  CHECK(forged.digest == "the digest");
  CHECK(refused[1].kind == core::callback_refusal_kind::content_type);
}

TEST_CASE("Ingestion order: a callback is recorded before anything is made of it, and a defect is a replay") {
  callback_world w;
  const auto made = w.notify();
  w.execute(projections_fail);
  CHECK(w.tell("m-1", "delivered", "evt_1") == callback_outcome::recorded);
  CHECK(w.events().size() == 1);
  CHECK(w.told(made).empty());
  w.execute("DROP TRIGGER defect");
  w.advance(w.settings().callbacks.project_interval);
  CHECK(w.told(made) == "delivered");

  w.execute("DELETE FROM attempt_projections");
  CHECK(w.told(made).empty());
  replay(w);
  CHECK(w.told(made) == "delivered");
}

TEST_CASE("Duplicates and ordering: a duplicate is acknowledged, kept as one and projected once") {
  callback_world w;
  const auto made = w.notify();
  CHECK(w.tell("m-1", "delivered", "evt_1") == callback_outcome::recorded);
  CHECK(w.tell("m-1", "delivered", "evt_1") == callback_outcome::recorded);
  CHECK(progress_of(w.events()) == std::vector{event_progress::matched, event_progress::duplicate});
  CHECK(w.events().back().duplicate_of == w.events().front().id);
  CHECK(w.told(made) == "delivered");
}

TEST_CASE("Duplicates and ordering: the meaning of events decides, not their arrival, and every one stays") {
  std::array<std::string, 4> words{"sent", "delayed", "delivered", "bounced"};
  std::ranges::sort(words);
  do {
    callback_world w;
    const auto made = w.notify();
    for (const auto& word : words)
      CHECK(w.tell("m-1", word, "evt_" + word) == callback_outcome::recorded);
    CHECK(w.told(made) == "bounced");
    CHECK(w.events().size() == words.size());
  } while (std::ranges::next_permutation(words).found);
}

TEST_CASE("Unknown fields: are ignored, and only a field without which no attempt is found rejects") {
  callback_world w;
  const auto made = w.notify();
  CHECK(w.post({.body = R"({"id":"m-1","state":"delivered","new":{"in":[2027]},"state_v2":7})"})
        == callback_outcome::recorded);
  CHECK(w.told(made) == "delivered");
  CHECK(w.post({.body = R"({"state":"bounced"})", .id = "evt_2"}) == callback_outcome::refused);
  w.advance(1s);
  REQUIRE(w.refused().size() == 1);
  CHECK(w.refused().front().kind == core::callback_refusal_kind::unidentified);
  CHECK(w.told(made) == "delivered");
}

TEST_CASE("Unknown fields: a word nobody here knows is kept, and projects to nothing") {
  callback_world w;
  const auto made = w.notify();
  CHECK(w.tell("m-1", "beamed", "evt_1") == callback_outcome::recorded);
  REQUIRE(w.events().size() == 1);
  CHECK(w.events().front().what.provider_type == "beamed");
  CHECK(w.told(made).empty());
}

TEST_CASE("Reconciliation: an attempt past its lease and one whose answer never came are asked about") {
  callback_world w;
  w.target("receiver").next(harness::hang());
  const auto lost = w.notify();
  w.crash_and_restart();
  w.settle();
  CHECK(w.state(lost) == "dispatching");
  w.advance(w.settings().notifications.lease + 1min);
  CHECK(w.state(lost) == "ambiguous");
  REQUIRE(w.targets(core::reconciliation_target::ambiguous_submission).size() == 1);
}

TEST_CASE("Reconciliation: a confirmed answer goes through the same ledger and the same projector") {
  callback_world w;
  w.target("receiver").next(harness::hang());
  w.target("receiver").on("GET", harness::answer(200, R"({"id":"m-9","state":"delivered"})"));
  const auto made = w.notify();
  w.advance(2min);
  CHECK(w.state(made) == "accepted");
  CHECK(w.told(made) == "delivered");
  REQUIRE(w.events().size() == 1);
  CHECK(w.events().front().source == core::report_source::reconciliation);
  CHECK(w.sent() == 1);
  w.execute("DELETE FROM attempt_projections");
  replay(w);
  CHECK(w.told(made) == "delivered");
}

TEST_CASE("Reconciliation: without a status query that is recorded, and no outcome is inferred") {
  callback_world w{false};
  w.target("receiver").next(harness::hang());
  const auto made = w.notify();
  w.advance(2min);
  CHECK(w.state(made) == "ambiguous");
  const auto left = w.targets(core::reconciliation_target::ambiguous_submission);
  REQUIRE(left.size() == 1);
  CHECK(left.front().verdict == core::reconciliation_verdict::unsupported);
  CHECK(left.front().needs_person);
}

TEST_CASE(
    "Reconciliation: an accepted message nobody told of, and an event without its attempt, are targets") {
  callback_world w;
  w.target("receiver").on("GET", harness::answer(404));
  w.notify();
  CHECK(w.tell("m-77", "delivered", "evt_1") == callback_outcome::recorded);
  CHECK(w.events().front().progress == event_progress::unmatched);
  CHECK(w.targets(core::reconciliation_target::unmatched_event).size() == 1);
  CHECK(w.targets(core::reconciliation_target::overdue_callback).empty());
  w.advance(w.settings().notifications.webhook_callback_patience + 1h);
  CHECK(w.targets(core::reconciliation_target::overdue_callback).size() == 1);
}
