#include "tests/storage/reconciled_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using std::string;
using enum core::notification_state;
using target = core::reconciliation_target;
using verdict = core::reconciliation_verdict;

TEST_CASE("an ambiguous submission is looked at when its schedule says, by what its provider knows it") {
  reconciled_world w(GENERATE(from_range(engines())));
  const auto made = w.doubted();
  CHECK(w.due(61).empty());
  const auto due = w.due(62);
  REQUIRE(due.size() == 1);
  CHECK(due.front().item.key == w.key_of(made));
  CHECK(due.front().item.notification == made.id);
  CHECK(due.front().item.number == 1);
  CHECK(due.front().item.profile == w.mail);
  CHECK(due.front().attempt_id == w.attempts(made).front().public_id);
  CHECK(due.front().contact.text == "ada@x.example");
  CHECK(due.front().submitted_at == at(1));

  w.sealing = ring_of({"seal-c"});
  CHECK(w.due(62).front().contact.text.empty());
}

TEST_CASE("a question has the text that was sent, and what is known of other messages to the contact point") {
  reconciled_world w(GENERATE(from_range(engines())));
  const auto of_text = [&](const string& text) {
    auto wish = w.wanted();
    wish.content.text = text;
    return w.notify(wish);
  };
  const auto known = of_text("one");
  const auto doubt = of_text("one");
  const auto other = of_text("two");
  REQUIRE(w.claim().notifications.size() == 3);
  w.record(
      {{known.id, w.accepted("m-1")}, {doubt.id, core::ambiguous_end()}, {other.id, core::ambiguous_end()}});
  const auto due = w.due(62);
  REQUIRE(due.size() == 2);
  CHECK(due[0].text == "one");
  CHECK(due[0].other_ids == std::vector<string>{"m-1"});
  CHECK_FALSE(due[0].alike); // the other of this text is known
  CHECK(due[1].text == "two");
  CHECK(due[1].other_ids == std::vector<string>{"m-1"});
  CHECK_FALSE(due[1].alike);
}

TEST_CASE("two messages of one text whose outcome is unknown are told to be alike") {
  reconciled_world w(GENERATE(from_range(engines())));
  const auto first = w.notify();
  const auto second = w.notify();
  REQUIRE(w.claim().notifications.size() == 2);
  w.record({{first.id, core::ambiguous_end()}, {second.id, core::ambiguous_end()}});
  const auto due = w.due(62);
  REQUIRE(due.size() == 2);
  CHECK(due[0].alike);
  CHECK(due[1].alike);
  w.look(w.key_of(first), verdict::known, 63, "m-1");
  const auto left = w.due(64);
  REQUIRE(left.size() == 1);
  CHECK_FALSE(left.front().alike);
  CHECK(left.front().other_ids == std::vector<string>{"m-1"});
}

TEST_CASE("where no key opens the content, its text is not known") {
  reconciled_world w(GENERATE(from_range(engines())));
  w.doubted();
  w.execute("UPDATE notifications SET content = 'v1.seal-a.AAAA'");
  CHECK(w.due(62).front().text.empty());
}

TEST_CASE("a provider that knows the message settles the ambiguity, and names the message") {
  reconciled_world w(GENERATE(from_range(engines())));
  const auto made = w.doubted();
  w.append_event(w.event(core::provider_event_type::delivered, "m-1"));
  w.project();
  const auto key = w.key_of(made);
  CHECK(w.look(key, verdict::known, 62, "m-1").step.proves_acceptance);
  CHECK(w.state(made) == accepted);
  CHECK(w.attempts(made).front().provider_message_id == "m-1");
  CHECK(w.audit(made.public_id).empty());
  CHECK(w.look(key, verdict::known, 63).gone);
  w.project();
  CHECK(w.attempts(made).front().told == core::provider_event_type::delivered);
}

