#include "core/booking.hpp"

#include "core/assertion.hpp"
#include "core/ledger_step.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sluice::core {

namespace {

constexpr const char* record_moved_on = "record_moved_on";

/// A withdrawal may have arrived. A record that comes back before that is known is taken for withdrawn: to
/// reactivate what is active does no harm, but an update alone would leave it switched off, or meet nothing.
void may_have_let_go(ledger_row& row) {
  row.target = target_state::inactive;
}

void hold_nothing(ledger_row& row) {
  // What comes after this is another creation: it must not meet the answer kept under the old one's key.
  if (row.target != target_state::absent)
    ++row.create_generation;
  row.target = target_state::absent;
  row.remote_id.clear();
}

void fail(ledger_row& row, const outcome& outcome, const booking& with) {
  assert_that(with.retries != nullptr, "a booking of calls has a retry schedule");
  ++row.attempts;
  const auto next = with.retries->next_attempt(row.attempts, with.now, with.jitter);
  conclude(row, next ? delivery_status::failed : delivery_status::exhausted, outcome.error_class,
           outcome.error);
  row.next_attempt_at = next;
}

/// The target holds `version` now. A record that has moved on since is not done with: its newer version may
/// lie behind every cursor.
void hold_version(ledger_row& row, const candidate& candidate, timestamp version, const booking& with) {
  row.target = target_state::active;
  row.delivered_content_changed_at = version;
  row.attempts = 0;
  if (candidate.record.content_changed_at > version)
    decide_again(row, with.now, record_moved_on, "The record changed after what the target holds was sent.");
  else
    conclude(row, delivery_status::delivered);
}

void withdraw(ledger_row& row, const candidate& candidate, operation op, timestamp version,
              const booking& with) {
  if (op == operation::remove)
    hold_nothing(row);
  else
    row.target = target_state::inactive;
  row.delivered_content_changed_at = version;
  row.attempts = 0;
  if (candidate.record.content_changed_at > version)
    decide_again(row, with.now, record_moved_on, "The record changed after its withdrawal was sent.");
  else
    conclude(row, delivery_status::withdrawn);
}

void link(ledger_row& row, const outcome& outcome, const booking& with) {
  row.target = target_state::active;
  row.remote_id = outcome.remote_id;
  row.delivered_content_changed_at.reset();
  row.attempts = 0;
  decide_again(row, with.now, "linked", "The target had the record already; its content there is unknown.");
}

void accept(ledger_row& row, const candidate& candidate, operation op, const outcome& outcome,
            timestamp version, const booking& with) {
  if (op == operation::create || op == operation::lookup)
    assert_that(!outcome.remote_id.empty(), "an accepted create or lookup brings the remote id");
  else
    assert_that(row.target != target_state::absent, "only what the target holds can be changed there");
  switch (op) {
  case operation::create:
    row.remote_id = outcome.remote_id;
    hold_version(row, candidate, version, with);
    return;
  case operation::update:
    hold_version(row, candidate, version, with);
    return;
  case operation::remove:
  case operation::deactivate:
    withdraw(row, candidate, op, version, with);
    return;
  case operation::reactivate:
    row.target = target_state::active;
    row.attempts = 0;
    decide_again(row, with.now, "reactivated",
                 "Reactivated; what the update mode asks for is still to come.");
    return;
  case operation::lookup:
    link(row, outcome, with);
    return;
  }
}

/// The target says that it does not hold the record.
void miss(ledger_row& row, const candidate& candidate, operation op, const outcome& outcome,
          timestamp version, const booking& with) {
  switch (op) {
  case operation::create:
    fail(row, outcome, with); // there was nothing to be gone: the address, or the parent, is at fault
    return;
  case operation::remove:
    withdraw(row, candidate, op, version, with);
    return;
  case operation::lookup:
    decide_again(row, with.now, "not_found", "The target does not hold the record.");
    return;
  case operation::update:
    if (row.target == target_state::inactive) { // our own withdrawal took it: nobody else did
      hold_nothing(row);
      row.attempts = 0;
      decide_again(row, with.now, "withdrawn_before", "It had been withdrawn, and is created again.");
      return;
    }
    [[fallthrough]];
  case operation::deactivate:
  case operation::reactivate:
    hold_nothing(row);
    row.delivered_content_changed_at.reset();
    conclude(row, delivery_status::remote_gone, outcome.error_class, outcome.error);
    return;
  }
}

[[nodiscard]] ledger_row book_skip(const candidate& candidate, const booking& with) {
  assert_that(candidate.row.has_value(), "a drain reads nothing but ledger rows");
  ledger_row row = next_row(candidate);
  // A wall clock that was set back makes a due row wait again: then its next attempt is still to come.
  const bool waits = row.status == delivery_status::failed && row.next_attempt_at > with.now;
  if (!waits)
    row.next_attempt_at.reset();
  // A refused or filtered row is read by its old revision: unless this look is noted, every drain reads it
  // again. A disconnected record may come back unchanged, and then nothing but the revision brings it back.
  if (candidate.record.reason != deletion_reason::disconnect
      && (row.status == delivery_status::undeliverable || row.status == delivery_status::filtered))
    row.seen_revision = std::max(row.seen_revision, with.revision);
  assert_consistent(row);
  return row;
}

} // namespace

