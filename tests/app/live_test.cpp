#include "tests/app/node_world.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <string>

namespace sluice::app {
namespace {

using tests::http_client;
using tests::json;
using tests::node_world;

struct live_world : node_world {
  explicit live_world(const std::function<void(config::settings&)>& change = [](auto&) {})
      : node_world({}, [&](config::settings& settings) {
          settings.live.interval = std::chrono::milliseconds{20};
          change(settings);
        }) {}

  [[nodiscard]] std::string request(const std::string& token) const {
    return "GET /v1/live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\n\r\n";
  }
  [[nodiscard]] std::string request() const { return request(context.settings.api.token); }

  void wait_until_well() const {
    ask_until("/v1/status", [](const json& status) {
      return status.at("global") == "ok" && status.at("counts").value("ok", 0) == 1;
    });
  }
};

struct told {
  std::string name;
  json data;
};

told next_event(http_client& page) {
  REQUIRE_FALSE(page.receive_until("event: ").empty());
  auto name = page.receive_until("\n");
  REQUIRE_FALSE(page.receive_until("data: ").empty());
  return {name.substr(0, name.size() - 1), json::parse(page.receive_until("\n"))};
}

/// Reads on to an event of that name whose data is as expected.
template <class Expected>
json event_of(http_client& page, const std::string& name, Expected expected) {
  auto event = next_event(page);
  while (event.name != name || !expected(event.data))
    event = next_event(page);
  return event.data;
}

json snapshot_of(http_client& page) {
  return event_of(page, "snapshot", [](const json&) { return true; });
}

bool has_state(const json& rule, const std::string& state) {
  return rule.at("name") == "to-crm" && rule.at("state") == state;
}

TEST_CASE("a page gets the picture, and then what changes") {
  live_world w;
  w.import_records(1);
  w.wait_for("delivered", 1);
  w.wait_until_well();
  http_client page{w.port()};
  REQUIRE(page.write(w.request()));
  const auto head = page.receive_until("\r\n\r\n");
  CHECK(head.find("text/event-stream") != std::string::npos);
  const auto snapshot = snapshot_of(page);
  CHECK(snapshot.at("global") == "ok");
  CHECK(snapshot.at("counts").at("ok") == 1);
  CHECK(snapshot.at("stops").empty());
  const auto set =
      w.ask("POST", "/v1/stops", {{"scope", "rule"}, {"rule", "to-crm"}, {"reason", "a look first"}})
          .document;
  std::map<std::string, json> news;
  while (!news.contains("rule") || !news.contains("stops")) {
    auto event = next_event(page);
    news[event.name] = event.data;
  }
  CHECK(has_state(news.at("rule"), "stopped"));
  CHECK(news.at("stops").at("stops")[0].at("id") == set.at("id"));
  w.ask("POST", "/v1/stops/" + set.at("id").get<std::string>() + "/end", json::object());
  CHECK(event_of(page, "rule", [](const json& rule) { return has_state(rule, "ok"); }).at("held") == false);
}

TEST_CASE("many pages are told the same, and one more than allowed is told to come again") {
  live_world w{[](auto& settings) { settings.live.streams_max = 20; }};
  std::deque<http_client> pages;
  for (auto i = 0; i < 20; ++i) {
    pages.emplace_back(w.port());
    REQUIRE(pages.back().write(w.request()));
  }
  for (auto& page : pages)
    CHECK(snapshot_of(page).contains("counts"));
  CHECK(w.ask("GET", "/v1/live").status == 503);
  w.ask("POST", "/v1/stops", {{"scope", "global"}, {"reason", "all of it"}});
  for (auto& page : pages)
    event_of(page, "state", [](const json& state) { return state.at("global") == "stopped"; });
}

TEST_CASE("a page sees its token's tenants alone") {
  live_world w;
  REQUIRE(
      apply(w.context, {.file = w.folder.file("globex.toml", w.configuration("globex", "g-")), .yes = true})
      == exit_ok);
  const auto made = w.ask("POST", "/v1/tokens",
                          {{"name", "theirs"}, {"role", "viewer"}, {"tenants", json::array({"globex"})}});
  http_client page{w.port()};
  REQUIRE(page.write(w.request(made.document.at("token").get<std::string>())));
  snapshot_of(page);
  w.ask("POST", "/v1/stops", {{"scope", "rule"}, {"rule", "to-crm"}, {"reason", "not for globex"}});
  w.ask("POST", "/v1/stops", {{"scope", "global"}, {"reason", "all of it"}});
  const auto until_then = page.receive_until("\"scope\":\"global\"");
  CHECK_FALSE(until_then.empty());
  CHECK(until_then.find("\"to-crm\"") == std::string::npos);
  CHECK(until_then.find("not for globex") == std::string::npos);
}

TEST_CASE("a page must come again after its time, and the node's end ends it") {
  live_world w{[](auto& settings) { settings.live.stream_time_max = std::chrono::seconds{1}; }};
  http_client old{w.port()};
  REQUIRE(old.write(w.request()));
  CHECK_FALSE(old.receive_until("\r\n0\r\n\r\n").empty());
  http_client page{w.port()};
  REQUIRE(page.write(w.request()));
  snapshot_of(page);
  CHECK(w.node->stop());
  w.node.reset();
  CHECK_FALSE(page.receive_until("0\r\n\r\n").empty());
}

} // namespace
} // namespace sluice::app
