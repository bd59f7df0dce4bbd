#include "api/notification_views.hpp"

#include <catch2/catch.hpp>

namespace sluice::api {
namespace {

TEST_CASE("a profile's credentials are masked, and it shows whether it has any") {
  core::profile_record one;
  one.profile.settings = R"({"url":"https://hooks.example.com/"})";
  one.profile.credentials = R"({"password":"canary"})";
  CHECK(profile_view(one).at("credentials").is_null());
  one.has_credentials = true;
  const auto view = profile_view(one);
  CHECK(view.at("credentials") == "********");
  CHECK(view.at("settings").at("url") == "https://hooks.example.com/");
  CHECK(view.dump().find("canary") == std::string::npos);
}

TEST_CASE("an event names its profile by its public id while that is live") {
  core::profile_record profile;
  profile.profile.id = {7};
  profile.profile.public_id = "p-7";
  core::kept_event event;
  event.profile = {7};
  CHECK(provider_event_view(event, {profile}).at("profile") == "p-7");
  event.profile = {8};
  CHECK(provider_event_view(event, {profile}).at("profile").is_null());
}

TEST_CASE("what became of a message stands beside its notification, and is nothing of its state") {
  core::notification_record one;
  one.progress.state = core::notification_state::accepted;
  CHECK(notification_view(one, {}).at("told").is_null());
  CHECK(notification_view(one, {}).at("reconciliation").is_null());
  core::notification_standing standing;
  standing.told = core::provider_event_type::bounced;
  standing.sought.emplace();
  const auto view = notification_view(one, standing);
  CHECK(view.at("state") == "accepted");
  CHECK(view.at("told") == "bounced");
  CHECK(view.at("reconciliation").at("looks") == 0);
}

TEST_CASE("a key that something needs shows although the settings have it no more") {
  messages::key_uses_counted counted;
  counted.sealing = {"new", "old"};
  counted.fingerprints = {"print"};
  counted.uses = {{core::keyed_thing::contact_addresses, "old", 3, 0},
                  {core::keyed_thing::profile_credentials, "old", 1, 0},
                  {core::keyed_thing::contact_fingerprints, "lost", 2, 1}};
  const auto view = key_uses_view(counted);
  REQUIRE(view.at("keys").size() == 2);
  CHECK(view.at("keys")[0]
        == json{{"name", "new"}, {"first", true}, {"in_settings", true}, {"uses", json::array()}});
  CHECK(view.at("keys")[1].at("first") == false);
  CHECK(view.at("keys")[1].at("uses").size() == 2);
  const auto& prints = view.at("fingerprint_keys");
  REQUIRE(prints.size() == 2);
  CHECK(prints[1].at("name") == "lost");
  CHECK(prints[1].at("in_settings") == false);
  CHECK(prints[1].at("uses")[0].at("removed") == 1);
}

} // namespace
} // namespace sluice::api
