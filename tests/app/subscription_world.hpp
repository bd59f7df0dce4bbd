#pragma once

#include "storage/subscriptions.hpp"
#include "tests/app/node_world.hpp"

#include <string>

namespace sluice::tests {

/// A node with a key to seal secrets with and one to find addresses by, and what tests of subscriptions ask
/// of it.
struct subscription_world : node_world {
  explicit subscription_world(const std::function<void(config::settings&)>& change = [](auto&) {})
      : node_world{{}, [&](config::settings& settings) {
                     settings.keys.keys = {"test:" + std::string(64, '7')};
                     settings.keys.fingerprint_keys = {"print:" + std::string(64, '8')};
                     change(settings);
                   }} {}

  /// A subscription of acme's, as its making answered.
  [[nodiscard]] json made(json wanted) const {
    wanted.emplace("tenant", "acme");
    const auto answer = ask("POST", "/v1/subscriptions", wanted);
    INFO(answer.document.dump());
    REQUIRE(answer.status == 201);
    return answer.document;
  }

  [[nodiscard]] json made_pull(const std::string& name = "reader") const {
    return made({{"name", name}, {"mode", "pull"}});
  }

  /// Pushed to the stand-in target, which has no such path: each push is refused for good.
  [[nodiscard]] json made_push(const std::string& name = "hook") const {
    return made({{"name", name}, {"url", sink_url()}});
  }

  [[nodiscard]] std::string sink_url() const { return "http://" + crm.server.address() + "/no/such/place"; }

  [[nodiscard]] static std::string path_of(const json& subscription, const std::string& rest = "") {
    return "/v1/subscriptions/" + subscription.at("id").get<std::string>() + rest;
  }

  /// What its actor would be given.
  [[nodiscard]] core::served_subscription served(const json& one) const {
    auto db = app::open_session(context, storage::access::read).value();
    const auto keys = app::open_keys(context.settings).value();
    const auto found =
        storage::find_subscription(db, one.at("id").get<std::string>(), core::tenant_scope{}, keys);
    return storage::load_subscription(db, found.value().value().id, keys).value().value();
  }

  api::client::answer patch(const json& one, const json& body, const std::string& rest = "") const {
    return ask("PATCH", path_of(one, rest), body);
  }

  /// A token's text.
  [[nodiscard]] std::string token(const json& wanted) const {
    const auto answer = ask("POST", "/v1/tokens", wanted);
    REQUIRE(answer.status == 201);
    return answer.document.at("token").get<std::string>();
  }

  /// Bytes as they are.
  [[nodiscard]] http_client::answer post_event(const std::string& query, const std::string& body,
                                               const std::string& headers = "") const {
    return http_client{port()}.send("POST", "/v1/events" + query, body, authorized() + headers);
  }

  /// The id of an event of acme's.
  std::string publish(const std::string& type, const std::string& body = "{}") const {
    const auto answer = post_event("?tenant=acme&type=" + type, body);
    INFO(answer.body);
    REQUIRE(answer.status == 201);
    return json::parse(answer.body).at("id").get<std::string>();
  }

  /// The subscription's deliveries, once there are so many.
  [[nodiscard]] json deliveries(const json& subscription, std::size_t count) const {
    return ask_until(path_of(subscription, "/deliveries"),
                     [&](const json& page) { return page.at("deliveries").size() == count; })
        .at("deliveries");
  }

  [[nodiscard]] std::string get_text(const std::string& target) const {
    return http_client{port()}.send("GET", target, "", authorized()).body;
  }
};

} // namespace sluice::tests
