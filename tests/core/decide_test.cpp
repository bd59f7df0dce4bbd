#include "core/decide.hpp"
#include "delivery_fixture.hpp"

#include <catch2/catch.hpp>

#include <utility>
#include <vector>

using namespace sluice::core;
using namespace sluice::core::testing;

namespace {

[[nodiscard]] ledger_row delivered_as(timestamp version) {
  ledger_row row = row_of(delivery_status::delivered, target_state::active);
  row.delivered_content_changed_at = version;
  row.seen_content_changed_at = version;
  return row;
}

} // namespace

TEST_CASE("a record without a row is created") {
  CHECK(decide(unseen(), {}, now) == action::create);
}

TEST_CASE("a record that cannot be projected is refused, but not before its anchor is there") {
  decide_facts facts;
  bool asked = false;
  facts.projects = [&] {
    asked = true;
    return false;
  };
  CHECK(decide(unseen(), facts, now) == action::refuse);
  facts.dependent = true;
  CHECK(decide(unseen(), facts, now) == action::refuse);
  facts.anchor_known = false;
  asked = false;
  CHECK(decide(unseen(), facts, now) == action::await);
  CHECK_FALSE(asked);
}

TEST_CASE("an update awaits the anchor only where it takes it") {
  decide_facts facts;
  facts.dependent = true;
  facts.anchor_known = false;
  CHECK(decide(seen(delivered_as(before_change)), facts, now) == action::update);
  facts.anchor_needed = true;
  CHECK(decide(seen(delivered_as(before_change)), facts, now) == action::await);
  CHECK(decide(seen(delivered_as(changed)), facts, now) == action::suppress);
  facts.anchor_known = true;
  CHECK(decide(seen(delivered_as(before_change)), facts, now) == action::update);
  facts.anchor_known = false;
  facts.dependent = false;
  CHECK(decide(seen(delivered_as(before_change)), facts, now) == action::update);
}

TEST_CASE("a dependent record without an anchor awaits it, and is created once it is there") {
  decide_facts facts;
  facts.dependent = true;
  facts.anchor_known = false;
  CHECK(decide(unseen(), facts, now) == action::await);
  CHECK(decide(seen(row_of(delivery_status::awaiting_anchor, target_state::absent)), facts, now)
        == action::await);
  facts.anchor_known = true;
  CHECK(decide(seen(row_of(delivery_status::awaiting_anchor, target_state::absent)), facts, now)
        == action::create);
}

TEST_CASE("a root record never awaits an anchor") {
  decide_facts facts;
  facts.anchor_known = false;
  CHECK(decide(unseen(), facts, now) == action::create);
}

TEST_CASE("a record the filter leaves out is filtered whatever the target holds of it") {
  decide_facts facts;
  facts.filter_passes = no;
  CHECK(decide(unseen(), facts, now) == action::filter);
  for (const auto target : {target_state::absent, target_state::active, target_state::inactive})
    CHECK(decide(seen(row_of(delivery_status::delivered, target)), facts, now) == action::filter);
}

TEST_CASE("a filtered row is looked at again only when its record changed or the revision is newer") {
  ledger_row row = row_of(delivery_status::filtered, target_state::absent);
  row.seen_content_changed_at = changed;
  decide_facts facts;
  facts.filter_passes = yes;
  for (const auto step : {step_kind::delta, step_kind::drain, step_kind::backfill}) {
    facts.step = step;
    facts.revision = 1;
    CHECK(decide(seen(row), facts, now) == action::skip);
    facts.revision = 2;
    CHECK(decide(seen(row), facts, now) == action::create);
  }
  facts.revision = 1;
  row.seen_content_changed_at = before_change;
  CHECK(decide(seen(row), facts, now) == action::create);
}

TEST_CASE("a filtered record the target holds is withdrawn when its source deletes it") {
  CHECK(decide(seen(row_of(delivery_status::filtered, target_state::active), tombstone()), propagating(), now)
        == action::withdraw);
}

TEST_CASE("a version the target has is suppressed and a newer one is an update") {
  CHECK(decide(seen(delivered_as(changed)), {}, now) == action::suppress);
  CHECK(decide(seen(delivered_as(changed + 1us)), {}, now) == action::suppress);
  CHECK(decide(seen(delivered_as(changed - 1us)), {}, now) == action::update);
}

TEST_CASE("a linked reference whose version is unknown is updated") {
  ledger_row row = row_of(delivery_status::failed, target_state::active);
  row.delivered_content_changed_at.reset();
  CHECK(decide(seen(row), {}, now) == action::update);
}

TEST_CASE("create_only suppresses what the target holds, even when it is sent again") {
  decide_facts facts;
  facts.updates = update_mode::create_only;
  CHECK(decide(seen(delivered_as(before_change)), facts, now) == action::suppress);
  facts.resend = true;
  facts.step = step_kind::backfill;
  CHECK(decide(seen(delivered_as(before_change)), facts, now) == action::suppress);
}

