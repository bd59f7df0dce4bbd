#include "tests/storage/notification_world.hpp"

// What an answer or an event says of the address it was about.

using namespace sluice;
using namespace sluice::tests;
using enum core::notification_state;
using core::rejection_cause;

TEST_CASE("the provider's word for a dead address suppresses the contact point, by the profile's name") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  auto end = core::rejected_end(rejection_cause::recipient);
  end.what.retires = core::suppression_reason::retired_token;
  end.what.retired_at = at(-3600);
  CHECK(w.record(made, end).suppressed == 1);
  const auto stands = w.stored(w.person)->suppression;
  REQUIRE(stands);
  CHECK(stands->reason == core::suppression_reason::retired_token);
  CHECK(stands->by == "mail");
  CHECK(stands->at == at(2));
  CHECK(stands->retired_at == at(-3600));
  CHECK(w.notify().progress.state == failed);
}

TEST_CASE(
    "a token registered after the moment its provider names lives, though an attempt since was refused") {
  notification_world w(GENERATE(from_range(engines())));
  auto wish = contact_world::wish("ada@x.example");
  wish.registered_at = at(-1800);
  CHECK(w.contact(wish).record.id == w.person.id);
  auto end = core::rejected_end(rejection_cause::recipient);
  end.what.retires = core::suppression_reason::retired_token;
  end.what.retired_at = at(-3600);
  CHECK(w.record(w.sent(), end).suppressed == 0);
  CHECK_FALSE(w.stored(w.person)->suppression);
}

TEST_CASE("a token its provider names no moment for was dead when the attempt began") {
  notification_world w(GENERATE(from_range(engines())));
  auto end = core::rejected_end(rejection_cause::recipient);
  end.what.retires = core::suppression_reason::retired_token;
  CHECK(w.record(w.sent(), end).suppressed == 1);
  CHECK(w.stored(w.person)->suppression->retired_at == at(1));
}

TEST_CASE("an answer that retires a contact point which was removed meanwhile is recorded all the same") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  w.remove(w.person);
  auto end = core::rejected_end(rejection_cause::recipient);
  end.what.retires = core::suppression_reason::hard_bounce;
  CHECK(w.record(made, end).suppressed == 0);
  CHECK(w.state(made) == rejected);
}

TEST_CASE("a complaint told by an event suppresses the contact point") {
  notification_world w(GENERATE(from_range(engines())));
  const auto made = w.sent();
  w.record(made, w.accepted("m-1"));
  auto complaint = w.event(core::provider_event_type::complained, "m-1");
  complaint.suppresses = core::suppression_reason::complaint;
  w.append_event(complaint);
  CHECK(w.project().suppressed == 1);
  const auto stands = w.stored(w.person)->suppression;
  REQUIRE(stands);
  CHECK(stands->reason == core::suppression_reason::complaint);
  CHECK(stands->by == "mail");
  CHECK(w.state(made) == accepted);
}
