#include "app/deliveries_command.hpp"
#include "app/events_command.hpp"
#include "app/stop_commands.hpp"
#include "app/subscriptions_command.hpp"
#include "tests/app/subscription_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::subscription_world;

struct world : subscription_world {
  [[nodiscard]] int create(const std::string& name, const std::string& mode = "push") const {
    subscription_options options;
    options.tenant = "acme";
    options.name = name;
    options.mode = mode;
    if (mode == "push")
      options.url = sink_url();
    return create_subscription(context, options);
  }

  [[nodiscard]] json only() const {
    const auto listed = ask("GET", "/v1/subscriptions").document.at("subscriptions");
    REQUIRE(listed.size() == 1);
    return listed[0];
  }
};

TEST_CASE("subscriptions are made, shown, changed and removed by command") {
  world w;
  CHECK(w.create("hook") == exit_ok);
  CHECK(w.create("hook") == exit_refused);
  CHECK(list_subscriptions(w.context, {}) == exit_ok);
  CHECK(show_subscription(w.context, "hook") == exit_ok);
  CHECK(show_subscription(w.context, w.only().at("id").get<std::string>()) == exit_ok);
  CHECK(show_subscription(w.context, "nobody") == exit_refused);
  subscription_options change;
  change.name = "other";
  change.filter = R"({"field":"/total","more":10})";
  change.event_types = {"orders.*"};
  change.headers = {"X-Team: blue"};
  change.secret_headers = {"X-Pass:s3cret"};
  CHECK(change_subscription(w.context, "hook", change) == exit_ok);
  const auto changed = w.only();
  CHECK(changed.at("name") == "other");
  CHECK(changed.at("filter").at("more") == 10);
  CHECK(changed.at("headers")[0] == json{{"name", "X-Team"}, {"value", "blue"}, {"secret", false}});
  CHECK(changed.at("headers")[1] == json{{"name", "X-Pass"}, {"value", "********"}, {"secret", true}});
  CHECK(changed.at("url") == w.sink_url());
  change = {};
  change.filter = "nonsense";
  CHECK(change_subscription(w.context, "other", change) == exit_usage);
  change = {};
  change.headers = {"no colon"};
  CHECK(change_subscription(w.context, "other", change) == exit_usage);
  change = {};
  change.filter = "";
  change.no_headers = true;
  CHECK(change_subscription(w.context, "other", change) == exit_ok);
  CHECK(w.only().at("filter").is_null());
  CHECK(w.only().at("headers").empty());
  CHECK(remove_subscription(w.context, "other", false) == exit_refused); // nobody to ask
  CHECK(remove_subscription(w.context, "other", true) == exit_ok);
  CHECK(remove_subscription(w.context, "other", true) == exit_refused);
}

TEST_CASE("subscriptions are paused, rotated and tried by command") {
  world w;
  REQUIRE(w.create("hook") == exit_ok);
  CHECK(set_subscription_status(w.context, "hook", "pause", "a look") == exit_ok);
  CHECK(w.only().at("status") == "paused");
  CHECK(w.only().at("status_reason") == "a look");
  CHECK(set_subscription_status(w.context, "hook", "enable", "") == exit_refused);
  CHECK(set_subscription_status(w.context, "hook", "resume", "") == exit_ok);
  CHECK(rotate_subscription(w.context, "hook", "") == exit_ok);
  CHECK(rotate_subscription(w.context, "hook", "ed25519") == exit_ok);
  CHECK(test_subscription(w.context, "hook") == exit_ok);
  CHECK(w.deliveries(w.only(), 1)[0].at("type") == "sluice.test");
}

TEST_CASE("one subscription is stopped and goes on by command, by its name or its id") {
  world w;
  REQUIRE(w.create("hook") == exit_ok);
  const scope_options by_name{false, "", "", "hook"};
  const scope_options by_id{false, "", "", w.only().at("id").get<std::string>()};
  CHECK(stop(w.context, by_name, "its receiver moves") == exit_ok);
  CHECK(w.only().at("stopped") == true);
  CHECK(w.ask("GET", "/v1/stops").document.at("stops")[0].at("subscription_name") == "hook");
  CHECK(list_stops(w.context, false) == exit_ok);
  CHECK(show_subscription(w.context, "hook") == exit_ok);
  CHECK(resume(w.context, by_id, "") == exit_ok);
  CHECK(w.only().at("stopped") == false);
  CHECK(resume(w.context, by_name, "") == exit_refused);
  CHECK(stop(w.context, {false, "", "", "nobody"}, "x") == exit_refused);
}

TEST_CASE("events are published, followed and delivered again by command") {
  world w;
  REQUIRE(w.create("hook") == exit_ok);
  const std::string body = R"({"total":1234567890123456789012345678901234567890})";
  publish_options options{"orders.paid", "acme", "one", w.folder.file("event.json", body)};
  CHECK(publish_event(w.context, options) == exit_ok);
  CHECK(publish_event(w.context, options) == exit_ok); // the same event, by its key
  options.type = "orders.lost";
  CHECK(publish_event(w.context, options) == exit_refused);
  options = {"orders.paid", "acme", "", w.folder.path("no-such-file")};
  CHECK(publish_event(w.context, options) == exit_usage);
  options = {"orders.paid", "acme", "", w.folder.file("large.json", std::string(300 << 10, '1'))};
  CHECK(publish_event(w.context, options) == exit_refused);
  CHECK(list_events(w.context, {}) == exit_ok);
  const auto hook = w.only();
  const auto event = w.deliveries(hook, 1)[0].at("event").get<std::string>();
  w.ask_until(w.path_of(hook, "/deliveries/" + event),
              [](const json& one) { return one.at("state") == "dead"; });
  CHECK(list_deliveries(w.context, {"hook", "dead", 10}) == exit_ok);
  CHECK(list_attempts(w.context, "hook", event) == exit_ok);
  CHECK(retry_delivery(w.context, "hook", event) == exit_ok);
  CHECK(retry_delivery(w.context, "hook", "nobody") == exit_refused);
  CHECK(list_attempts(w.context, "nobody", event) == exit_refused);
}

} // namespace
} // namespace sluice::app