TEST_CASE("an update that cannot be projected is refused") {
  decide_facts facts;
  facts.projects = no;
  CHECK(decide(seen(delivered_as(before_change)), facts, now) == action::refuse);
  CHECK(decide(seen(delivered_as(changed)), facts, now) == action::suppress);
}

TEST_CASE("a backfill that sends again updates what a plain one suppresses") {
  decide_facts facts;
  facts.step = step_kind::backfill;
  CHECK(decide(seen(delivered_as(changed)), facts, now) == action::suppress);
  facts.resend = true;
  CHECK(decide(seen(delivered_as(changed)), facts, now) == action::update);
  facts.step = step_kind::delta;
  CHECK(decide(seen(delivered_as(changed)), facts, now) == action::suppress);
}

TEST_CASE("an undeliverable record is evaluated again by whatever step reads it") {
  decide_facts facts;
  const candidate refused = seen(row_of(delivery_status::undeliverable, target_state::absent));
  for (const auto step : {step_kind::delta, step_kind::drain, step_kind::backfill}) {
    facts.step = step;
    facts.projects = yes;
    CHECK(decide(refused, facts, now) == action::create);
    facts.projects = no;
    CHECK(decide(refused, facts, now) == action::refuse);
  }
}

TEST_CASE("a failed record is tried again as what its target state asks for") {
  decide_facts facts;
  ledger_row row = row_of(delivery_status::failed, target_state::absent);
  row.next_attempt_at = now;
  CHECK(decide(seen(row), facts, now) == action::create);
  row = row_of(delivery_status::failed, target_state::active);
  CHECK(decide(seen(row), facts, now) == action::update);
  row = row_of(delivery_status::failed, target_state::inactive);
  CHECK(decide(seen(row), facts, now) == action::reactivate);
  CHECK(decide(seen(row_of(delivery_status::failed, target_state::active), tombstone()), propagating(), now)
        == action::withdraw);
}

TEST_CASE("a failed record that waits for its next attempt is skipped in every step") {
  decide_facts facts = propagating();
  for (const auto target : {target_state::absent, target_state::active, target_state::inactive}) {
    ledger_row row = row_of(delivery_status::failed, target);
    row.next_attempt_at = now + 1us;
    for (const auto step : {step_kind::settle, step_kind::drain, step_kind::delta, step_kind::backfill}) {
      facts.step = step;
      CHECK(decide(seen(row), facts, now) == action::skip);
      CHECK(decide(seen(row, tombstone()), facts, now) == action::skip);
    }
  }
}

TEST_CASE("a dependent record that is gone from the target is offered again once it changes") {
  ledger_row row = row_of(delivery_status::remote_gone, target_state::absent);
  decide_facts facts;
  CHECK(decide(seen(row), facts, now) == action::skip);
  facts.dependent = true;
  CHECK(decide(seen(row), facts, now) == action::create);
  facts.anchor_known = false;
  CHECK(decide(seen(row), facts, now) == action::await);
  row.seen_content_changed_at = changed;
  CHECK(decide(seen(row), facts, now) == action::skip);
  row = row_of(delivery_status::exhausted, target_state::absent);
  CHECK(decide(seen(row), facts, now) == action::skip);
}

TEST_CASE("a row whose record is gone from the mirror is skipped") {
  CHECK(decide(seen(row_of(delivery_status::failed, target_state::active), {}), propagating(), now)
        == action::skip);
}

TEST_CASE("the filter and the projection are asked at most once, and only when the answer matters") {
  int filter_asked = 0;
  int projection_asked = 0;
  decide_facts facts = propagating();
  facts.filter_passes = [&] { return ++filter_asked > 0; };
  facts.projects = [&] { return ++projection_asked > 0; };

  CHECK(decide(unseen(), facts, now) == action::create);
  CHECK(std::pair{filter_asked, projection_asked} == std::pair{1, 1});
  CHECK(decide(seen(delivered_as(changed)), facts, now) == action::suppress);
  CHECK(std::pair{filter_asked, projection_asked} == std::pair{2, 1});
  CHECK(decide(seen(row_of(delivery_status::ambiguous, target_state::absent)), facts, now) == action::skip);
  CHECK(decide(seen(delivered_as(before_change), tombstone()), facts, now) == action::withdraw);
  CHECK(std::pair{filter_asked, projection_asked} == std::pair{2, 1});
}

TEST_CASE("every step kind and action has its own word") {
  CHECK(to_string(step_kind::settle) == "settle");
  CHECK(to_string(step_kind::delta) == "delta");
  CHECK(to_string(action::skip) == "skip");
  CHECK(to_string(action::await) == "await");
  CHECK(to_string(action::withdraw) == "withdraw");
  CHECK(to_string(static_cast<action>(99)) == "unknown");
}
