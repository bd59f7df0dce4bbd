#include "booking_fixture.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace sluice::core;
using namespace sluice::core::testing;

namespace {

void check_due_at_once(const ledger_row& row, const std::string& error_class) {
  CHECK(row.status == delivery_status::failed);
  CHECK(row.next_attempt_at == now);
  CHECK(row.attempts == 0);
  CHECK(row.error_class == error_class);
  CHECK_FALSE(row.error.empty());
}

} // namespace

TEST_CASE("an accepted create is delivered with the target's id and the version sent") {
  const auto row =
      book_outcome(unseen(), operation::create, answer(outcome_kind::accepted, "r-9"), changed, with);
  ledger_row expected;
  expected.source_id = "c-1";
  expected.status = delivery_status::delivered;
  expected.target = target_state::active;
  expected.remote_id = "r-9";
  expected.delivered_content_changed_at = changed;
  expected.seen_content_changed_at = changed;
  expected.seen_revision = 3;
  expected.row_version = 1;
  CHECK(row == expected);
}

TEST_CASE("a success wipes the failures before it and raises the row's version by one") {
  const auto row = book_outcome(seen(failed_row(target_state::active, 3)), operation::update,
                                answer(outcome_kind::accepted), changed, with);
  CHECK(row.status == delivery_status::delivered);
  CHECK(row.attempts == 0);
  CHECK(row.error.empty());
  CHECK(row.error_class.empty());
  CHECK_FALSE(row.next_attempt_at);
  CHECK(row.delivered_content_changed_at == changed);
  CHECK(row.remote_id == "r-1");
  CHECK(row.row_version == 5);
}

TEST_CASE("a record that moved on after its bytes were sent is decided again at once") {
  const auto created =
      book_outcome(seen(row_of(delivery_status::ambiguous, target_state::absent)), operation::create,
                   answer(outcome_kind::accepted, "r-9"), before_change, with);
  check_due_at_once(created, "record_moved_on");
  CHECK(created.delivered_content_changed_at == before_change);
  CHECK(decide(seen(created), {}, now) == action::update);

  decide_facts facts;
  facts.deletes = delete_policy::delete_record;
  CHECK(decide(seen(created, tombstone()), facts, now) == action::withdraw);

  const auto withdrawn = book_outcome(seen(row_of(delivery_status::delivered, target_state::active)),
                                      operation::remove, answer(outcome_kind::accepted), before_change, with);
  check_due_at_once(withdrawn, "record_moved_on");
  CHECK(decide(seen(withdrawn), {}, now) == action::create);
}

TEST_CASE("a delete clears the reference and makes what follows another creation") {
  for (const auto kind : {outcome_kind::accepted, outcome_kind::gone}) {
    const auto row = book_outcome(seen(row_of(delivery_status::delivered, target_state::active), tombstone()),
                                  operation::remove, answer(kind), changed, with);
    CHECK(row.status == delivery_status::withdrawn);
    CHECK(row.target == target_state::absent);
    CHECK(row.remote_id.empty());
    CHECK(row.create_generation == 1);
    CHECK(row.delivered_content_changed_at == changed);
    CHECK(row.error.empty());
  }
}

TEST_CASE("tries of one creation keep its generation") {
  auto row = book_outcome(unseen(), operation::create, answer(outcome_kind::transient), changed, with);
  CHECK(row.create_generation == 0);
  row = book_outcome(seen(row), operation::create, answer(outcome_kind::ambiguous), changed, with);
  CHECK(row.create_generation == 0);
  row = book_due_again(row, now, "It never arrived.");
  CHECK(row.create_generation == 0);
  row = book_outcome(seen(row), operation::create, answer(outcome_kind::accepted, "r-9"), changed, with);
  CHECK(row.create_generation == 0);
}

TEST_CASE("a deactivate keeps the reference, and one the target no longer knows is remote_gone") {
  const auto given = seen(row_of(delivery_status::delivered, target_state::active), tombstone());
  auto row = book_outcome(given, operation::deactivate, answer(outcome_kind::accepted), changed, with);
  CHECK(row.status == delivery_status::withdrawn);
  CHECK(row.target == target_state::inactive);
  CHECK(row.remote_id == "r-1");
  CHECK(row.create_generation == 0);

  row = book_outcome(given, operation::deactivate, answer(outcome_kind::gone), changed, with);
  CHECK(row.status == delivery_status::remote_gone);
}

