#include "tests/storage/reconciled_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using target = core::reconciliation_target;

TEST_CASE("people see how much is not known, and since when, of their tenants") {
  reconciled_world w(GENERATE(from_range(engines())));
  w.doubted();
  w.append_event(w.event(core::provider_event_type::delivered, "of nobody"), 4);
  w.project(5);
  const auto all = w.unsettled();
  CHECK(all.ambiguous == 1);
  CHECK(all.of(target::ambiguous_submission).targets == 1);
  CHECK(all.of(target::ambiguous_submission).since == at(2));
  CHECK(all.of(target::ambiguous_submission).for_people == 0);
  CHECK(all.of(target::unmatched_event).targets == 1);
  CHECK(all.of(target::unmatched_event).since == at(5));
  CHECK(all.of(target::overdue_callback).targets == 0);
  core::tenant_scope others;
  others.names = {"globex"};
  CHECK(w.unsettled(others).ambiguous == 0);
  CHECK(w.unsettled(others).of(target::unmatched_event).targets == 0);
}

TEST_CASE("people see when each kind is looked at next, and by what a provider knows it") {
  reconciled_world w(GENERATE(from_range(engines())));
  w.doubted();
  w.append_event(w.event(core::provider_event_type::delivered, "of nobody"), 4);
  w.project(5);
  const auto soon = w.unsettled();
  CHECK(soon.of(target::ambiguous_submission).next_look == at(62));
  CHECK(soon.of(target::unmatched_event).next_look == at(65));
  CHECK_FALSE(soon.of(target::overdue_callback).next_look);
  CHECK(soon.lapsed.targets == 0);

  core::reconciliation_page page;
  page.kind = target::unmatched_event;
  const auto events = must(storage::list_reconciliation_targets(w.db(), page));
  REQUIRE(events.size() == 1);
  CHECK(events.front().provider_message_id == "of nobody");
  CHECK(events.front().notification.empty());
}

TEST_CASE("people see attempts past their lease before anybody makes them ambiguous") {
  reconciled_world w(GENERATE(from_range(engines())));
  const auto first = w.sent();
  const auto second = w.sent();
  CHECK(must(storage::list_lapsed_attempts(w.db(), {{}, at(2), {}, 100})).empty());
  const auto lapsed = w.unsettled({}, 100'000).lapsed;
  CHECK(lapsed.targets == 2);
  CHECK(lapsed.for_people == 0);
  const auto listed = must(storage::list_lapsed_attempts(w.db(), {{}, at(100'000), {}, 1}));
  REQUIRE(listed.size() == 1);
  CHECK(listed.front().notification == first.public_id);
  CHECK(listed.front().profile_name == first.profile_name);
  CHECK(listed.front().tenant == first.tenant);
  CHECK(listed.front().number == 1);
  CHECK(lapsed.since == listed.front().since);
  const auto rest = must(storage::list_lapsed_attempts(w.db(), {{}, at(100'000), listed.front().id, 100}));
  REQUIRE(rest.size() == 1);
  CHECK(rest.front().notification == second.public_id);
  core::tenant_scope others;
  others.names = {"globex"};
  CHECK(w.unsettled(others, 100'000).lapsed.targets == 0);
  CHECK(must(storage::list_lapsed_attempts(w.db(), {others, at(100'000), {}, 100})).empty());
}

TEST_CASE("a notification stands where its last attempt does: taken or not, and what became of it apart") {
  reconciled_world w(GENERATE(from_range(engines())));
  const auto doubtful = w.doubted();
  CHECK(w.standing(doubtful).sought.value().key == w.key_of(doubtful));
  CHECK_FALSE(w.standing(doubtful).told);
  const auto silent = w.sent();
  const auto told = w.sent();
  w.record({{silent.id, w.accepted("m-1")}, {told.id, w.accepted("m-2")}});
  w.append_event(w.event(core::provider_event_type::delivered, "m-2"));
  w.project();
  w.search(86'401);
  CHECK(w.standing(silent).sought.value().key.kind == target::overdue_callback);
  CHECK(w.standing(told).told == core::provider_event_type::delivered);
  CHECK_FALSE(w.standing(told).sought);
  const std::vector ids{doubtful.id, silent.id, told.id};
  CHECK(must(storage::read_notification_standings(w.db(), ids)).size() == 3);
  CHECK(must(storage::read_notification_standings(w.db(), {})).empty());
}
