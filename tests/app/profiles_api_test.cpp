#include "tests/app/notification_world.hpp"

namespace sluice::app {
namespace {

using tests::json;
using tests::notification_world;

std::string path_of(const json& profile) {
  return "/v1/profiles/" + notification_world::id_of(profile);
}

TEST_CASE("a profile is made, found, changed and removed, and its credentials are never shown") {
  notification_world w;
  const auto wish = w.profile_wish();
  const auto secret = wish.at("credentials").at("secrets")[0].get<std::string>();
  const auto made = w.made_profile();
  CHECK(made.at("credentials") == "********");
  CHECK(made.at("settings").at("url") == "https://hooks.example.com/notify");
  CHECK(made.at("revision") == 1);
  const auto found = w.ask("GET", path_of(made));
  CHECK(found.document == made);
  CHECK(found.document.dump().find(secret) == std::string::npos);
  const auto renamed = w.ask("PATCH", path_of(made), {{"name", "other"}}).document;
  CHECK(renamed.at("name") == "other");
  CHECK(renamed.at("settings") == made.at("settings"));
  CHECK(renamed.at("credentials") == "********");
  CHECK(w.ask("GET", "/v1/profiles").document.at("profiles").size() == 1);
  CHECK(w.ask("GET", "/v1/profiles?provider=smtp").document.at("profiles").empty());
  CHECK(w.ask("GET", "/v1/profiles?provider=pigeon").status == 422);
  CHECK(w.ask("DELETE", path_of(made)).status == 200);
  CHECK(w.ask("DELETE", path_of(made)).status == 404);
  CHECK(w.ask("GET", path_of(made)).status == 404);
  CHECK(w.acts_on(made) == std::vector<std::string>{"remove_profile", "change_profile", "make_profile"});
}

TEST_CASE("every fault of a profile's settings and credentials is told at once, and nothing is made") {
  notification_world w;
  auto wish = w.profile_wish();
  wish["tenant"] = "acme";
  wish["settings"] = {{"url", "no-url"}, {"surely_unknown", 1}};
  wish["credentials"] = {{"secrets", {"canary-that-is-no-secret"}}};
  const auto refused = w.ask("POST", "/v1/profiles", wish);
  INFO(refused.document.dump());
  CHECK(refused.status == 422);
  CHECK(refused.document.at("faults").size() >= 3);
  CHECK(refused.document.dump().find("canary") == std::string::npos);
  CHECK(w.ask("GET", "/v1/profiles").document.at("profiles").empty());
  wish = w.profile_wish();
  wish["tenant"] = "nobody";
  CHECK(w.ask("POST", "/v1/profiles", wish).status == 404);
  wish["tenant"] = "acme";
  wish["provider"] = "pigeon";
  CHECK(w.ask("POST", "/v1/profiles", wish).status == 422);
}

TEST_CASE("a change of a profile is judged with the credentials that stay, and by who was first") {
  notification_world w;
  const auto made = w.made_profile();
  const auto patch = [&](const json& body, const std::string& headers = "") {
    return tests::http_client{w.port()}
        .send("PATCH", path_of(made), body.dump(), w.authorized() + headers)
        .status;
  };
  CHECK(patch({{"settings", {{"url", "https://hooks.example.com/other"}}}}, "If-Match: \"1\"\r\n") == 200);
  CHECK(patch({{"name", "late"}}, "If-Match: \"1\"\r\n") == 409);
  CHECK(patch({{"credentials", nullptr}}) == 422); // every message is signed
  CHECK(patch({{"provider", "smtp"}}) == 422);
  CHECK(w.ask("GET", path_of(made)).document.at("settings").at("url") == "https://hooks.example.com/other");
}

TEST_CASE("a route names profiles of its tenant, and a profile it has is not removed") {
  notification_world w;
  const auto first = w.made_profile();
  const auto second = w.made_profile("second");
  const auto route = w.made_route("usual", {"hooks", "second"});
  CHECK(route.at("profiles") == json{"hooks", "second"});
  CHECK(w.ask("DELETE", path_of(second)).status == 409);
  const auto path = "/v1/routes/" + w.id_of(route);
  CHECK(w.ask("PATCH", path, {{"profiles", {"hooks", "nobody"}}}).status == 409);
  CHECK(w.ask("PATCH", path, {{"profiles", json::array()}}).status == 422);
  CHECK(w.ask("PATCH", path, {{"profiles", {"hooks"}}}).document.at("revision") == 2);
  CHECK(w.ask("DELETE", path_of(second)).status == 200);
  CHECK(w.ask("GET", "/v1/routes?tenant=acme").document.at("routes").size() == 1);
  CHECK(w.ask("DELETE", path).status == 200);
  CHECK(w.ask("GET", path).status == 404);
  CHECK(w.ask("DELETE", path_of(first)).status == 200);
}

TEST_CASE("what belongs to another tenant does not exist for a token of one") {
  notification_world w;
  const auto profile = w.made_profile();
  const auto route = w.made_route();
  const auto contact = w.made_contact();
  const auto made = w.made_notification(contact);
  REQUIRE(w.ask("PUT", "/v1/tenants/globex", json::object()).status == 201);
  const auto theirs = w.token({{"name", "g"}, {"role", "admin"}, {"tenants", {"globex"}}});
  for (const auto& path : {path_of(profile), "/v1/routes/" + w.id_of(route),
                           "/v1/contact-points/" + w.id_of(contact), "/v1/notifications/" + w.id_of(made)})
    CHECK(w.ask_as(theirs, "GET", path).status == 404);
  for (const std::string list : {"profiles", "routes", "notifications"})
    CHECK(w.ask_as(theirs, "GET", "/v1/" + list).document.at(list).empty());
  CHECK(w.ask_as(theirs, "GET", "/v1/contact-points").document.at("contact_points").empty());
  CHECK(w.ask_as(theirs, "POST", "/v1/notifications", w.notification_wish(contact)).status == 404);
  CHECK(w.ask_as(theirs, "GET", "/v1/keys").status == 403);
}

} // namespace
} // namespace sluice::app
