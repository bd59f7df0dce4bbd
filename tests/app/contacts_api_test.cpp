#include "tests/app/notification_world.hpp"

namespace sluice::app {
namespace {

using tests::json;
using tests::notification_world;

std::string path_of(const json& contact, const std::string& rest = "") {
  return "/v1/contact-points/" + notification_world::id_of(contact) + rest;
}

TEST_CASE("an address has one contact point however it is written, and no answer shows it") {
  notification_world w;
  const auto made = w.made_contact("+44 (0)20 7946-0958", "phone");
  const json again{{"tenant", "acme"}, {"kind", "phone"}, {"address", "+442079460958"}};
  const auto found = w.ask("POST", "/v1/contact-points", again);
  CHECK(found.status == 200);
  CHECK(found.document.at("id") == made.at("id"));
  CHECK(found.document.dump().find("2079") == std::string::npos);
  const auto listed = w.ask("GET", "/v1/contact-points").document;
  CHECK(listed.at("contact_points").size() == 1);
  CHECK(listed.dump().find("2079") == std::string::npos);
  CHECK(w.ask("GET", "/v1/contact-points?kind=email").document.at("contact_points").empty());
  CHECK(w.ask("GET", "/v1/contact-points?kind=pigeon").status == 422);
  CHECK(w.ask("GET", "/v1/contact-points?suppressed=perhaps").status == 422);
}

TEST_CASE("what is no address is refused, and not quoted") {
  notification_world w;
  for (const auto& [kind, address] :
       {std::pair{"email", "canary at example"}, std::pair{"email", "canary@example.com\r\nBcc: x@y.example"},
        std::pair{"phone", "canary"}, std::pair{"apns_token", "canary"}, std::pair{"pigeon", "canary"}}) {
    INFO(kind);
    const auto refused =
        w.ask("POST", "/v1/contact-points", {{"tenant", "acme"}, {"kind", kind}, {"address", address}});
    CHECK(refused.status == 422);
    CHECK(refused.document.dump().find("canary") == std::string::npos);
  }
  CHECK(w.ask("GET", "/v1/contact-points").document.at("contact_points").empty());
}

TEST_CASE("an admin alone is shown an address, and the audit has who asked") {
  notification_world w;
  const auto made = w.made_contact();
  const auto operating = w.token({{"name", "op"}, {"role", "operator"}});
  CHECK(w.ask_as(operating, "POST", path_of(made, "/reveal"), json::object()).status == 403);
  CHECK(w.acts_on(made).empty());
  const auto revealed = w.ask("POST", path_of(made, "/reveal"), {{"by", "ann"}});
  CHECK(revealed.document.at("address") == "ann@example.com");
  CHECK(w.acts_on(made) == std::vector<std::string>{"reveal_contact_point"});
  CHECK(w.ask("GET", "/v1/audit?act=reveal_contact_point").document.at("entries")[0].at("by") == "ann");
  CHECK(w.ask("GET", "/v1/audit").document.dump().find("ann@example.com") == std::string::npos);
}

TEST_CASE("a contact point is suppressed and lifted by a person, and removed for good") {
  notification_world w;
  const auto made = w.made_contact();
  const auto suppressed = w.ask("POST", path_of(made, "/suppress"), {{"reason", "asked us"}}).document;
  CHECK(suppressed.at("suppression").at("reason") == "person");
  CHECK(suppressed.at("suppression").at("detail") == "asked us");
  CHECK(w.ask("GET", "/v1/contact-points?suppressed=true").document.at("contact_points").size() == 1);
  CHECK(w.ask("GET", "/v1/contact-points?suppressed=false").document.at("contact_points").empty());
  CHECK(w.ask("POST", path_of(made, "/lift"), json::object()).document.at("suppression").is_null());
  CHECK(w.ask("DELETE", path_of(made)).status == 200);
  CHECK(w.ask("GET", path_of(made)).status == 404);
  CHECK(w.ask("POST", path_of(made, "/reveal"), json::object()).status == 404);
  CHECK(w.acts_on(made).size() == 3);
  CHECK(w.acts_on(made).front() == "remove_contact_point");
}

TEST_CASE("an application registers contact points, and sees none") {
  notification_world w;
  const auto app = w.token({{"name", "shop"}, {"role", "intake"}, {"tenants", {"acme"}}});
  const json wish{{"kind", "email"}, {"address", "ann@example.com"}};
  const auto made = w.ask_as(app, "POST", "/v1/contact-points", wish);
  CHECK(made.status == 201);
  CHECK(w.ask_as(app, "POST", "/v1/contact-points", wish).status == 200);
  CHECK(w.ask_as(app, "GET", "/v1/contact-points").status == 403);
  CHECK(w.ask_as(app, "POST", path_of(made.document, "/suppress"), json::object()).status == 403);
  CHECK(w.ask_as(app, "POST", path_of(made.document, "/reveal"), json::object()).status == 403);
}

} // namespace
} // namespace sluice::app
