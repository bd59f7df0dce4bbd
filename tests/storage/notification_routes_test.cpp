#include "storage/notification_routes.hpp"
#include "tests/storage/contact_world.hpp"

#include <algorithm>
#include <thread>

using namespace sluice;
using namespace sluice::tests;
using std::string;

namespace {

struct route_world : contact_world {
  explicit route_world(storage::engine kind) : contact_world(kind) {
    for (const auto* name : {"mail", "sms", "push"})
      make(profile(name));
    make(profile("mail", "globex"));
  }

  static core::notification_route over(const string& name, const std::vector<string>& profiles,
                                       string tenant = "acme") {
    core::notification_route made;
    made.tenant = std::move(tenant);
    made.name = name;
    for (const auto& each : profiles)
      made.steps.push_back({each, {}, {}});
    return made;
  }

  storage::result<core::notification_route> try_route(const core::notification_route& what) {
    return storage::transact(
        db(), [&](storage::session& in) { return storage::make_notification_route(in, what, at()); });
  }

  storage::result<core::notification_route> change(const core::notification_route& to) {
    return storage::transact(
        db(), [&](storage::session& in) { return storage::change_notification_route(in, to, at(1)); });
  }

  storage::result<bool> remove(const core::notification_route& of,
                               std::optional<std::int64_t> revision = {}) {
    return storage::transact(db(), [&](storage::session& in) {
      return storage::remove_notification_route(in, {of.id, revision}, at(2));
    });
  }

  string listed(const core::route_page& page) {
    string found;
    for (const auto& one : must(storage::list_notification_routes(db(), page)))
      found += steps(one);
    return found;
  }

  static string steps(const core::notification_route& of) {
    string text = of.name + ":";
    for (const auto& step : of.steps)
      text += " " + step.profile;
    return text + "; ";
  }
};

void refused(const storage::result<core::notification_route>& outcome, const string& why) {
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == storage::error::refused);
  CHECK_THAT(outcome.error().detail, Catch::Contains(why));
}

} // namespace

TEST_CASE("a route keeps its profiles in their order") {
  route_world w(GENERATE(from_range(engines())));
  const auto before = must(storage::profiles_version(w.db()));
  const auto made = must(w.try_route(w.over("alerts", {"sms", "push", "mail"})));
  CHECK(must(storage::profiles_version(w.db())) > before);
  CHECK(made.public_id.size() == 36);
  CHECK(made.revision == 1);
  const auto found = must(storage::find_notification_route_named(w.db(), "acme", "alerts"));
  REQUIRE(found);
  CHECK(w.steps(*found) == "alerts: sms push mail; ");
  const auto profiles = must(storage::list_profiles(w.db(), {}));
  CHECK(std::ranges::any_of(profiles, [&](const auto& one) {
    return one.profile.id == found->steps[0].id && one.profile.name == "sms";
  }));
  CHECK(found->steps[0].provider == core::provider_kind::smtp);
  CHECK_FALSE(must(storage::find_notification_route_named(w.db(), "globex", "alerts")));
}

TEST_CASE("a route whose steps are not profiles of its tenant is not made") {
  route_world w(GENERATE(from_range(engines())));
  refused(w.try_route(w.over("alerts", {"sms", "fax"})), "\"fax\"");
  refused(w.try_route(w.over("alerts", {"sms"}, "globex")), "\"sms\"");
  refused(w.try_route(w.over("alerts", {})), "1 to 8");
  refused(w.try_route(w.over("alerts", {"sms", "sms"})), "twice");
  CHECK(w.try_route(w.over("alerts", {"sms"}, "nobody")).error().code == storage::error::not_found);
  CHECK(w.value("SELECT count(*) FROM notification_routes") == "0");
}

TEST_CASE("a change of a route is compare-and-set on the revision and replaces its steps") {
  route_world w(GENERATE(from_range(engines())));
  auto written = must(w.try_route(w.over("alerts", {"sms", "mail"})));
  must(w.try_route(w.over("taken", {"mail"})));
  written.name = "taken";
  refused(w.change(written), "\"taken\" already");
  written.name = "urgent";
  written.steps = {{"push", {}, {}}};
  const auto changed = must(w.change(written));
  CHECK(changed.revision == 2);
  CHECK(w.steps(changed) == "urgent: push; ");
  refused(w.change(written), "revision is 2");
  written.revision = 2;
  written.steps = {{"fax", {}, {}}};
  refused(w.change(written), "\"fax\"");
  CHECK(w.listed({}) == "urgent: push; taken: mail; ");
  written.tenant = "globex";
  written.steps = {{"mail", {}, {}}};
  refused(w.change(written), "stays its tenant's");
}

TEST_CASE("a removed route is gone, and its name is free again") {
  route_world w(GENERATE(from_range(engines())));
  const auto made = must(w.try_route(w.over("alerts", {"sms"})));
  refused(w.try_route(w.over("alerts", {"mail"})), "\"alerts\" already");
  CHECK(w.remove(made, 7).error().code == storage::error::refused);
  CHECK(must(w.remove(made, 1)));
  CHECK_FALSE(must(w.remove(made)));
  CHECK_FALSE(must(storage::find_notification_route(w.db(), made.public_id, {})));
  CHECK(w.change(made).error().code == storage::error::not_found);
  must(w.try_route(w.over("alerts", {"mail"})));
  CHECK(w.listed({}) == "alerts: mail; ");
}

TEST_CASE("routes are found and listed by page, of the tenants that may be seen") {
  route_world w(GENERATE(from_range(engines())));
  const auto a = must(w.try_route(w.over("a", {"sms", "mail", "push"})));
  must(w.try_route(w.over("b", {"mail"})));
  must(w.try_route(w.over("c", {"mail"}, "globex")));
  core::route_page page;
  page.limit = 2;
  CHECK(w.listed(page) == "a: sms mail push; b: mail; ");
  page.after_id = a.id;
  page.limit = 1;
  CHECK(w.listed(page) == "b: mail; ");
  page = {};
  page.tenants.names = {"globex"};
  CHECK(w.listed(page) == "c: mail; ");
  CHECK_FALSE(must(storage::find_notification_route(w.db(), a.public_id, page.tenants)));
  page = {};
  page.tenant = "acme";
  CHECK(w.listed(page) == "a: sms mail push; b: mail; ");
}

TEST_CASE("a profile that is removed while a route takes it is either gone or its step") {
  route_world w(GENERATE(from_range(engines())));
  for (int round = 0; round < 5; ++round) {
    const auto profile = w.make(w.profile("p" + std::to_string(round)));
    bool removed = false;
    bool made = false;
    {
      std::jthread first([&] {
        auto db = w.session();
        const auto done = storage::transact(db, [&](storage::session& in) {
          return storage::remove_profile(in, {profile.profile.id, {}}, at(1));
        });
        removed = done && *done;
      });
      std::jthread second([&] {
        auto db = w.session();
        made = storage::transact(db, [&](storage::session& in) {
                 return storage::make_notification_route(
                     in, w.over("r" + std::to_string(round), {profile.profile.name}), at(1));
               }).has_value();
      });
    }
    CHECK(removed != made);
  }
}
