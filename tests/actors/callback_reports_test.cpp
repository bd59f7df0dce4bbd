#include "tests/actors/callback_world.hpp"

#include <catch2/catch.hpp>

using namespace sluice;
using namespace sluice::tests;
namespace m = messages;
using enum core::callback_outcome;

TEST_CASE("a report that is vouched for is recorded like a callback, whose provider sends none") {
  callback_world w;
  w.script->has_callback = false;
  CHECK(is(w.report("report e-1"), recorded));
  REQUIRE(w.written->reports.size() == 1);
  const auto& report = w.written->reports.front();
  CHECK(report.profile == mailer_id);
  CHECK(report.tenant == "acme");
  CHECK(report.body == "report e-1");
  CHECK(report.source == core::report_source::callback);
  CHECK(report.events.front().type == core::provider_event_type::bounced);
  CHECK(w.script->verified.empty()); // there is no signature
  CHECK(is(w.report("report e-1"), recorded));
  CHECK(w.written->events.size() == 1);
}

TEST_CASE("the same report at the callback's address, where anybody posts, is not there") {
  callback_world w;
  w.script->has_callback = false;
  CHECK(is(w.post("report e-1"), unknown));
  CHECK(w.written->batches.empty());
  CHECK(w.written->refused.size() == 1);
}

TEST_CASE("where a provider has callbacks, a report is taken for none of them") {
  callback_world w;
  CHECK(is(w.post("report e-1"), refused));
  CHECK(w.written->batches.empty());
}

TEST_CASE("mail that is no report is refused, and that is in the audit") {
  callback_world w;
  auto told = w.report("I am on holiday");
  CHECK(is(told, refused));
  CHECK(told.value().refusal == core::callback_refusal_kind::malformed);
  REQUIRE(w.written->refused.size() == 1);
  CHECK(w.written->refused.front().reason == "is no report");
  CHECK(w.written->reports.empty());
}

TEST_CASE("a report that the database does not take is answered as not recorded") {
  callback_world w;
  w.written->judge = [](const m::record_reports&) -> std::optional<caf::error> {
    return caf::make_error(m::fault::database_unavailable, "the database is away");
  };
  CHECK(is(w.report("report e-1"), unrecorded));
}
