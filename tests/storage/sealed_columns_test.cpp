#include "storage/connections.hpp"
#include "storage/subscriptions.hpp"
#include "tests/storage/notification_world.hpp"
#include "tests/storage/resealing_world.hpp"

#include <atomic>
#include <thread>

using namespace sluice;
using namespace sluice::tests;
using core::keyed_thing;
using std::string;

namespace {

struct sealed_world : resealing_in<notification_world> {
  using resealing_in::resealing_in;

  core::subscription subscribe() {
    core::subscription wanted;
    wanted.tenant = "acme";
    wanted.name = "orders";
    wanted.url = "https://hooks.example.com/orders";
    wanted.headers.push_back({"x-key", "hush", true});
    return committed(db(), [&](storage::session& in) {
      return storage::make_subscription(in, wanted, "whsec_one", sealing, at());
    });
  }

  core::connection connect() {
    storage::configuration plan;
    plan.connections.emplace_back();
    auto& wish = plan.connections.back();
    wish.tenant = "acme";
    wish.name = "shop";
    wish.driver = "rest";
    wish.settings = "{}";
    wish.credentials = R"({"token":"t0p"})";
    committed(db(), [&](storage::session& in) {
      return storage::apply_configuration(in, plan, sealing, at(), true);
    });
    return must(storage::read_connection(db(), "shop"))->connection;
  }

  string credentials_of(const core::connection& of) {
    auto stored = must(storage::read_connection(db(), of.id))->connection;
    must(storage::open_credentials(stored, sealing));
    return stored.credentials;
  }

  /// The texts of what is claimed of `mail`, which opens them.
  string claimed_texts() {
    string texts;
    for (const auto& one : claim().notifications)
      texts.append(one.order.content.text).append(" ");
    return texts;
  }

  string body_of(std::int64_t report) {
    return must(storage::open_report(db(), {report}, {}, sealing)).value_or("none");
  }

  std::int64_t uses_of(const string& key) {
    std::int64_t all = 0;
    for (const auto& one : must(storage::count_key_uses(db())))
      all += one.key == key ? one.live : 0;
    return all;
  }

  core::notification_record notify_of(const string& text) {
    auto wish = wanted();
    wish.content.text = text;
    return notify(wish);
  }
};

} // namespace

TEST_CASE("after resealing contents, reports, connections and subscriptions open with the new key alone") {
  sealed_world w(GENERATE(from_range(engines())));
  for (int n = 0; n < 7; ++n)
    w.notify_of("t" + std::to_string(n));
  for (int n = 0; n < 4; ++n)
    w.append_event(w.event(core::provider_event_type::delivered, "m" + std::to_string(n)));
  const auto subscription = w.subscribe();
  const auto connection = w.connect();
  w.rotate();
  CHECK(w.pass(keyed_thing::notification_contents, "seal-a").renewed == 7);
  CHECK(w.pass(keyed_thing::provider_reports, "seal-a").renewed == 4);
  CHECK(w.pass(keyed_thing::connection_credentials, "seal-a").renewed == 1);
  CHECK(w.pass(keyed_thing::subscription_headers, "seal-a").renewed == 1);
  CHECK(w.pass(keyed_thing::subscription_secrets, "seal-a").renewed == 1);
  CHECK(w.pass(keyed_thing::profile_credentials, "seal-a").renewed == 2);
  CHECK(w.value("SELECT count(*) FROM provider_profiles WHERE sealing_key = 'seal-c'") == "2");
  CHECK(w.pass(keyed_thing::contact_addresses, "seal-a").renewed == 1);
  CHECK(w.uses_of("seal-a") == 0);
  CHECK(w.live_under(keyed_thing::notification_contents, "seal-c") == 7);
  CHECK(w.live_under(keyed_thing::provider_reports, "seal-c") == 4);
  w.retire();
  CHECK(w.claimed_texts() == "t0 t1 t2 t3 t4 t5 t6 ");
  CHECK(w.body_of(1) == "{}");
  CHECK(w.credentials_of(connection) == R"({"token":"t0p"})");
  const auto served = must(storage::load_subscription(w.db(), subscription.id, w.sealing));
  REQUIRE(served);
  CHECK(served->settings.headers.front().value == "hush");
  CHECK(served->secrets.front().text == "whsec_one");
}

