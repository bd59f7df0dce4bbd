#include "app/callbacks_command.hpp"
#include "app/contacts_command.hpp"
#include "app/notifications_command.hpp"
#include "app/profiles_command.hpp"
#include "app/reconciliation_command.hpp"
#include "app/stop_commands.hpp"
#include "tests/app/notification_world.hpp"

namespace sluice::app {
namespace {

using tests::json;
using tests::notification_world;

struct world : notification_world {
  world() { stand_still(); }

  [[nodiscard]] int set(json wish) {
    wish["tenant"] = "acme";
    return set_profile(context, folder.file("profile.json", wish.dump()));
  }

  [[nodiscard]] json only(const std::string& path, const std::string& member) const {
    const auto listed = ask("GET", path).document.at(member);
    REQUIRE(listed.size() == 1);
    return listed[0];
  }
};

TEST_CASE("profiles and routes are set from what is written of them, and removed") {
  world w;
  auto wish = w.profile_wish();
  CHECK(w.set(wish) == exit_ok);
  wish["settings"]["url"] = "https://hooks.example.com/other";
  CHECK(w.set(wish) == exit_ok);
  const auto profile = w.only("/v1/profiles", "profiles");
  CHECK(profile.at("settings").at("url") == "https://hooks.example.com/other");
  CHECK(profile.at("revision") == 2);
  wish["settings"]["url"] = "nonsense";
  CHECK(w.set(wish) == exit_refused);
  CHECK(set_profile(w.context, w.folder.file("no.json", "[]")) == exit_usage);
  CHECK(set_profile(w.context, w.folder.path("nowhere.json")) == exit_usage);
  CHECK(show_profile(w.context, "hooks") == exit_ok);
  CHECK(show_profile(w.context, "nobody") == exit_refused);
  CHECK(list_profiles(w.context, "acme") == exit_ok);
  CHECK(set_route(w.context, {"usual", "acme", {"hooks"}}) == exit_ok);
  CHECK(set_route(w.context, {"usual", "acme", {"nobody"}}) == exit_refused);
  CHECK(list_routes(w.context, "") == exit_ok);
  CHECK(remove_profile(w.context, "hooks", true) == exit_refused); // the route has it
  CHECK(remove_route(w.context, "usual", true) == exit_ok);
  CHECK(remove_profile(w.context, "hooks", false) == exit_refused); // nobody can be asked
  CHECK(remove_profile(w.context, "hooks", true) == exit_ok);
}

TEST_CASE("contact points are added, shown, suppressed, lifted and removed by command") {
  world w;
  CHECK(add_contact(w.context, {"acme", "email", "ann@example.com"}) == exit_ok);
  CHECK(add_contact(w.context, {"acme", "email", "no address"}) == exit_refused);
  const auto id = w.id_of(w.only("/v1/contact-points", "contact_points"));
  CHECK(show_contact(w.context, id, false) == exit_ok);
  CHECK(show_contact(w.context, id, true) == exit_ok);
  CHECK(suppress_contact(w.context, id, "asked us") == exit_ok);
  CHECK(list_contacts(w.context, {"", "", true}) == exit_ok);
  CHECK(w.only("/v1/contact-points?suppressed=true", "contact_points").at("id") == id);
  CHECK(lift_contact(w.context, id, "") == exit_ok);
  CHECK(remove_contact(w.context, id, false) == exit_refused);
  CHECK(remove_contact(w.context, id, true) == exit_ok);
  CHECK(show_contact(w.context, id, false) == exit_refused);
}

TEST_CASE("notifications are sent, listed, shown, cancelled and settled by command") {
  world w;
  const auto hooks = w.made_profile();
  const auto usual = w.made_route();
  const auto ann = w.made_contact();
  notification_options said;
  said.contact = w.id_of(ann);
  said.route = "usual";
  said.tenant = "acme";
  said.text = "Your order is there.";
  said.data = R"({"order":1234567890123456789012345678901234567890})";
  said.key = "one";
  CHECK(send_notification(w.context, said) == exit_ok);
  CHECK(send_notification(w.context, said) == exit_ok);
  const auto id = w.id_of(w.only("/v1/notifications", "notifications"));
  CHECK(list_notifications(w.context, {"", "queued", ""}) == exit_ok);
  CHECK(show_notification(w.context, id) == exit_ok);
  said.data = "no json";
  CHECK(send_notification(w.context, said) == exit_usage);
  CHECK(settle_notification(w.context, {id, "accepted", "", ""}) == exit_refused);
  CHECK(cancel_notification(w.context, id, "a mistake") == exit_ok);
  const auto doubtful = w.id_of(w.made_ambiguous(hooks, ann));
  CHECK(settle_notification(w.context, {doubtful, "accepted", "m-1", "their page says so"}) == exit_ok);
  CHECK(w.ask("GET", "/v1/notifications/" + doubtful).document.at("state") == "accepted");
  w.context.style.json = false;
  CHECK(show_notification(w.context, doubtful) == exit_ok);
  CHECK(list_notifications(w.context, {}) == exit_ok);
}

TEST_CASE("one profile is stopped and goes on by command, by its name or its id") {
  world w;
  const auto hooks = w.made_profile();
  scope_options by_name, by_id, unknown;
  by_name.profile = "hooks";
  by_id.profile = w.id_of(hooks);
  unknown.profile = "nobody";
  CHECK(stop(w.context, by_name, "an audit") == exit_ok);
  CHECK(w.ask("GET", "/v1/stops").document.at("stops").back().at("profile_name") == "hooks");
  CHECK(list_stops(w.context, false) == exit_ok);
  CHECK(w.ask("DELETE", "/v1/profiles/" + w.id_of(hooks)).status == 409);
  CHECK(resume(w.context, by_id, "") == exit_ok);
  CHECK(resume(w.context, by_name, "") == exit_refused);
  CHECK(stop(w.context, unknown, "x") == exit_refused);
}

TEST_CASE("what is not known is counted, and listed kind by kind") {
  world w;
  const auto hooks = w.made_profile();
  (void)w.made_route();
  const auto doubtful = w.made_ambiguous(hooks, w.made_contact());
  const auto counts = w.ask("GET", "/v1/reconciliation").document;
  CHECK(counts.at("ambiguous_notifications") == 1);
  REQUIRE(counts.at("kinds").size() == 5);
  CHECK(counts.at("kinds")[0].at("kind") == "lapsed_attempt");
  CHECK(counts.at("kinds")[1].at("kind") == "ambiguous_submission");
  CHECK(counts.at("kinds")[1].at("left") == 1);
  CHECK(counts.at("kinds")[4].at("kind") == "unknown_create");
  CHECK(counts.at("kinds")[4].at("left") == 0);
  const auto listed = w.ask("GET", "/v1/reconciliation/ambiguous_submission").document.at("items");
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].at("notification") == doubtful.at("id"));
  CHECK(listed[0].at("attempt") == 1);
  CHECK(listed[0].at("profile") == "hooks");
  CHECK(listed[0].at("rule").is_null());
  CHECK(w.ask("GET", "/v1/reconciliation/lapsed_attempt").document.at("items").empty());
  CHECK(w.ask("GET", "/v1/reconciliation/lapsed_attempt?for_people=true").document.at("items").empty());
  CHECK(w.ask("GET", "/v1/reconciliation/unknown_create").document.at("items").empty());
  CHECK(w.ask("GET", "/v1/reconciliation/unknown_create?after=1.2").status == 200);
  CHECK(w.ask("GET", "/v1/reconciliation/unknown_create?after=1-2").status == 422);
  CHECK(w.ask("GET", "/v1/reconciliation/overdue_callback?for_people=perhaps").status == 422);
  CHECK(w.ask("GET", "/v1/reconciliation/everything").status == 404);
  CHECK(list_unsettled(w.context, {}) == exit_ok);
  CHECK(list_unsettled(w.context, {"unknown_create", true}) == exit_ok);
  w.context.style.json = false;
  CHECK(list_unsettled(w.context, {"", false}) == exit_ok);
}

TEST_CASE("what providers told is listed and replayed by command") {
  world w;
  const auto hooks = w.made_profile();
  w.told(hooks, "m-1");
  w.refuse(hooks);
  CHECK(list_callbacks(w.context, {"hooks", ""}) == exit_ok);
  CHECK(list_callbacks(w.context, {"nobody", ""}) == exit_refused);
  CHECK(list_refused_callbacks(w.context, {}) == exit_ok);
  CHECK(replay_callbacks(w.context) == exit_ok);
}

} // namespace
} // namespace sluice::app
