#include "storage/rules.hpp"
#include "storage/stops.hpp"
#include "tests/storage/subscription_world.hpp"

#include <algorithm>

using namespace sluice;
using namespace sluice::tests;
using namespace std::chrono_literals;
using core::subscription_status;
using std::string;

namespace {

struct changing_world : subscription_world {
  using subscription_world::subscription_world;

  storage::result<core::subscription> change(const core::subscription& to, core::timestamp now = at(1)) {
    return storage::transact(
        db(), [&](storage::session& in) { return storage::change_subscription(in, to, keys(), now); });
  }

  storage::result<std::vector<core::signing_secret>> rotate(const core::subscription& of, const string& fresh,
                                                            core::timestamp now) {
    return storage::transact(db(), [&](storage::session& in) {
      return storage::rotate_secret(in, of.id, fresh, 24h, keys(), now);
    });
  }

  bool remove(const core::subscription& of, core::timestamp now = at(1)) {
    return committed(
        db(), [&](storage::session& in) { return storage::remove_subscription(in, {of.id, "bob"}, now); });
  }

  std::int64_t version() { return must(storage::subscriptions_version(db())); }
};

core::subscription full() {
  auto what = subscription_world::wanted("hook");
  what.event_types = {"customers.*", "orders.created"};
  what.filter = R"({"field":"/n","equals":1.0})";
  what.ordered_by = "/data/source_id";
  what.headers = {{"X-Team", "shop", false}, {"Authorization", "Bearer s3cret", true}};
  return what;
}

} // namespace

TEST_CASE("a subscription is kept as it was written, its secrets and headers sealed") {
  changing_world w(GENERATE(from_range(engines())));
  w.publish_many(3);
  const auto made = w.subscribe(full());
  CHECK(made.public_id.size() == 36);
  CHECK(made.revision == 1);
  CHECK(made.status == subscription_status::active);
  CHECK(made.starts_after.value == 3);
  const auto shown = w.stored(made);
  CHECK(shown.event_types == full().event_types);
  CHECK(shown.filter == full().filter);
  CHECK(shown.ordered_by == full().ordered_by);
  CHECK(shown.url == full().url);
  CHECK(shown.tenant == "acme");
  CHECK(shown.headers[0].value == "shop");
  CHECK(shown.headers[1].value == core::masked_value);
  const auto served = must(storage::load_subscription(w.db(), made.id, w.keys()));
  REQUIRE(served);
  CHECK(served->settings.headers == full().headers);
  REQUIRE(served->secrets.size() == 1);
  CHECK(served->secrets[0].text == "whsec_hook");
  for (const auto* column :
       {"SELECT headers FROM subscriptions", "SELECT secret FROM subscription_secrets"}) {
    const auto stored = w.value(column);
    CHECK(stored.starts_with("v1.test."));
    CHECK(stored.find("s3cret") == string::npos);
  }
}

TEST_CASE("a secret that was moved to another subscription does not open") {
  changing_world w(GENERATE(from_range(engines())));
  const auto one = w.subscribe("one");
  const auto two = w.subscribe("two");
  w.execute("UPDATE subscription_secrets SET secret = (SELECT secret FROM subscription_secrets "
            "WHERE subscription_id = "
            + std::to_string(one.id.value) + ") WHERE subscription_id = " + std::to_string(two.id.value));
  const auto loaded = storage::load_subscription(w.db(), two.id, w.keys());
  REQUIRE_FALSE(loaded);
  CHECK(loaded.error().code == storage::error::sealed);
}

