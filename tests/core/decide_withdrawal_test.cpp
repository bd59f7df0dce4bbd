#include "core/decide.hpp"
#include "delivery_fixture.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;
using namespace sluice::core::testing;

TEST_CASE(
    "a record that comes back after its withdrawal is created after a delete and reactivated otherwise") {
  CHECK(decide(seen(row_of(delivery_status::withdrawn, target_state::absent)), {}, now) == action::create);
  decide_facts facts;
  CHECK(decide(seen(row_of(delivery_status::withdrawn, target_state::inactive)), facts, now)
        == action::reactivate);
  facts.updates = update_mode::create_only;
  facts.projects = no;
  CHECK(decide(seen(row_of(delivery_status::withdrawn, target_state::inactive)), facts, now)
        == action::reactivate);
}

TEST_CASE("a record that comes back after a deletion nobody confirmed is decided on as an update") {
  const candidate back = seen(row_of(delivery_status::failed, target_state::inactive));
  decide_facts facts = propagating();
  CHECK(decide(back, facts, now) == action::update);
  facts.projects = no;
  CHECK(decide(back, facts, now) == action::refuse);
  facts.dependent = facts.anchor_needed = true;
  facts.anchor_known = false;
  CHECK(decide(back, facts, now) == action::await);
  facts.deletes = delete_policy::deactivate;
  CHECK(decide(back, facts, now) == action::reactivate);
}

TEST_CASE("an update that is to go out goes, awaits its parent or is refused, in this order") {
  decide_facts facts;
  CHECK(decide_update(facts) == action::update);
  facts.projects = no;
  CHECK(decide_update(facts) == action::refuse);
  facts.dependent = true;
  facts.anchor_known = false;
  CHECK(decide_update(facts) == action::refuse); // which takes no parent's id
  facts.anchor_needed = true;
  CHECK(decide_update(facts) == action::await);
}

TEST_CASE("only a deletion by the source that the policy propagates and the target can feel is withdrawn") {
  const ledger_row active = row_of(delivery_status::delivered, target_state::active);
  decide_facts facts = propagating();
  CHECK(decide(seen(active, tombstone()), facts, now) == action::withdraw);
  facts.deletes = delete_policy::deactivate;
  CHECK(decide(seen(active, tombstone()), facts, now) == action::withdraw);
  CHECK(decide(seen(active, tombstone(deletion_reason::disconnect)), facts, now) == action::skip);
  CHECK(decide(seen(active, tombstone(deletion_reason::none)), facts, now) == action::skip);
  CHECK(decide(unseen(tombstone()), facts, now) == action::skip);
  CHECK(decide(seen(row_of(delivery_status::failed, target_state::absent), tombstone()), facts, now)
        == action::skip);
  CHECK(decide(seen(row_of(delivery_status::withdrawn, target_state::inactive), tombstone()), facts, now)
        == action::skip);
  facts.deletes = delete_policy::ignore;
  CHECK(decide(seen(active, tombstone()), facts, now) == action::skip);
}

TEST_CASE("a withdrawal is held under a live hold or past the step's allowance") {
  const candidate deleted = seen(row_of(delivery_status::delivered, target_state::active), tombstone());
  decide_facts facts = propagating();
  facts.hold_live = true;
  CHECK(decide(deleted, facts, now) == action::hold);
  facts.hold_live = false;
  facts.withdrawal_allowed = false;
  CHECK(decide(deleted, facts, now) == action::hold);
}

TEST_CASE("a held row waits as long as the hold lives, then goes out as its record is") {
  const ledger_row row = row_of(delivery_status::held, target_state::active);
  decide_facts facts = propagating();
  facts.hold_live = true;
  CHECK(decide(seen(row, tombstone()), facts, now) == action::skip);
  CHECK(decide(seen(row), facts, now) == action::skip);
  facts.hold_live = false;
  CHECK(decide(seen(row, tombstone()), facts, now) == action::withdraw);
  CHECK(decide(seen(row), facts, now) == action::update);
  facts.withdrawal_allowed = false;
  CHECK(decide(seen(row, tombstone()), facts, now) == action::hold);
}

TEST_CASE("a hold keeps creates and updates flowing") {
  decide_facts facts = propagating();
  facts.hold_live = true;
  facts.withdrawal_allowed = false;
  CHECK(decide(unseen(), facts, now) == action::create);
  CHECK(decide(seen(row_of(delivery_status::delivered, target_state::active)), facts, now) == action::update);
}