TEST_CASE(
    "a withdrawal that may have arrived leaves the record as withdrawn, one that was refused does not") {
  const auto op = GENERATE(operation::deactivate, operation::remove);
  const auto given = seen(row_of(delivery_status::delivered, target_state::active), tombstone());
  auto row = book_outcome(given, op, answer(outcome_kind::transient), changed, with);
  CHECK(row.status == delivery_status::failed);
  CHECK(row.target == target_state::inactive);
  CHECK(row.remote_id == "r-1");

  row = book_outcome(given, op, answer(outcome_kind::rejected), changed, with);
  CHECK(row.target == target_state::active);
}

TEST_CASE("an update that meets what our own deletion took away is a creation again") {
  const auto deletion =
      book_outcome(seen(row_of(delivery_status::delivered, target_state::active), tombstone()),
                   operation::remove, answer(outcome_kind::transient), changed, with);
  const auto row = book_outcome(seen(deletion), operation::update, answer(outcome_kind::gone), changed, with);
  check_due_at_once(row, "withdrawn_before");
  CHECK(row.target == target_state::absent);
  CHECK(row.create_generation == 1);
  CHECK(decide(seen(row), {}, now) == action::create);
}

TEST_CASE("a record whose withdrawal was interrupted is due at once, whether it is deleted or back") {
  const auto row = book_interrupted(row_of(delivery_status::delivered, target_state::active), now);
  check_due_at_once(row, "interrupted");
  CHECK(row.target == target_state::inactive);
  decide_facts facts;
  facts.deletes = delete_policy::deactivate;
  CHECK(decide(seen(row), facts, now) == action::reactivate);
  CHECK(decide(seen(row, tombstone()), facts, now) == action::withdraw);
}

TEST_CASE("an update or a reactivation the target no longer knows ends as remote_gone and holds nothing") {
  for (const auto& [op, target] : {std::pair{operation::update, target_state::active},
                                   std::pair{operation::reactivate, target_state::inactive}}) {
    const auto row = book_outcome(seen(row_of(delivery_status::delivered, target)), op,
                                  answer(outcome_kind::gone), changed, with);
    CHECK(row.status == delivery_status::remote_gone);
    CHECK(row.target == target_state::absent);
    CHECK(row.remote_id.empty());
    CHECK_FALSE(row.delivered_content_changed_at);
    CHECK(row.create_generation == 1);
    CHECK(row.error_class == "http_422");
  }
}

TEST_CASE("a create that is told gone has failed: there was nothing to be gone") {
  const auto row = book_outcome(unseen(), operation::create, answer(outcome_kind::gone), changed, with);
  CHECK(row.status == delivery_status::failed);
  CHECK(row.attempts == 1);
}

TEST_CASE("a reactivation leaves the update to the next decision") {
  const auto row = book_outcome(seen(row_of(delivery_status::withdrawn, target_state::inactive)),
                                operation::reactivate, answer(outcome_kind::accepted), changed, with);
  check_due_at_once(row, "reactivated");
  CHECK(row.target == target_state::active);
  CHECK(decide(seen(row), {}, now) == action::update);
  decide_facts facts;
  facts.updates = update_mode::create_only;
  CHECK(decide(seen(row), facts, now) == action::suppress);
}

TEST_CASE("a failed reactivation is tried again as a reactivation") {
  const auto row = book_outcome(seen(row_of(delivery_status::withdrawn, target_state::inactive)),
                                operation::reactivate, answer(outcome_kind::transient), changed, with);
  CHECK(row.status == delivery_status::failed);
  CHECK(row.target == target_state::inactive);
  CHECK(decide(seen(row), {}, now + 1h) == action::reactivate);
}

TEST_CASE("failures follow the schedule and the last one exhausts the record") {
  candidate given = unseen();
  for (std::int32_t attempt = 1; attempt <= 4; ++attempt) {
    given.row = book_outcome(given, operation::create,
                             answer(attempt % 2 == 0 ? outcome_kind::transient : outcome_kind::rejected),
                             changed, with);
    CHECK(given.row->status == delivery_status::failed);
    CHECK(given.row->attempts == attempt);
    CHECK(given.row->next_attempt_at == now + schedule.waits[static_cast<std::size_t>(attempt - 1)]);
    CHECK(given.row->error == "The target refused the record.");
  }
  const auto last = book_outcome(given, operation::create, answer(outcome_kind::transient), changed, with);
  CHECK(last.status == delivery_status::exhausted);
  CHECK(last.attempts == 5);
  CHECK_FALSE(last.next_attempt_at);
}