TEST_CASE("a subscription says that a stop reaches it, its own or one of everything") {
  changing_world w(GENERATE(from_range(engines())));
  const auto one = w.subscribe("one");
  const auto two = w.subscribe("two");
  CHECK_FALSE(w.stored(one).stopped);
  const auto reach = [&](const core::stop_target& where) {
    committed(w.db(),
              [&](storage::session& in) { return storage::set_stop(in, {where, "wait", "ada"}, at(1)); });
  };
  const auto lift = [&](const core::stop_target& where) {
    committed(w.db(), [&](storage::session& in) { return storage::end_stop(in, where, "ada", at(2)); });
  };
  const core::stop_target own{core::stop_scope::subscription, {}, {}, one.id};
  reach(own);
  CHECK(w.stored(one).stopped);
  CHECK_FALSE(w.stored(two).stopped);
  lift(own);
  CHECK_FALSE(w.stored(one).stopped);
  reach({});
  CHECK(w.stored(two).stopped);
  lift({});
  CHECK_FALSE(w.stored(two).stopped);
}

TEST_CASE("a live subscription's name is taken in its tenant, a removed one's is free again") {
  changing_world w(GENERATE(from_range(engines())));
  const auto made = w.subscribe("hook");
  const auto again = storage::transact(w.db(), [&](storage::session& in) {
    return storage::make_subscription(in, w.wanted("hook"), "whsec_x", w.keys(), at(1));
  });
  REQUIRE_FALSE(again);
  CHECK(again.error().code == storage::error::refused);
  CHECK_THAT(again.error().detail, Catch::Contains("\"hook\""));
  auto other = w.subscribe("other");
  other.name = "hook";
  CHECK(w.change(other).error().code == storage::error::refused);
  CHECK(w.remove(made));
  CHECK_FALSE(w.remove(made));
  must(w.change(other));
  CHECK_FALSE(must(storage::find_subscription(w.db(), made.public_id, {}, w.keys())));
  CHECK_FALSE(must(storage::load_subscription(w.db(), made.id, w.keys())));
  auto nobody = w.wanted("x");
  nobody.tenant = "nobody";
  const auto refused = storage::transact(w.db(), [&](storage::session& in) {
    return storage::make_subscription(in, nobody, "", w.keys(), at(1));
  });
  CHECK(refused.error().code == storage::error::not_found);
}

TEST_CASE("a removal that says what it has seen is refused where somebody else was first") {
  changing_world w(GENERATE(from_range(engines())));
  const auto made = w.subscribe("hook");
  auto written = w.stored(made);
  written.url = "https://hooks.example.com/new";
  REQUIRE(must(w.change(written)).revision == 2);
  const auto remove = [&](std::optional<std::int64_t> revision) {
    return storage::transact(w.db(), [&](storage::session& in) {
      return storage::remove_subscription(in, {made.id, "bob", revision}, at(2));
    });
  };
  const auto late = remove(1);
  REQUIRE_FALSE(late);
  CHECK(late.error().code == storage::error::refused);
  CHECK_THAT(late.error().detail, Catch::Contains("\"hook\"") && Catch::Contains("revision is 2"));
  CHECK(w.stored(made).revision == 2);
  CHECK(must(remove(2)));
  CHECK_FALSE(must(remove(2)));
}

TEST_CASE("a change is compare-and-set on the revision and keeps what was shown masked") {
  changing_world w(GENERATE(from_range(engines())));
  const auto made = w.subscribe(full());
  auto written = w.stored(made);
  written.url = "https://hooks.example.com/new";
  written.headers.push_back({"X-More", "1", false});
  const auto before = w.version();
  const auto changed = must(w.change(written));
  CHECK(w.version() > before);
  CHECK(changed.revision == 2);
  CHECK(changed.url == written.url);
  CHECK(changed.headers[1].value == core::masked_value);
  const auto served = *must(storage::load_subscription(w.db(), made.id, w.keys()));
  REQUIRE(served.settings.headers.size() == 3);
  CHECK(served.settings.headers[1].value == "Bearer s3cret");
  const auto late = w.change(written);
  REQUIRE_FALSE(late);
  CHECK(late.error().code == storage::error::refused);
  CHECK_THAT(late.error().detail, Catch::Contains("revision is 2"));
  written.revision = 2;
  written.mode = core::subscription_mode::pull;
  CHECK(w.change(written).error().code == storage::error::refused);
  CHECK(w.stored(made).revision == 2);
}