ledger_row book_local(const candidate& candidate, action what, const booking& with, std::string error_class,
                      std::string reason) {
  if (what == action::skip)
    return book_skip(candidate, with);
  ledger_row row = next_row(candidate);
  look_at(row, candidate, with);
  switch (what) {
  case action::suppress:
    conclude(row, delivery_status::suppressed);
    break;
  case action::filter:
    conclude(row, delivery_status::filtered);
    break;
  case action::refuse:
    conclude(row, delivery_status::undeliverable, std::move(error_class), std::move(reason));
    break;
  case action::await:
    conclude(row, delivery_status::awaiting_anchor, std::move(error_class), std::move(reason));
    break;
  case action::hold:
    conclude(row, delivery_status::held);
    break;
  default:
    assert_that(false, "an action that makes a call is booked with the call's outcome");
  }
  assert_consistent(row);
  return row;
}

ledger_row book_await(const candidate& candidate, const booking& with, std::string anchor_source_id,
                      std::string reason) {
  ledger_row row = book_local(candidate, action::await, with, "awaiting_anchor", std::move(reason));
  row.anchor_source_id = std::move(anchor_source_id);
  return row;
}

ledger_row book_outcome(const candidate& candidate, operation op, const outcome& outcome, timestamp version,
                        const booking& with) {
  ledger_row row = next_row(candidate);
  look_at(row, candidate, with);
  switch (outcome.kind) {
  case outcome_kind::accepted:
    accept(row, candidate, op, outcome, version, with);
    break;
  case outcome_kind::gone:
    miss(row, candidate, op, outcome, version, with);
    break;
  case outcome_kind::ambiguous:
    if (op == operation::lookup)
      fail(row, outcome, with); // a question changes nothing, however it ends
    else
      conclude(row, delivery_status::ambiguous, outcome.error_class, outcome.error);
    break;
  case outcome_kind::several:
    conclude(row, delivery_status::ambiguous, outcome.error_class, outcome.error);
    break;
  case outcome_kind::transient:
    fail(row, outcome, with);
    if (op == operation::deactivate || op == operation::remove)
      may_have_let_go(row);
    break;
  case outcome_kind::exists:
  case outcome_kind::rejected:
    fail(row, outcome, with);
    break;
  case outcome_kind::rate_limited:
  case outcome_kind::unauthorized:
  case outcome_kind::unattempted:
    assert_that(false, "nothing is booked for a call that only waits");
  }
  assert_consistent(row);
  return row;
}

ledger_row book_linked(const candidate& candidate, std::string remote_id, const booking& with) {
  assert_that(!remote_id.empty(), "a link names what the target holds");
  ledger_row row = next_row(candidate);
  outcome found;
  found.remote_id = std::move(remote_id);
  link(row, found, with);
  assert_consistent(row);
  return row;
}

std::int64_t known_delta(bool held_before, target_state after) noexcept {
  return std::int64_t{after != target_state::absent} - std::int64_t{held_before};
}

bool withdrew(operation op, outcome_kind kind) noexcept {
  if (op == operation::remove)
    return kind == outcome_kind::accepted || kind == outcome_kind::gone;
  return op == operation::deactivate && kind == outcome_kind::accepted;
}

ledger_row book_due_again(const ledger_row& before, timestamp now, std::string reason) {
  assert_consistent(before);
  assert_that(!before.trashed, "a trashed ledger row is not overwritten");
  ledger_row row = before;
  ++row.row_version;
  decide_again(row, now, "settled", std::move(reason));
  assert_consistent(row);
  return row;
}

ledger_row book_interrupted(const ledger_row& before, timestamp now) {
  assert_consistent(before);
  assert_that(!before.trashed, "a trashed ledger row is not overwritten");
  ledger_row row = before;
  ++row.row_version;
  may_have_let_go(row);
  decide_again(row, now, "interrupted", "The node stopped before the answer came.");
  assert_consistent(row);
  return row;
}

} // namespace sluice::core
