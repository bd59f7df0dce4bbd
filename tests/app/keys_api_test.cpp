#include "app/keys_command.hpp"
#include "tests/app/notification_world.hpp"

namespace sluice::app {
namespace {

using tests::json;
using tests::notification_world;

const std::string old_key = "test:" + std::string(64, '7');
const std::string old_print = "print:" + std::string(64, '8');

/// The same installation, whose node was started again with other keys.
struct rotated_world : notification_world {
  void restart(const std::function<void(config::key_settings&)>& change) {
    CHECK(node->stop());
    node.reset();
    auto& settings = context.settings;
    change(settings.keys);
    settings.api.listen = "127.0.0.1:0";
    auto started = node::start(settings, open_keys(settings).value(), core::first_sweep::at_once,
                               {[](const std::string&) {}, [](core::duration) { return false; }});
    REQUIRE(started);
    node = std::move(*started);
    settings.api.listen = node->api_address();
  }

  /// One whose profile has a route by now.
  [[nodiscard]] json notified(const json& contact) const {
    (void)made_route();
    return made_notification(contact);
  }

  /// With the keys of the settings as they are: whoever claims it finds its content readable.
  [[nodiscard]] bool content_opens(const json& posted) const {
    core::notification_claim_wish wish;
    wish.profile = profile_id(ask("GET", "/v1/profiles").document.at("profiles").at(0));
    wish.lease = std::chrono::minutes{1};
    const auto keys = open_keys(context.settings).value();
    const auto claims = in_database(
        [&](storage::session& db) { return storage::claim_notifications(db, wish, keys, wall_now()); });
    return claims.notifications.size() == 1 && claims.unreadable == 0
           && claims.notifications.front().order.notification_id == id_of(posted);
  }

  [[nodiscard]] std::int64_t live_of(const std::string& ring, const std::string& key) const {
    std::int64_t live = 0;
    const auto keys = ask("GET", "/v1/keys").document;
    for (const auto& one : keys.at(ring))
      for (const auto& use : one.at("uses"))
        live += one.at("name") == key ? use.at("live").get<std::int64_t>() : 0;
    return live;
  }
};

TEST_CASE("keys are listed with what needs them") {
  rotated_world w;
  (void)w.made_profile();
  (void)w.made_contact();
  CHECK(w.live_of("keys", "test") == 2);
  CHECK(w.live_of("fingerprint_keys", "print") == 1);
  CHECK(w.ask("GET", "/v1/keys").document.at("keys")[0].at("first") == true);
  CHECK(list_keys(w.context) == exit_ok);
  CHECK(rotate_keys(w.context) == exit_ok); // everything is made with the first ones
  const auto refused = w.ask("POST", "/v1/keys/reseal", {{"thing", "contact_addresses"}, {"key", "test"}});
  CHECK(refused.status == 409); // it is the ring's first
}

TEST_CASE("keys are rotated by command while the node serves, and then the old ones may go") {
  rotated_world w;
  const auto profile = w.made_profile();
  const auto contact = w.made_contact();
  w.stand_still();
  const auto posted = w.notified(contact);
  w.told(profile, "m-1");
  w.restart([](config::key_settings& keys) {
    keys.keys = {"new:" + std::string(64, '9'), old_key};
    keys.fingerprint_keys = {"fresh:" + std::string(64, 'a'), old_print};
  });
  CHECK(w.live_of("keys", "test") == 4);
  CHECK(rotate_keys(w.context) == exit_ok);
  CHECK(w.live_of("keys", "test") == 0);
  CHECK(w.live_of("keys", "new") == 4);
  CHECK(w.live_of("fingerprint_keys", "print") == 0);
  CHECK(w.ask("GET", "/v1/audit?act=rotate_key").document.at("entries").size() == 5);
  w.restart([](config::key_settings& keys) {
    keys.keys.pop_back();
    keys.fingerprint_keys.pop_back();
  });
  const auto path = "/v1/contact-points/" + w.id_of(contact);
  CHECK(w.ask("POST", path + "/reveal", json::object()).document.at("address") == "ann@example.com");
  const json again{{"tenant", "acme"}, {"kind", "email"}, {"address", "ann@example.com"}};
  CHECK(w.ask("POST", "/v1/contact-points", again).document.at("id") == contact.at("id"));
  CHECK(w.ask("PATCH", "/v1/profiles/" + w.id_of(profile), {{"name", "still"}}).status == 200);
  CHECK(w.content_opens(posted));
}

TEST_CASE("a key that seals and finds addresses is refused, whatever it is called") {
  config::settings settings;
  settings.keys.keys = {old_key};
  settings.keys.fingerprint_keys = {"other:" + std::string(64, '7')};
  const auto ring = read_fingerprint_keys(settings);
  REQUIRE_FALSE(ring);
  CHECK(ring.error().find("keys.fingerprint_keys") != std::string::npos);
  CHECK(ring.error().find("777") == std::string::npos);
  settings.keys.fingerprint_keys = {old_print};
  CHECK(read_fingerprint_keys(settings));
}

} // namespace
} // namespace sluice::app