TEST_CASE("a new version of the record does not wipe its failures") {
  auto given = seen(failed_row(target_state::active, 3));
  given.row->seen_content_changed_at = before_change;
  const auto row = book_outcome(given, operation::update, answer(outcome_kind::transient), changed, with);
  CHECK(row.attempts == 4);
  CHECK(row.seen_content_changed_at == changed);
  CHECK(row.delivered_content_changed_at == before_change);
}

TEST_CASE("an unknown outcome waits for nobody's clock and changes nothing known of the target") {
  const auto fresh =
      book_outcome(unseen(), operation::create, answer(outcome_kind::ambiguous), changed, with);
  CHECK(fresh.status == delivery_status::ambiguous);
  CHECK(fresh.target == target_state::absent);
  CHECK(fresh.attempts == 0);
  CHECK_FALSE(fresh.next_attempt_at);

  const auto held = book_outcome(seen(failed_row(target_state::active, 2)), operation::update,
                                 answer(outcome_kind::ambiguous), changed, with);
  CHECK(held.status == delivery_status::ambiguous);
  CHECK(held.target == target_state::active);
  CHECK(held.remote_id == "r-1");
  CHECK(held.delivered_content_changed_at == before_change);
  CHECK_FALSE(held.next_attempt_at);
}

TEST_CASE("a create that met an existing record without a lookup is rejected") {
  const auto row = book_outcome(unseen(), operation::create, answer(outcome_kind::exists), changed, with);
  CHECK(row.status == delivery_status::failed);
  CHECK(row.attempts == 1);
  CHECK(row.target == target_state::absent);
}

TEST_CASE("a lookup links, leaves to decide again, or asks for a person") {
  const auto given = seen(row_of(delivery_status::ambiguous, target_state::absent));
  const auto linked =
      book_outcome(given, operation::lookup, answer(outcome_kind::accepted, "r-7"), changed, with);
  check_due_at_once(linked, "linked");
  CHECK(linked.remote_id == "r-7");
  CHECK(decide(seen(linked), {}, now) == action::update);

  const auto missing = book_outcome(given, operation::lookup, answer(outcome_kind::gone), changed, with);
  check_due_at_once(missing, "not_found");
  CHECK(decide(seen(missing), {}, now) == action::create);

  const auto several = book_outcome(given, operation::lookup, answer(outcome_kind::several), changed, with);
  CHECK(several.status == delivery_status::ambiguous);

  const auto unknown = book_outcome(given, operation::lookup, answer(outcome_kind::ambiguous), changed, with);
  CHECK(unknown.status == delivery_status::failed);
}

TEST_CASE("a settled row is due at once and costs no attempt") {
  ledger_row before = row_of(delivery_status::ambiguous, target_state::absent);
  before.attempts = 2;
  const auto row = book_due_again(before, now, "The lookup found nothing.");
  CHECK(row.status == delivery_status::failed);
  CHECK(row.next_attempt_at == now);
  CHECK(row.attempts == 2);
  CHECK(row.error == "The lookup found nothing.");
  CHECK(row.row_version == 5);
  CHECK(decide(seen(row), {}, now) == action::create);
}

TEST_CASE("every booking of every row keeps the ledger's invariants") {
  for (int status = 0; status <= static_cast<int>(delivery_status::exhausted); ++status)
    for (const auto target : {target_state::absent, target_state::active, target_state::inactive})
      for (const auto op : {operation::create, operation::update, operation::remove, operation::deactivate,
                            operation::reactivate, operation::lookup})
        for (const auto kind :
             {outcome_kind::accepted, outcome_kind::gone, outcome_kind::exists, outcome_kind::rejected,
              outcome_kind::transient, outcome_kind::ambiguous, outcome_kind::several}) {
          const bool needs_target = op != operation::create && op != operation::lookup;
          if (needs_target && target == target_state::absent)
            continue;
          const auto before = row_of(static_cast<delivery_status>(status), target);
          const auto row = book_outcome(seen(before), op, answer(kind, "r-2"), changed, with);
          REQUIRE((row.target == target_state::absent) == row.remote_id.empty());
          REQUIRE((!row.next_attempt_at || may_wait(row.status)));
          REQUIRE(row.attempts >= 0);
          REQUIRE(row.row_version == before.row_version + 1);
          REQUIRE(row.create_generation
                  == (target != target_state::absent && row.target == target_state::absent ? 1 : 0));
        }
}
