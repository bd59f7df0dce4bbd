#include "storage/provider_profiles.hpp"
#include "storage/rules.hpp"
#include "storage/stops.hpp"
#include "storage/subscriptions.hpp"
#include "tests/storage/world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::stop_scope;

namespace {

struct stop_world : world {
  explicit stop_world(storage::engine kind) : world(kind), rule(add_rule()) {}

  core::stop_in_force stop(const core::stop_target& target, core::timestamp now = at(1)) {
    return committed(db(), [&](storage::session& within) {
      return storage::set_stop(within, {target, "the target is down", "ada"}, now);
    });
  }

  storage::error stop_error(const core::stop_target& target) {
    const auto refused = storage::set_stop(db(), {target, "", "ada"}, at(9));
    REQUIRE_FALSE(refused);
    return refused.error().code;
  }

  [[nodiscard]] core::stop_target whole() const { return {}; }
  [[nodiscard]] core::stop_target into_target() const { return {stop_scope::connection, rule.target, {}}; }
  [[nodiscard]] core::stop_target of_rule() const { return {stop_scope::rule, {}, rule.id}; }

  core::stop_target of_subscription() {
    core::subscription wanted;
    wanted.tenant = "acme";
    wanted.name = "hooks";
    wanted.url = "https://hooks.example.com/";
    const auto made = committed(db(), [&](storage::session& within) {
      return storage::make_subscription(within, wanted, "whsec_secret", keys(), at(1));
    });
    return {stop_scope::subscription, {}, {}, made.id};
  }

  core::stop_target of_profile() {
    core::provider_profile wanted;
    wanted.tenant = "acme";
    wanted.name = "mail";
    const auto made = committed(
        db(), [&](storage::session& within) { return storage::make_profile(within, wanted, keys(), at(1)); });
    return {stop_scope::profile, {}, {}, {}, made.profile.id};
  }

  core::sync_rule rule;
};

} // namespace

TEST_CASE("a stop is kept with its place, its reason and who set it") {
  stop_world here(GENERATE(from_range(engines())));
  const auto target = GENERATE_REF(here.whole(), here.into_target(), here.of_rule());
  const auto made = here.stop(target);
  CHECK_FALSE(made.was_live);
  CHECK(made.stop.public_id.size() == 36);
  const auto live = must(storage::live_stops(here.db()));
  REQUIRE(live.size() == 1);
  CHECK(live[0].id == made.stop.id);
  CHECK(live[0].target == target);
  CHECK(live[0].cause == core::stop_cause::manual);
  CHECK(live[0].reason == "the target is down");
  CHECK(live[0].set_by == "ada");
  CHECK(live[0].set_at == at(1));
  CHECK(live[0].live());
  CHECK_FALSE(live[0].finding);
}

TEST_CASE("a stop that is live is returned, not doubled, and one of another scope stands beside it") {
  stop_world here(GENERATE(from_range(engines())));
  const auto first = here.stop(here.of_rule());
  const auto again = here.stop(here.of_rule(), at(2));
  CHECK(again.was_live);
  CHECK(again.stop.id == first.stop.id);
  CHECK(again.stop.set_at == at(1));
  CHECK_FALSE(here.stop(here.into_target()).was_live);
  CHECK_FALSE(here.stop(here.whole()).was_live);
  CHECK(must(storage::live_stops(here.db())).size() == 3);
}