TEST_CASE("what is not under the old key is passed over in short steps, and the pass ends") {
  sealed_world w(GENERATE(from_range(engines())));
  w.sealing = ring_of({"seal-b", "seal-a"});
  for (int n = 0; n < 120; ++n)
    w.notify();
  w.sealing = ring_of({"seal-a"});
  w.notify_of("the last one");
  w.rotate();
  core::resealing_order order{keyed_thing::notification_contents, "seal-a", 0, 1};
  const auto first = w.step(order);
  CHECK(first.renewed == 0);
  CHECK(first.last_id == 50);
  CHECK_FALSE(first.through);
  CHECK(w.pass(keyed_thing::notification_contents, "seal-a", 1).renewed == 1);
  CHECK(w.live_under(keyed_thing::notification_contents, "seal-b") == 120);
}

TEST_CASE("a step ends at its limit, and the next one takes the rest") {
  sealed_world w(GENERATE(from_range(engines())));
  for (int n = 0; n < 4; ++n)
    w.notify();
  w.rotate();
  const auto first = w.step({keyed_thing::notification_contents, "seal-a", 0, 2});
  CHECK(first.renewed == 2);
  CHECK(first.last_id == 2);
  CHECK_FALSE(first.through);
  const auto second = w.step({keyed_thing::notification_contents, "seal-a", first.last_id, 2});
  CHECK(second.renewed == 2);
  CHECK(second.through);
}

TEST_CASE("a content that was moved to another notification is told as unopened, and stays") {
  sealed_world w(GENERATE(from_range(engines())));
  w.notify();
  w.notify();
  w.execute(
      "UPDATE notifications SET content = (SELECT content FROM notifications WHERE id = 1) WHERE id = 2");
  w.rotate();
  const auto passed = w.pass(keyed_thing::notification_contents, "seal-a");
  CHECK(passed.renewed == 1);
  CHECK(passed.unopened == 1);
  CHECK(w.live_under(keyed_thing::notification_contents, "seal-a") == 1);
}

TEST_CASE("contents are made anew while notifications are made and sent") {
  sealed_world w(GENERATE(from_range(engines())));
  for (int n = 0; n < 20; ++n)
    w.notify();
  w.rotate();
  std::atomic<int> failed = 0;
  std::atomic<int> sent = 0;
  {
    // A node that can read the new key, and writes with the old one.
    const auto sealing = ring_of({"seal-a", "seal-c"});
    std::jthread other([&] {
      auto db = w.session();
      for (int n = 0; n < 20; ++n) {
        const auto made = storage::transact(db, [&](storage::session& in) {
          return storage::make_notification(in, w.wanted(), sealing, at());
        });
        const auto claims = storage::transact(db, [&](storage::session& in) {
          return storage::claim_notifications(in, w.claim_wish(3), sealing, at(1));
        });
        failed += made && claims ? 0 : 1;
        sent += claims ? static_cast<int>(claims->notifications.size()) : 0;
      }
    });
    w.pass(keyed_thing::notification_contents, "seal-a", 2);
  }
  CHECK(failed == 0);
  w.pass(keyed_thing::notification_contents, "seal-a");
  CHECK(w.live_under(keyed_thing::notification_contents, "seal-a") == 0);
  w.retire();
  CHECK(w.live_under(keyed_thing::notification_contents, "seal-c") == 40);
  sent += static_cast<int>(w.claim().notifications.size());
  CHECK(sent == 40);
}

TEST_CASE("without keys of fingerprints what has none is made anew all the same") {
  sealed_world w(GENERATE(from_range(engines())));
  w.connect();
  w.rotate();
  w.fingerprints = {};
  CHECK(w.pass(keyed_thing::connection_credentials, "seal-a").renewed == 1);
}
