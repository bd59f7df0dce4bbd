#include "booking_fixture.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice::core;
using namespace sluice::core::testing;

TEST_CASE("what needs no call notes what was looked at and keeps what is known of the target") {
  const ledger_row before = failed_row(target_state::active, 2);
  for (const auto& [what, status] : {std::pair{action::suppress, delivery_status::suppressed},
                                     std::pair{action::filter, delivery_status::filtered},
                                     std::pair{action::refuse, delivery_status::undeliverable},
                                     std::pair{action::await, delivery_status::awaiting_anchor},
                                     std::pair{action::hold, delivery_status::held}}) {
    const auto row = book_local(seen(before), what, with, "missing_field", "The field \"email\" is missing.");
    ledger_row expected = before;
    expected.status = status;
    expected.seen_content_changed_at = changed;
    expected.seen_revision = 3;
    expected.next_attempt_at.reset();
    const bool explained = what == action::refuse || what == action::await;
    expected.error_class = explained ? "missing_field" : "";
    expected.error = explained ? "The field \"email\" is missing." : "";
    expected.row_version = 5;
    CHECK(row == expected);
  }
}

TEST_CASE("a record never seen gets its first row from a local action too") {
  const auto row = book_local(unseen(), action::filter, with, {}, {});
  CHECK(row.source_id == "c-1");
  CHECK(row.target == target_state::absent);
  CHECK(row.row_version == 1);
}

TEST_CASE("a drain's skip clears the next attempt and touches nothing else") {
  ledger_row before = row_of(delivery_status::held, target_state::active);
  before.next_attempt_at = now;
  ledger_row expected = before;
  expected.next_attempt_at.reset();
  expected.row_version = 5;
  CHECK(book_local(seen(before), action::skip, with, "unused", "unused") == expected);
  CHECK(book_local(seen(before, {}), action::skip, with, {}, {}) == expected);
}

TEST_CASE("a drain's skip keeps a retry that a clock set back made wait again") {
  ledger_row before = failed_row(target_state::active, 1);
  before.next_attempt_at = now + 1s;
  CHECK(book_local(seen(before), action::skip, with, {}, {}).next_attempt_at == now + 1s);
}

TEST_CASE("a drain's skip notes the revision it passed a refused row over under") {
  for (const auto status : {delivery_status::undeliverable, delivery_status::filtered}) {
    const ledger_row before = row_of(status, target_state::absent);
    CHECK(book_local(seen(before, tombstone()), action::skip, with, {}, {}).seen_revision == 3);
    CHECK(book_local(seen(before, tombstone(deletion_reason::disconnect)), action::skip, with, {}, {})
              .seen_revision
          == 1);
  }
}

TEST_CASE("a long reason is cut between two characters") {
  std::string reason(ledger_error_bytes_max - 1, 'a');
  reason += "\u00e4";
  const auto row = book_local(unseen(), action::refuse, with, "too_long", reason);
  CHECK(row.error == std::string(ledger_error_bytes_max - 1, 'a'));
}