TEST_CASE("a status is compare-and-set, and enabling begins the count of dead deliveries anew") {
  changing_world w(GENERATE(from_range(engines())));
  const auto made = w.subscribe("hook");
  CHECK_FALSE(w.set_status(made, subscription_status::paused, subscription_status::active));
  CHECK(w.set_status(made, subscription_status::active, subscription_status::paused));
  CHECK(w.stored(made).status == subscription_status::paused);
  CHECK(w.set_status(made, subscription_status::paused, subscription_status::disabled));
  CHECK(w.stored(made).cause == core::disable_cause::person);
  w.execute("UPDATE subscriptions SET consecutive_dead = 7");
  CHECK(w.set_status(made, subscription_status::disabled, subscription_status::active));
  const auto active = w.stored(made);
  CHECK(active.consecutive_dead == 0);
  CHECK_FALSE(active.cause);
}

TEST_CASE("a second rotation gives each secret its own overlap, and what has ended is dropped") {
  changing_world w(GENERATE(from_range(engines())));
  const auto made = w.subscribe("hook");
  const auto once = must(w.rotate(made, "whsec_b", at(0)));
  REQUIRE(once.size() == 2);
  must(w.rotate(made, "whsec_c", at(3600)));
  const auto secrets = must(storage::load_subscription(w.db(), made.id, w.keys()))->secrets;
  REQUIRE(secrets.size() == 3);
  CHECK(secrets[0] == core::signing_secret{"whsec_c", std::nullopt});
  CHECK(secrets[1] == core::signing_secret{"whsec_b", at(3600) + 24h});
  CHECK(secrets[2] == core::signing_secret{"whsec_hook", at(0) + 24h});
  must(w.rotate(made, "whsec_d", at(0) + 24h));
  const auto later = must(storage::load_subscription(w.db(), made.id, w.keys()))->secrets;
  CHECK(later.size() == 3);
  CHECK(std::ranges::none_of(later, [](const auto& one) { return one.text == "whsec_hook"; }));
  w.remove(made);
  CHECK(w.value("SELECT count(*) FROM subscription_secrets") == "0");
  CHECK(w.rotate(made, "whsec_e", at(9)).error().code == storage::error::not_found);
}

TEST_CASE("subscriptions are listed by page, of the tenants that may be seen and by status") {
  changing_world w(GENERATE(from_range(engines())));
  storage::configuration more;
  more.tenants = {"globex"};
  committed(w.db(),
            [&](storage::session& in) { return storage::apply_configuration(in, more, {}, at(), true); });
  const auto a = w.subscribe("a");
  const auto b = w.subscribe("b");
  auto elsewhere = w.wanted("c");
  elsewhere.tenant = "globex";
  w.subscribe(elsewhere);
  w.set_status(b, subscription_status::active, subscription_status::paused);
  const auto names = [&](const core::subscription_page& page) {
    string found;
    for (const auto& one : must(storage::list_subscriptions(w.db(), page, w.keys())))
      found += one.name;
    return found;
  };
  core::subscription_page page;
  CHECK(names(page) == "abc");
  page.limit = 1;
  page.after_id = a.id;
  CHECK(names(page) == "b");
  page = {};
  page.tenants.names = {"acme"};
  CHECK(names(page) == "ab");
  page.status = subscription_status::paused;
  CHECK(names(page) == "b");
  page = {};
  page.tenant = "globex";
  CHECK(names(page) == "c");
}

TEST_CASE("a removed subscription's row goes once its last delivery is gone") {
  changing_world w(GENERATE(from_range(engines())));
  const auto made = w.subscribe("hook");
  w.publish_many(1);
  w.fan_out_to(made);
  w.remove(made, at(5));
  const auto prune = [&](core::timestamp until) {
    return committed(w.db(),
                     [&](storage::session& in) { return storage::prune_subscriptions(in, until, 10); });
  };
  CHECK(prune(at(10)) == 0);
  w.execute("DELETE FROM event_deliveries");
  CHECK(prune(at(5)) == 0);
  CHECK(prune(at(6)) == 1);
}
