#include "tests/app/subscription_world.hpp"

#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::subscription_world;

/// A subscription whose receiver refuses everything, and an event that was pushed to it.
struct refused_world : subscription_world {
  refused_world() : hook(made_push()), event(publish("orders.paid")) { (void)wait_for_attempts(1); }

  [[nodiscard]] std::string delivery(const std::string& rest = "") const {
    return path_of(hook, "/deliveries/" + event + rest);
  }

  [[nodiscard]] json wait_for_attempts(int count) const {
    return ask_until(delivery(), [&](const json& one) {
      return one.value("attempts", 0) == count && one.value("state", "") == "dead";
    });
  }

  json hook;
  std::string event;
};

TEST_CASE("a delivery is shown with its attempts and what was answered") {
  refused_world w;
  const auto one = w.ask("GET", w.delivery()).document;
  CHECK(one.at("state") == "dead");
  CHECK(one.at("error_class").is_string());
  CHECK(one.at("in_flight") == false);
  const auto attempts = w.ask("GET", w.delivery("/attempts")).document.at("attempts");
  REQUIRE(attempts.size() == 1);
  CHECK(attempts[0].at("number") == 1);
  CHECK(attempts[0].at("ending") == "permanent");
  CHECK(attempts[0].at("status") == 404);
  CHECK_FALSE(attempts[0].at("answer").get<std::string>().empty());
  CHECK(w.ask("GET", w.path_of(w.hook, "/deliveries?state=dead")).document.at("deliveries").size() == 1);
  CHECK(w.ask("GET", w.path_of(w.hook, "/deliveries?state=pending")).document.at("deliveries").empty());
  CHECK(w.ask("GET", w.path_of(w.hook, "/deliveries?state=lost")).status == 422);
  CHECK(w.ask("GET", w.path_of(w.hook, "/deliveries/nobody")).status == 404);
  CHECK(w.ask("GET", w.path_of(w.hook, "/deliveries/nobody/attempts")).status == 404);
}

TEST_CASE("an operator delivers again, attempts go on counting, and the audit says who") {
  refused_world w;
  CHECK(w.ask("POST", w.delivery("/retry"), {{"by", "ann"}}).document.at("state") == "pending");
  (void)w.wait_for_attempts(2);
  const auto attempts = w.ask("GET", w.delivery("/attempts?limit=1&after=1")).document.at("attempts");
  REQUIRE(attempts.size() == 1);
  CHECK(attempts[0].at("number") == 2);
  const auto entries = w.ask("GET", "/v1/audit?act=retry_delivery").document.at("entries");
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].at("by") == "ann");
  CHECK(entries[0].at("subject") == w.hook.at("id"));
  CHECK(entries[0].at("details").at("event") == w.event);
  CHECK(w.ask("POST", w.path_of(w.hook, "/deliveries/nobody/retry"), json::object()).status == 404);
  CHECK(w.ask("POST", w.delivery("/retry"), {{"all", true}}).status == 422);
}

TEST_CASE("what the filter left out stays left out, and the refusal says why") {
  subscription_world w;
  const auto picky =
      w.made({{"name", "picky"}, {"url", w.sink_url()}, {"filter", {{"field", "/total"}, {"more", 10}}}});
  const auto event = w.publish("orders.paid", R"({"total":1})");
  CHECK(w.deliveries(picky, 1)[0].at("state") == "skipped_filter");
  const auto refused = w.ask("POST", w.path_of(picky, "/deliveries/" + event + "/retry"), json::object());
  CHECK(refused.status == 409);
  CHECK(refused.document.at("detail").get<std::string>().find("filter") != std::string::npos);
}

TEST_CASE("a test event goes to its subscription alone") {
  subscription_world w;
  const auto hook = w.made_push();
  const auto other = w.made_push("other");
  const auto sent = w.ask("POST", w.path_of(hook, "/test"), json::object());
  CHECK(sent.status == 201);
  CHECK(w.deliveries(hook, 1)[0].at("event") == sent.document.at("event"));
  CHECK(w.ask("GET", "/v1/events?type=sluice.test").document.at("events")[0].at("kind") == "test");
  w.publish("orders.paid"); // fanned out behind it
  CHECK(w.deliveries(other, 1)[0].at("type") == "orders.paid");
}

TEST_CASE("what waits for a paused subscription goes out when it is resumed") {
  subscription_world w;
  const auto hook = w.made_push();
  REQUIRE(w.ask("POST", w.path_of(hook, "/pause"), json::object()).status == 200);
  w.publish("orders.paid");
  CHECK(w.deliveries(hook, 1)[0].at("state") == "pending");
  REQUIRE(w.ask("POST", w.path_of(hook, "/resume"), json::object()).status == 200);
  w.ask_until(w.path_of(hook, "/deliveries"),
              [](const json& page) { return page.at("deliveries")[0].at("attempts") == 1; });
}

} // namespace
} // namespace sluice::app
