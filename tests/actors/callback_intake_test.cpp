#include "tests/actors/callback_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;
namespace m = messages;
using enum core::callback_outcome;

namespace {

caf::error away() {
  return caf::make_error(m::fault::database_unavailable, "the database is away");
}

} // namespace

TEST_CASE("a genuine callback is answered once it is recorded, as it came") {
  callback_world w;
  auto told = w.post("ok e-1 delivered");
  CHECK(is(told, recorded));
  REQUIRE(w.written->reports.size() == 1);
  const auto& report = w.written->reports.front();
  CHECK(report.profile == mailer_id);
  CHECK(report.tenant == "acme");
  CHECK(report.source == core::report_source::callback);
  CHECK(report.received_at == w.now());
  CHECK(report.body == "ok e-1 delivered");
  REQUIRE(report.events.size() == 1);
  CHECK(report.events.front().type == core::provider_event_type::delivered);
  CHECK(w.script->made_for == std::vector<std::string>{std::string{mailer}});
  CHECK(w.written->refused.empty());
  CHECK(w.counted(recorded) == 1);
  CHECK(w.links->metrics->callbacks_in_hand.value() == 0);
}

TEST_CASE("a refused signature goes to the audit and never to the ledger") {
  callback_world w;
  auto told = w.post("forged");
  CHECK(is(told, refused));
  CHECK(told.value().refusal == core::callback_refusal_kind::bad_signature);
  CHECK(w.written->batches.empty());
  REQUIRE(w.written->refused.size() == 1);
  const auto& noted = w.written->refused.front();
  CHECK(noted.profile == mailer_id);
  CHECK(noted.tenant == "acme");
  CHECK(noted.source == "192.0.2.1");
  CHECK(noted.kind == core::callback_refusal_kind::bad_signature);
  CHECK(noted.reason == "it is not signed");
  CHECK(noted.digest == "the digest");
  CHECK(noted.at == w.now());
  CHECK(w.links->metrics->callbacks_refused(core::callback_refusal_kind::bad_signature).value() == 1);
}

TEST_CASE("an address without a profile is not there, and is in the audit without a tenant") {
  callback_world w;
  CHECK(is(w.post("ok e-1 sent", "01890a5d-ac96-774b-bcce-b302099a8058"), unknown));
  CHECK(w.profiles.got<m::load_profile>().size() == 1);
  CHECK(is(w.post("ok e-1 sent", "no such thing"), unknown));
  CHECK(w.profiles.got<m::load_profile>().size() == 1);
  REQUIRE(w.written->refused.size() == 2);
  CHECK_FALSE(w.written->refused.front().profile);
  CHECK(w.written->refused.front().tenant.empty());
  CHECK(w.script->verified.empty());
}

TEST_CASE("a profile whose provider sends no callbacks has no address either") {
  callback_world w;
  w.script->has_callback = false;
  CHECK(is(w.post("ok e-1 sent"), unknown));
  CHECK(w.script->verified.empty());
  REQUIRE(w.written->refused.size() == 1);
  CHECK(w.written->refused.front().profile == mailer_id);
}

TEST_CASE("a body that nests too deep is refused before it is read") {
  callback_world w;
  auto told = w.post(" " + std::string(65, '['));
  CHECK(is(told, refused));
  CHECK(told.value().refusal == core::callback_refusal_kind::malformed);
  CHECK(w.script->verified.empty());
}

TEST_CASE("a duplicate is answered like the first, and projected once") {
  callback_world w;
  const auto before = w.written->projections;
  CHECK(is(w.post("ok e-1 delivered"), recorded));
  CHECK(w.written->projections == before + 1);
  CHECK(is(w.post("ok e-1 delivered"), recorded));
  CHECK(w.written->reports.size() == 2);
  CHECK(w.written->projections == before + 1);
  auto& events = w.links->metrics->provider_events;
  CHECK(events(core::event_progress::pending).value() == 1);
  CHECK(events(core::event_progress::duplicate).value() == 1);
}

TEST_CASE("a database that stalls is a 503 in time, and callbacks count until it has answered") {
  callback_world w{[](auto& settings) { settings.in_hand_max = 2; }};
  w.written->stalls = true;
  auto out = w.post("ok e-1 sent");
  auto behind = w.post("ok e-2 sent");
  CHECK(is(w.post("ok e-3 sent"), crowded));
  CHECK_FALSE(out.answered());
  w.advance(w.settings().callbacks.answer_timeout - 1ms);
  CHECK_FALSE(out.answered());
  w.advance(1s);
  CHECK(is(out, late));
  CHECK(is(behind, late));
  CHECK(w.links->metrics->callbacks_in_hand.value() == 1);

  auto next = w.post("ok e-4 sent");
  CHECK(w.written->batches.size() == 1);
  w.written->stalls = false;
  w.let_go(w.written->write(w.written->batches.front()));
  CHECK(is(next, recorded));
  CHECK(w.written->reports.size() == 2);
  CHECK(w.links->metrics->callbacks_in_hand.value() == 0);
  CHECK(is(w.post("ok e-2 sent"), recorded));
}

