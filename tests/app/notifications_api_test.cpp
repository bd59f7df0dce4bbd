#include "tests/app/notification_world.hpp"

#include <set>
#include <string>
#include <thread>
#include <vector>

namespace sluice::app {
namespace {

using tests::json;
using tests::notification_world;

/// One with a profile, a route and somebody to tell.
struct world : notification_world {
  world() : hooks(made_profile()), usual(made_route()), ann(made_contact()) { // braces would make lists
    stand_still();
  }

  void go_on() const { REQUIRE(ask("POST", "/v1/stops/end", {{"scope", "global"}}).status == 200); }

  static std::string path_of(const json& one, const std::string& rest = "") {
    return "/v1/notifications/" + id_of(one) + rest;
  }

  json hooks;
  json usual;
  json ann;
};

TEST_CASE("a notification is posted, shown with its history, and cancelled while it is queued") {
  world w;
  const auto made = w.made_notification(w.ann);
  CHECK(made.at("state") == "queued");
  CHECK(made.at("repeated") == false);
  CHECK(made.at("contact") == w.ann.at("id"));
  CHECK(made.at("profile") == "hooks");
  const auto shown = w.ask("GET", w.path_of(made)).document;
  CHECK(shown.at("history").empty());
  CHECK(shown.dump().find("Your order") == std::string::npos);
  CHECK(w.ask("GET", "/v1/notifications?state=queued").document.at("notifications").size() == 1);
  CHECK(w.ask("GET", "/v1/notifications?contact=" + w.id_of(w.ann)).document.at("notifications").size() == 1);
  CHECK(w.ask("GET", "/v1/notifications?contact=nobody").status == 404);
  CHECK(w.ask("GET", "/v1/notifications?state=sent").status == 422);
  const auto cancelled = w.ask("POST", w.path_of(made, "/cancel"), {{"reason", "a mistake"}});
  CHECK(cancelled.document.at("state") == "cancelled");
  for (const std::string act : {"/cancel", "/settle"}) {
    const auto refused = w.ask("POST", w.path_of(made, act),
                               act == "/settle" ? json{{"outcome", "accepted"}} : json::object());
    CHECK(refused.status == 409);
    CHECK(refused.document.at("detail").get<std::string>().find("cancelled") != std::string::npos);
  }
  CHECK(w.acts_on(made).size() == 1);
}

TEST_CASE("what waits at a profile that is stopped says by whom and why") {
  world w;
  w.go_on();
  const json scope{{"scope", "profile"}, {"profile", w.hooks.at("id")}};
  auto wanted = scope;
  wanted.update({{"reason", "an audit"}, {"by", "ann"}});
  REQUIRE(w.ask("PUT", "/v1/tenants/globex", json::object()).status == 201);
  const auto theirs = w.token({{"name", "theirs"}, {"role", "operator"}, {"tenants", {"globex"}}});
  CHECK(w.ask_as(theirs, "POST", "/v1/stops", wanted).status == 404);
  const auto set = w.ask("POST", "/v1/stops", wanted);
  CHECK(set.status == 201);
  CHECK(set.document.at("profile") == w.hooks.at("id"));
  CHECK(set.document.at("profile_name") == "hooks");
  CHECK(w.ask("POST", "/v1/stops", wanted).status == 200);
  CHECK(w.ask_as(theirs, "GET", "/v1/stops").document.at("stops").empty());
  const auto made = w.made_notification(w.ann);
  CHECK(made.at("state") == "queued");
  CHECK(made.at("stopped") == "stopped by ann: an audit");
  CHECK(w.ask("POST", w.path_of(made, "/cancel"), json::object()).document.at("stopped").is_null());
  CHECK(w.ask("POST", "/v1/stops/end", scope).status == 200);
  CHECK(w.ask("GET", "/v1/stops").document.at("stops").empty());
}

TEST_CASE("notifications are listed in pages, newest first") {
  world w;
  std::vector<std::string> made;
  for (int i = 0; i < 3; ++i)
    made.push_back(w.id_of(w.made_notification(w.ann)));
  const auto first = w.ask("GET", "/v1/notifications?limit=2").document;
  CHECK(first.at("notifications")[0].at("id") == made[2]);
  const auto next = first.at("next_before").dump();
  const auto second = w.ask("GET", "/v1/notifications?limit=2&before=" + next).document;
  CHECK(second.at("notifications").size() == 1);
  CHECK(second.at("notifications")[0].at("id") == made[0]);
  CHECK(second.at("next_before").is_null());
}

TEST_CASE("what is posted fifty times at once under one key is one notification") {
  world w;
  const auto wish = w.notification_wish(w.ann);
  std::vector<tests::http_client::answer> answers(50);
  std::vector<std::thread> posters;
  for (auto& answer : answers)
    posters.emplace_back([&] { answer = w.post(wish, "one"); });
  for (auto& poster : posters)
    poster.join();
  std::set<std::string> ids;
  auto made = 0;
  for (const auto& answer : answers) {
    INFO(answer.body);
    REQUIRE((answer.status == 201 || answer.status == 200));
    ids.insert(json::parse(answer.body).at("id").get<std::string>());
    made += answer.status == 201 ? 1 : 0;
  }
  CHECK(made == 1);
  CHECK(ids.size() == 1);
  CHECK(w.ask("GET", "/v1/notifications").document.at("notifications").size() == 1);
}

TEST_CASE("a key is for one request, and answers it whatever became of route and contact point") {
  world w;
  auto wish = w.notification_wish(w.ann);
  REQUIRE(w.post(wish, "one").status == 201);
  wish["text"] = "Something else.";
  CHECK(w.post(wish, "one").status == 422);
  CHECK(w.post(wish, "two").status == 201);
  CHECK(w.post(wish).status == 201);
  CHECK(w.post(wish).status == 201); // without a key each is another one
  REQUIRE(w.ask("DELETE", "/v1/routes/" + w.id_of(w.usual)).status == 200);
  REQUIRE(w.ask("DELETE", "/v1/contact-points/" + w.id_of(w.ann)).status == 200);
  CHECK(w.post(wish, "two").status == 200);
  CHECK(w.post(wish, "three").status == 404);
}

TEST_CASE("what no profile of the route could send is refused when it is posted, with every reason") {
  world w;
  const auto smtp =
      w.made_at("/v1/profiles", {{"name", "mail"},
                                 {"provider", "smtp"},
                                 {"settings", {{"host", "smtp.example.com"}, {"from", "news@example.com"}}}});
  const auto both = w.made_route("both", {"hooks", "mail"});
  const auto refused = w.post(w.notification_wish(w.ann, "both"));
  INFO(refused.body);
  CHECK(refused.status == 422);
  const auto faults = json::parse(refused.body).at("faults");
  REQUIRE_FALSE(faults.empty());
  CHECK(faults.dump().find("profile \\\"mail\\\"") != std::string::npos);
  CHECK(faults.dump().find("subject") != std::string::npos);
  CHECK(refused.body.find("ann@example.com") == std::string::npos);
  auto wish = w.notification_wish(w.ann, "both");
  wish["subject"] = "News";
  CHECK(w.post(wish).status == 201);
  wish = w.notification_wish(w.made_contact("+442079460958", "phone"), w.id_of(both));
  wish["subject"] = "News";
  const auto unreached = w.post(wish);
  CHECK(unreached.status == 422);
  CHECK(unreached.body.find("it reaches no phone") != std::string::npos);
  CHECK(w.post(w.notification_wish(w.ann, "nobody")).status == 404);
}

TEST_CASE("a change of a profile counts for the next notification") {
  world w;
  REQUIRE(w.post(w.notification_wish(w.ann)).status == 201);
  REQUIRE(w.ask("PATCH", "/v1/profiles/" + w.id_of(w.hooks), {{"name", "renamed"}}).status == 200);
  const auto posted = w.post(w.notification_wish(w.ann));
  CHECK(posted.status == 201);
  CHECK(json::parse(posted.body).at("profile") == "renamed");
}

TEST_CASE("a notification to a suppressed contact point fails at once, with the reason") {
  world w;
  REQUIRE(w.ask("POST", "/v1/contact-points/" + w.id_of(w.ann) + "/suppress", json::object()).status == 200);
  const auto posted = w.post(w.notification_wish(w.ann));
  CHECK(posted.status == 201);
  CHECK(json::parse(posted.body).at("state") == "failed");
}

TEST_CASE("a person settles an ambiguous notification once, and the audit has it") {
  world w;
  const auto made = w.made_ambiguous(w.hooks, w.ann);
  const auto shown = w.ask("GET", w.path_of(made)).document;
  CHECK(shown.at("state") == "ambiguous");
  REQUIRE(shown.at("history").size() == 1);
  CHECK(shown.at("history")[0].at("state") == "ambiguous");
  CHECK(shown.at("history")[0].at("error_class") == "timed_out");
  const auto settle = [&](const json& body) { return w.ask("POST", w.path_of(made, "/settle"), body); };
  CHECK(settle(json::object()).status == 422);
  CHECK(settle({{"outcome", "perhaps"}}).status == 422);
  CHECK(settle({{"outcome", "not-sent"}, {"provider_message_id", "m"}}).status == 422);
  CHECK(settle({{"outcome", "accepted"}, {"attempt", 2}}).status == 409);
  CHECK(w.ask("POST", w.path_of(made, "/cancel"), json::object()).status == 409);
  CHECK(settle({{"outcome", "not-sent"}, {"by", "ann"}}).document.at("state") == "queued");
  CHECK(settle({{"outcome", "accepted"}}).status == 409);
  CHECK(w.acts_on(made).size() == 1);
}

TEST_CASE("what is not known of a message stands beside it, and is among what is left") {
  world w;
  const auto made = w.made_ambiguous(w.hooks, w.ann);
  w.told(w.hooks, "of nobody");
  const auto sought = w.ask("GET", w.path_of(made)).document.at("reconciliation");
  CHECK(sought.at("kind") == "ambiguous_submission");
  CHECK(sought.at("looks") == 0);
  CHECK(sought.at("next_look_at").is_string());
  const auto listed = w.ask("GET", "/v1/notifications").document.at("notifications");
  CHECK(listed[0].at("reconciliation") == sought);
  CHECK(listed[0].at("told").is_null());
  const auto left = w.ask("GET", "/v1/reconciliation").document.at("kinds")[1];
  CHECK(left.at("kind") == "ambiguous_submission");
  CHECK(left.at("next_look_at") == sought.at("next_look_at"));
  const std::string path = "/v1/reconciliation/ambiguous_submission";
  const auto items = w.ask("GET", path).document.at("items");
  REQUIRE(items.size() == 1);
  CHECK(items[0].at("tenant") == made.at("tenant"));
  CHECK(items[0].at("next_look_at") == sought.at("next_look_at"));
  CHECK(items[0].at("last_look_at").is_null());
  CHECK(w.ask("GET", path + "?for_people=true").document.at("items").empty());
  CHECK(w.ask("POST", w.path_of(made, "/settle"), {{"outcome", "accepted"}}).status == 200);
  CHECK(w.ask("GET", w.path_of(made)).document.at("reconciliation").is_null());
  CHECK(w.ask("GET", path).document.at("items").empty());
}

TEST_CASE("applications post notifications, viewers look, operators cancel and settle") {
  world w;
  const auto as = [&](const std::string& role) { return w.token({{"name", role}, {"role", role}}); };
  const auto intake = as("intake");
  const auto viewer = as("viewer");
  const auto operating = as("operator");
  const auto wish = w.notification_wish(w.ann);
  const auto made = w.ask_as(intake, "POST", "/v1/notifications", wish);
  CHECK(made.status == 201);
  CHECK(w.ask_as(intake, "GET", "/v1/notifications").status == 403);
  CHECK(w.ask_as(viewer, "POST", "/v1/notifications", wish).status == 403);
  CHECK(w.ask_as(viewer, "GET", "/v1/notifications").status == 200);
  CHECK(w.ask_as(viewer, "GET", "/v1/refused-callbacks").status == 403);
  CHECK(w.ask_as(viewer, "GET", "/v1/keys").status == 403);
  CHECK(w.ask_as(viewer, "POST", w.path_of(made.document, "/cancel"), json::object()).status == 403);
  CHECK(w.ask_as(operating, "POST", "/v1/profiles", w.profile_wish("x")).status == 403);
  CHECK(w.ask_as(operating, "POST", w.path_of(made.document, "/cancel"), json::object()).status == 200);
}

} // namespace
} // namespace sluice::app
