#include "core/reconciliation.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace sluice::core;
using namespace std::chrono_literals;
using target = reconciliation_target;
using verdict = reconciliation_verdict;

namespace {

const timestamp since = from_us(1'767'225'600'000'000); // 2026-01-01
const reconciliation_schedule schedule;

reconciliation_facts looked_after(duration after, bool callback_came = false) {
  return {.since = since, .now = since + after, .callback_came = callback_came};
}

} // namespace

TEST_CASE("a target is looked at after 1, 5 and 30 minutes, 2 and 6 hours, and then daily to the third day") {
  std::vector<duration> looks;
  std::optional<timestamp> last;
  while (const auto next = schedule.next_look(since, last)) {
    looks.push_back(*next - since);
    last = next;
  }
  CHECK(looks == std::vector<duration>{1min, 5min, 30min, 2h, 6h, 24h, 48h, 72h});
}

TEST_CASE("looks that were missed are one look, due at once") {
  CHECK(schedule.next_look(since, since + 5min) == since + 30min); // in the past for a node that was down
  CHECK(schedule.next_look(since, since + 30h) == since + 48h);
  CHECK_FALSE(schedule.next_look(since, since + 73h));
}

TEST_CASE("a clock that was set back does not end the looks") {
  CHECK(schedule.next_look(since, since - 1h) == since + 1min);
}

TEST_CASE("only a provider that knows the message ends an ambiguity") {
  CHECK(reconcile(target::ambiguous_submission, verdict::known, looked_after(1min), schedule)
        == reconciliation_step{.proves_acceptance = true});
  for (const auto said : {verdict::not_found, verdict::unread, verdict::matched})
    CHECK(reconcile(target::ambiguous_submission, said, looked_after(1min), schedule)
          == reconciliation_step{.next_look = since + 5min});
}

TEST_CASE("an ambiguity that no query can end is a person's, at once or when the looks are through") {
  for (const auto said : {verdict::several, verdict::unsupported})
    CHECK(reconcile(target::ambiguous_submission, said, looked_after(1min), schedule)
          == reconciliation_step{.needs_person = true});
  for (const auto said : {verdict::not_found, verdict::unread})
    CHECK(reconcile(target::ambiguous_submission, said, looked_after(72h), schedule)
          == reconciliation_step{.needs_person = true});
}

TEST_CASE("an overdue callback is looked for until what became of the message is known") {
  CHECK(reconcile(target::overdue_callback, verdict::known, looked_after(1min), schedule)
        == reconciliation_step{.next_look = since + 5min});
  for (const auto said : {verdict::known, verdict::unread})
    CHECK(reconcile(target::overdue_callback, said, looked_after(1min, true), schedule)
          == reconciliation_step{});
  CHECK(reconcile(target::overdue_callback, verdict::unsupported, looked_after(1min), schedule)
        == reconciliation_step{});
  CHECK(reconcile(target::overdue_callback, verdict::not_found, looked_after(72h), schedule)
        == reconciliation_step{});
}

TEST_CASE("an unmatched event is looked at until its attempt is here") {
  CHECK(reconcile(target::unmatched_event, verdict::not_found, looked_after(1min), schedule)
        == reconciliation_step{.next_look = since + 5min});
  CHECK(reconcile(target::unmatched_event, verdict::matched, looked_after(5min), schedule)
        == reconciliation_step{});
  CHECK(reconcile(target::unmatched_event, verdict::not_found, looked_after(80h), schedule)
        == reconciliation_step{});
}