TEST_CASE("a database that is away is a 503 at once, and the next callback is taken") {
  callback_world w;
  w.written->judge = [](const auto&) { return std::optional{away()}; };
  CHECK(is(w.post("ok e-1 sent"), unrecorded));
  CHECK(w.written->batches.size() == 1);
  w.written->judge = [](const auto&) { return std::nullopt; };
  CHECK(is(w.post("ok e-1 sent"), recorded));
}

TEST_CASE("what comes while a batch is out is recorded together") {
  callback_world w;
  w.post("ok e-0 sent");
  w.written->stalls = true;
  w.post("ok e-1 sent");
  w.written->stalls = false;
  std::vector<harness::asked<m::callback_taken>> gathered;
  for (int i = 2; i < 12; ++i)
    gathered.push_back(w.post("ok e-" + std::to_string(i) + " sent"));
  CHECK(w.written->batches.size() == 2);
  w.let_go(core::reports_appended{});
  REQUIRE(w.written->batches.size() == 3);
  CHECK(w.written->batches.back().reports.size() == 10);
  for (const auto& each : gathered)
    CHECK(is(each, recorded));
}

TEST_CASE("one callback that the database refuses costs the others of its batch nothing") {
  callback_world w;
  w.post("ok e-0 sent");
  w.written->judge = [](const m::record_reports& ask) -> std::optional<caf::error> {
    for (const auto& each : ask.reports)
      if (each.body == "ok e-2 sent")
        return caf::make_error(m::fault::database_refused, "it has a byte that is not allowed");
    return std::nullopt;
  };
  w.written->stalls = true;
  w.post("ok e-1 sent");
  auto bad = w.post("ok e-2 sent");
  auto good = w.post("ok e-3 sent");
  w.written->stalls = false;
  w.let_go(core::reports_appended{});
  CHECK(is(bad, unrecorded));
  CHECK(is(good, recorded));
  CHECK(w.links->metrics->callbacks_in_hand.value() == 0);
}

TEST_CASE("no more bytes are in hand than allowed") {
  callback_world w{[](auto& settings) {
    settings.body_bytes_max = 1024;
    settings.in_hand_bytes_max = 1500;
  }};
  w.written->stalls = true;
  const std::string long_id(1000, 'x');
  auto first = w.post("ok " + long_id + " sent");
  CHECK_FALSE(first.answered());
  CHECK(is(w.post("ok " + long_id + " sent"), crowded));
  CHECK_FALSE(w.post("ok e-1 sent").answered());
}

TEST_CASE("a profile is asked about once for many callbacks, and again when its time is over") {
  callback_world w;
  std::vector<harness::asked<m::callback_taken>> many;
  for (int i = 0; i < 5; ++i)
    many.push_back(w.post_only("ok e-" + std::to_string(i) + " sent"));
  w.settle();
  for (const auto& each : many)
    CHECK(is(each, recorded));
  w.post("ok e-5 sent");
  CHECK(w.profiles.got<m::load_profile>().size() == 1);
  w.advance(w.settings().callbacks.profile_age_max);
  w.post("ok e-6 sent");
  REQUIRE(w.profiles.got<m::load_profile>().size() == 2);
  CHECK(w.profiles.got<m::load_profile>().back().known_version == 1);
  CHECK(w.script->made_for.size() == 1);
}

TEST_CASE("a profile that was changed is worked with anew, and one that was removed no longer") {
  callback_world w;
  w.post("ok e-1 sent");
  w.version = 2;
  w.advance(1s);
  CHECK(is(w.post("ok e-2 sent"), recorded));
  CHECK(w.script->made_for.size() == 2);
  w.version = 3;
  w.removed = true;
  w.advance(1s);
  CHECK(is(w.post("ok e-3 sent"), unknown));
}

TEST_CASE("a profile that cannot be worked with is a 503 until it is changed") {
  callback_world w;
  w.faulty = true;
  CHECK(is(w.post("ok e-1 sent"), unrecorded));
  CHECK(w.written->refused.empty());
  w.faulty = false;
  w.version = 2;
  w.advance(1s);
  CHECK(is(w.post("ok e-1 sent"), recorded));
}

TEST_CASE("profiles that cannot be read are a 503, and the next callback asks again") {
  callback_world w;
  w.profiles.on<m::load_profile>(
      [](const m::load_profile&) -> caf::result<m::profile_loaded> { return away(); });
  CHECK(is(w.post("ok e-1 sent"), unrecorded));
  w.profiles.on<m::load_profile>([&w](const m::load_profile& ask) { return w.loaded(ask); });
  CHECK(is(w.post("ok e-1 sent"), recorded));
}

TEST_CASE("refused callbacks wait for the audit so many at once, and nobody waits for them") {
  callback_world w{[](auto& settings) { settings.refusals_in_hand_max = 3; }};
  w.post("ok e-1 sent");
  std::vector<harness::asked<m::callback_taken>> forged;
  for (int i = 0; i < 50; ++i)
    forged.push_back(w.post_only("forged"));
  w.settle();
  for (const auto& each : forged)
    CHECK(is(each, refused));
  CHECK(w.written->refused.size() < 50);
  CHECK(w.written->refused.size() >= 3);
  CHECK(w.counted(refused) == 50);
}