TEST_CASE("a subscription is stopped beside everything else, once, and by its tenant's people alone seen") {
  stop_world here(GENERATE(from_range(engines())));
  const auto target = here.of_subscription();
  CHECK_FALSE(here.stop(here.of_rule()).was_live);
  const auto made = here.stop(target);
  CHECK_FALSE(made.was_live);
  CHECK(made.stop.target == target);
  CHECK(here.stop(target).was_live);
  REQUIRE(made.stop.subscription);
  CHECK(made.stop.subscription->public_id.size() == 36);
  CHECK(made.stop.subscription->name == "hooks");
  CHECK(made.stop.subscription->tenant == "acme");
  CHECK(must(storage::live_stops(here.db())).back().subscription == made.stop.subscription);
  core::stop_page page;
  page.tenants.names = std::vector<std::string>{"globex"};
  CHECK(must(storage::stop_history(here.db(), page)).empty());
  page.tenants.names = std::vector<std::string>{"acme"};
  CHECK(must(storage::stop_history(here.db(), page)).size() == 2);
  const auto ended = storage::end_stop(here.db(), target, "bob", at(5));
  REQUIRE(ended);
  CHECK(ended->public_id == made.stop.public_id);
  CHECK(ended->subscription == made.stop.subscription);
}

TEST_CASE("a profile is stopped once, and by its tenant's people alone seen") {
  stop_world here(GENERATE(from_range(engines())));
  const auto target = here.of_profile();
  const auto made = here.stop(target);
  CHECK_FALSE(made.was_live);
  CHECK(made.stop.target == target);
  CHECK(here.stop(target).was_live);
  REQUIRE(made.stop.profile);
  CHECK(made.stop.profile->public_id.size() == 36);
  CHECK(made.stop.profile->name == "mail");
  CHECK(made.stop.profile->tenant == "acme");
  CHECK_FALSE(made.stop.subscription);
  core::stop_page page;
  page.tenants.names = std::vector<std::string>{"globex"};
  CHECK(must(storage::stop_history(here.db(), page)).empty());
  page.tenants.names = std::vector<std::string>{"acme"};
  CHECK(must(storage::stop_history(here.db(), page)).size() == 1);
  const auto ended = storage::end_stop(here.db(), target, "bob", at(5));
  REQUIRE(ended);
  CHECK(ended->public_id == made.stop.public_id);
}

TEST_CASE("a profile is not removed within its stop") {
  stop_world here(GENERATE(from_range(engines())));
  const auto target = here.of_profile();
  here.stop(target);
  const auto remove = [&] {
    return storage::transact(here.db(), [&](storage::session& within) {
      return storage::remove_profile(within, {target.profile, {}}, at(2));
    });
  };
  const auto refused = remove();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == storage::error::refused);
  CHECK(refused.error().detail.find("\"mail\" is stopped") != std::string::npos);
  committed(here.db(),
            [&](storage::session& within) { return storage::end_stop(within, target, "bob", at(3)); });
  CHECK(must(remove()));
  CHECK(here.stop_error(target) == storage::error::not_found);
}

TEST_CASE("a subscription that is removed takes its stop along, and no other") {
  stop_world here(GENERATE(from_range(engines())));
  const auto target = here.of_subscription();
  const auto made = here.stop(target);
  const auto rule = here.stop(here.of_rule());
  CHECK(committed(here.db(), [&](storage::session& within) {
    return storage::remove_subscription(within, {target.subscription, "bob"}, at(7));
  }));
  const auto live = must(storage::live_stops(here.db()));
  REQUIRE(live.size() == 1);
  CHECK(live[0].id == rule.stop.id);
  const auto ended = must(storage::find_stop(here.db(), made.stop.public_id));
  REQUIRE(ended);
  CHECK(ended->ended_at == at(7));
  CHECK(ended->ended_by == "bob");
  CHECK(ended->resolution == core::stop_resolution::resumed);
  REQUIRE(ended->subscription);
  CHECK(ended->subscription->name == "hooks");
  CHECK(storage::set_stop(here.db(), {target, "", "ada"}, at(8)).error().code == storage::error::not_found);
}