TEST_CASE("a message that is not found is asked for again, and is a person's when the looks are through") {
  reconciled_world w(GENERATE(from_range(engines())));
  const auto made = w.doubted();
  const auto key = w.key_of(made);
  CHECK(w.look(key, verdict::not_found, 62).step.next_look == at(2 + 300));
  CHECK(w.due(301).empty());
  CHECK(w.due(302).front().item.looks == 1);
  CHECK(w.due(302).front().item.verdict == verdict::not_found);
  CHECK(w.look(key, verdict::not_found, 10'000'000).step.needs_person);
  CHECK(w.due(20'000'000).empty());
  CHECK(w.state(made) == ambiguous);
  CHECK(w.unsettled().of(target::ambiguous_submission).for_people == 1);
}

TEST_CASE("where a provider cannot be asked, that is recorded, and the attempt stays ambiguous") {
  reconciled_world w(GENERATE(from_range(engines())));
  const auto made = w.doubted();
  CHECK(w.look(w.key_of(made), verdict::unsupported, 62).step.needs_person);
  CHECK(w.state(made) == ambiguous);
  core::reconciliation_page page;
  page.for_people = true;
  const auto listed = must(storage::list_reconciliation_targets(w.db(), page));
  REQUIRE(listed.size() == 1);
  const auto& only = listed.front();
  CHECK(only.item.key == w.key_of(made));
  CHECK(only.item.verdict == verdict::unsupported);
  CHECK(only.item.last_look == at(62));
  CHECK_FALSE(only.item.next_look);
  CHECK(only.notification == made.public_id);
  CHECK(only.profile_name == made.profile_name);
  CHECK(only.tenant == made.tenant);
  page.tenants.names = {"globex"};
  CHECK(must(storage::list_reconciliation_targets(w.db(), page)).empty());
}

TEST_CASE("a look at what a person settled meanwhile comes to nothing") {
  reconciled_world w(GENERATE(from_range(engines())));
  const auto made = w.doubted();
  const auto key = w.key_of(made);
  must(w.try_settle(made, core::settlement_kind::not_sent));
  CHECK(w.look(key, verdict::known, 62, "m-1").gone);
  CHECK(w.state(made) == queued);
}

TEST_CASE("an accepted message whose callback is overdue is looked for until what became of it is known") {
  reconciled_world w(GENERATE(from_range(engines())));
  const auto silent = w.sent();
  const auto told = w.sent();
  w.record({{silent.id, w.accepted("m-1")}, {told.id, w.accepted("m-2")}});
  w.append_event(w.event(core::provider_event_type::delivered, "m-2"));
  w.append_event(w.event(core::provider_event_type::sent, "m-1"));
  w.project();
  CHECK(w.search(1).added == 0); // both were submitted at second 1
  const auto found = w.search(86'401);
  CHECK(found.added == 1);
  CHECK(found.through);
  CHECK(w.search(86'401).added == 0);
  const auto key = w.key_of(silent, target::overdue_callback);
  CHECK(w.look(key, verdict::unread, 86'500).step.next_look);
  w.append_event(w.event(core::provider_event_type::delivered, "m-1"));
  w.project();
  CHECK_FALSE(w.look(key, verdict::known, 86'800).gone);
  CHECK(w.look(key, verdict::known, 86'900).gone);
  CHECK(w.search(90'000).added == 0);
}

TEST_CASE("a search for overdue callbacks goes on where it ended, and leaves out profiles without any") {
  reconciled_world w(GENERATE(from_range(engines())));
  std::vector<core::ended_submission> ended;
  for (int n = 0; n < 3; ++n)
    ended.push_back({w.sent().id, w.accepted("m-" + std::to_string(n))});
  w.record(ended);
  const auto first = w.search(100, {}, 2);
  CHECK(first.added == 2);
  CHECK_FALSE(first.through);
  const auto second = w.search(100, first.upto, 2);
  CHECK(second.added == 1);
  CHECK(second.through);
  CHECK(w.search(100, second.upto, 2).upto == second.upto);
  w.mail = w.backup;
  w.execute("DELETE FROM reconciliation_targets");
  CHECK(w.search(100).added == 0);
}
