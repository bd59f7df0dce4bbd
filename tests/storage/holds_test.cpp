#include "storage/stops.hpp"
#include "tests/storage/world.hpp"

using namespace sluice;
using namespace sluice::tests;

namespace {

struct hold_world : world {
  explicit hold_world(storage::engine kind) : world(kind), rule(add_rule()) {}

  core::stop_in_force hold(core::timestamp now) {
    return committed(db(), [&](storage::session& within) {
      return storage::set_hold(within, rule.id, {501, 5000, 500}, now);
    });
  }

  core::delivery_stop release(const core::delivery_stop& held, core::timestamp now) {
    return committed(db(), [&](storage::session& within) {
      return storage::release_hold(within, held.public_id, 501, "ada", now);
    });
  }

  core::delivery_stop stored(const core::delivery_stop& stop) {
    return *must(storage::find_stop(db(), stop.public_id));
  }

  core::sync_rule rule;
};

} // namespace

TEST_CASE("a hold keeps what it tripped on, and one that is live is returned as it is") {
  hold_world here(GENERATE(from_range(engines())));
  const auto made = here.hold(at(1));
  CHECK_FALSE(made.was_live);
  CHECK(made.stop.finding == core::hold_finding{501, 5000, 500});
  CHECK(made.stop.target == core::stop_target{core::stop_scope::rule, {}, here.rule.id});
  const auto again = committed(here.db(), [&](storage::session& within) {
    return storage::set_hold(within, here.rule.id, {900, 1, 2}, at(2));
  });
  CHECK(again.was_live);
  CHECK(again.stop.finding == made.stop.finding);
  CHECK(must(storage::live_hold(here.db(), here.rule.id))->id == made.stop.id);
}

TEST_CASE("a hold that heals ends without a person, once") {
  hold_world here(GENERATE(from_range(engines())));
  const auto made = here.hold(at(1));
  CHECK(must(storage::heal_hold(here.db(), made.stop.id, at(2))));
  CHECK_FALSE(must(storage::heal_hold(here.db(), made.stop.id, at(3))));
  CHECK(here.stored(made.stop).resolution == core::stop_resolution::self_healed);
  CHECK(here.stored(made.stop).ended_at == at(2));
}

TEST_CASE("a release ends its hold and is in force until it is consumed") {
  hold_world here(GENERATE(from_range(engines())));
  const auto released = here.release(here.hold(at(1)).stop, at(2));
  CHECK(released.resolution == core::stop_resolution::released);
  CHECK(released.allowed_withdrawals == 501);
  CHECK(released.ended_by == "ada");
  CHECK_FALSE(released.allowance_consumed_at);
  CHECK_FALSE(must(storage::live_hold(here.db(), here.rule.id)));
  CHECK(must(storage::consume_release(here.db(), released.id, at(3))));
  CHECK_FALSE(must(storage::consume_release(here.db(), released.id, at(4))));
  CHECK(here.stored(released).allowance_consumed_at == at(3));
}

TEST_CASE("a new hold ends the release in force, and finding a live one does not") {
  hold_world here(GENERATE(from_range(engines())));
  const auto released = here.release(here.hold(at(1)).stop, at(2));
  here.hold(at(3));
  CHECK(here.stored(released).allowance_consumed_at == at(3));
  here.hold(at(4));
  CHECK(here.stored(released).allowance_consumed_at == at(3));
}

TEST_CASE("a newer release replaces an older one, which can never apply later") {
  hold_world here(GENERATE(from_range(engines())));
  const auto older = here.release(here.hold(at(1)).stop, at(2));
  const auto hold = here.hold(at(3)).stop;
  // As if the older had come back into force.
  here.execute("UPDATE delivery_stops SET allowance_consumed_at = NULL WHERE id = "
               + std::to_string(older.id));
  const auto newer = here.release(hold, at(4));
  CHECK(here.stored(older).allowance_consumed_at == at(4));
  CHECK_FALSE(here.stored(newer).allowance_consumed_at);
}

TEST_CASE("a discarded hold lets nothing go and leaves no allowance behind") {
  hold_world here(GENERATE(from_range(engines())));
  const auto released = here.release(here.hold(at(1)).stop, at(2));
  const auto hold = here.hold(at(3)).stop;
  const auto discarded = must(storage::discard_hold(here.db(), hold.public_id, "bob", at(4)));
  CHECK(discarded.resolution == core::stop_resolution::resumed);
  CHECK_FALSE(discarded.allowed_withdrawals);
  CHECK(here.stored(released).allowance_consumed_at == at(3));
}

TEST_CASE("a hold that has ended can be neither released nor discarded, and the answer says so") {
  hold_world here(GENERATE(from_range(engines())));
  const auto hold = here.hold(at(1)).stop;
  here.release(hold, at(2));
  for (const auto& refused : {storage::release_hold(here.db(), hold.public_id, 10, "bob", at(3)),
                              storage::discard_hold(here.db(), hold.public_id, "bob", at(3))}) {
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == storage::error::refused);
    CHECK(refused.error().detail.find("ended already (released)") != std::string::npos);
  }
  const auto nobody = storage::release_hold(here.db(), "nobody", 10, "bob", at(3));
  REQUIRE_FALSE(nobody);
  CHECK(nobody.error().code == storage::error::not_found);
}

TEST_CASE("a release of nothing is refused and the hold stays") {
  hold_world here(GENERATE(from_range(engines())));
  const auto hold = here.hold(at(1)).stop;
  const auto refused = storage::release_hold(here.db(), hold.public_id, 0, "bob", at(3));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == storage::error::refused);
  CHECK(here.stored(hold).live());
}