TEST_CASE("the stop of a subscription of which no row is left is seen by those alone who see everything") {
  stop_world here(GENERATE(from_range(engines())));
  const auto target = here.of_subscription();
  here.stop(target);
  committed(here.db(), [&](storage::session& within) {
    return storage::remove_subscription(within, {target.subscription}, at(2));
  });
  core::stop_page page;
  page.tenants.names = std::vector<std::string>{"acme"};
  CHECK(must(storage::stop_history(here.db(), page)).size() == 1);
  CHECK(committed(here.db(),
                  [&](storage::session& within) { return storage::prune_subscriptions(within, at(3), 10); })
        == 1);
  CHECK(must(storage::stop_history(here.db(), page)).empty());
  const auto all = must(storage::stop_history(here.db(), {}));
  REQUIRE(all.size() == 1);
  CHECK_FALSE(all[0].subscription);
}

TEST_CASE("a stop of what does not exist is not found and writes nothing") {
  stop_world here(GENERATE(from_range(engines())));
  for (const auto& target :
       {core::stop_target{stop_scope::rule, {}, {999}}, core::stop_target{stop_scope::connection, {999}, {}},
        core::stop_target{stop_scope::subscription, {}, {}, {999}},
        core::stop_target{stop_scope::profile, {}, {}, {}, {999}}}) {
    const auto refused = storage::set_stop(here.db(), {target, "", "ada"}, at(1));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == storage::error::not_found);
  }
  CHECK(must(storage::live_stops(here.db())).empty());
}

TEST_CASE("a stop ends once, by its id or by where it holds, and stays in the history") {
  stop_world here(GENERATE(from_range(engines())));
  const auto made = here.stop(here.into_target());
  const bool by_id = GENERATE(true, false);
  const auto end = [&] {
    return by_id ? storage::end_stop(here.db(), made.stop.public_id, "bob", at(5))
                 : storage::end_stop(here.db(), here.into_target(), "bob", at(5));
  };
  const auto ended = must(end());
  CHECK(ended.ended_at == at(5));
  CHECK(ended.ended_by == "bob");
  CHECK(ended.resolution == core::stop_resolution::resumed);
  const auto again = end();
  REQUIRE_FALSE(again);
  CHECK(again.error().code == storage::error::not_found);
  CHECK(must(storage::live_stops(here.db())).empty());
  CHECK(must(storage::find_stop(here.db(), made.stop.public_id))->ended_at == at(5));
  CHECK_FALSE(here.stop(here.into_target(), at(6)).was_live);
}

TEST_CASE("a manual stop's end leaves the volume breaker's hold alone") {
  stop_world here(GENERATE(from_range(engines())));
  const auto hold = must(storage::set_hold(here.db(), here.rule.id, {30, 100, 25}, at(1)));
  CHECK_FALSE(storage::end_stop(here.db(), here.of_rule(), "bob", at(2)));
  CHECK_FALSE(storage::end_stop(here.db(), hold.stop.public_id, "bob", at(2)));
  CHECK(must(storage::live_hold(here.db(), here.rule.id)));
}

TEST_CASE("the history is read by the page, newest first, of everything or of one rule or cause") {
  stop_world here(GENERATE(from_range(engines())));
  std::vector<std::int64_t> ids;
  for (int n = 0; n < 5; ++n) {
    ids.insert(ids.begin(), here.stop(here.of_rule(), at(n)).stop.id);
    must(storage::end_stop(here.db(), here.of_rule(), "bob", at(n)));
  }
  ids.insert(ids.begin(), here.stop(here.whole(), at(9)).stop.id);
  core::stop_page page{.limit = 4};
  std::vector<std::int64_t> seen;
  for (int pages = 0; pages < 3; ++pages) {
    for (const auto& one : must(storage::stop_history(here.db(), page)))
      seen.push_back(one.id);
    page.before_id = seen.back();
  }
  CHECK(seen == ids);
  CHECK(must(storage::stop_history(here.db(), {.rule = here.rule.id})).size() == 5);
  CHECK(must(storage::stop_history(here.db(), {.cause = core::stop_cause::volume_breaker})).empty());
  CHECK(must(storage::stop_history(here.db(), {.connection = here.rule.target})).empty());
}
