#pragma once

#include "api/client.hpp"
#include "app/apply.hpp"
#include "app/command_context.hpp"
#include "app/crm.hpp"
#include "app/import.hpp"
#include "app/migrate.hpp"
#include "app/node.hpp"
#include "config/listen_address.hpp"
#include "storage/mirror.hpp"
#include "storage/rules.hpp"
#include "tests/app/http_client.hpp"
#include "tests/config/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sluice::tests {

using namespace std::chrono_literals;
using json = nlohmann::ordered_json;

/// The stand-in target on a thread of its own.
struct running_crm {
  explicit running_crm(const app::crm_options& options)
      : server{app::crm_server::listen(options).value()}, thread{[this] { server.run(); }} {}
  ~running_crm() {
    server.stop();
    thread.join();
  }

  app::crm_server server;
  std::thread thread;
};

/// A running node with its API on SQLite, a stand-in target, a source "shop", and the rule "to-crm" for
/// customers, whose deletions are withdrawn. The target honours no keys and has no lookup.
struct node_world {
  explicit node_world(
      const app::crm_options& target = {},
      const std::function<void(config::settings&)>& change = [](auto&) {})
      : crm{target} {
    auto& settings = context.settings;
    settings.database.url = "sqlite:" + folder.path("test.db");
    settings.api.listen = "127.0.0.1:0";
    settings.api.token = "a-token-for-the-tests";
    settings.api.socket = "none";
    settings.calls.allowed_networks = {"127.0.0.0/8"};
    settings.delivery.retry_schedule = {1ms};
    change(settings);
    context.style.json = true;
    REQUIRE(app::migrate(context) == app::exit_ok);
    REQUIRE(app::apply(context, {.file = folder.file("apply.toml", configuration()), .yes = true})
            == app::exit_ok);
    auto started = app::node::start(settings, app::open_keys(settings).value(), core::first_sweep::at_once,
                                    {[](const std::string&) {}, [](core::duration) { return false; }});
    REQUIRE(started);
    node = std::move(*started);
    settings.api.listen = node->api_address();
  }
  ~node_world() {
    if (node)
      CHECK(node->stop());
  }

  /// A tenant with a source, the target and a rule, whose names begin with `prefix`.
  [[nodiscard]] std::string configuration(const std::string& tenant = "acme",
                                          const std::string& prefix = "") const {
    const auto at = "http://" + crm.server.address();
    return R"(
[[tenants]]
name = ")" + tenant
           + R"("
[[connections]]
tenant = ")"
           + tenant + R"("
name = ")" + prefix
           + R"(shop"
driver = "mirror"
[[connections]]
tenant = ")"
           + tenant + R"("
name = ")" + prefix
           + R"(crm"
driver = "rest"
[connections.settings]
base_url = ")"
           + at + R"("
[connections.settings.operations.create]
path = "/customers"
id = "/id"
[connections.settings.operations.update]
path = "/customers/{remote_id}"
[connections.settings.operations.delete]
path = "/customers/{remote_id}"
[[rules]]
name = ")" + prefix
           + R"(to-crm"
source = ")"
           + prefix + R"(shop"
target = ")"
           + prefix + R"(crm"
domain = "customers"
delete_policy = "delete"
[rules.mapping]
external_id = "/id"
)";
  }

  /// Records "c1" to "cN".
  void import_records(int count, const std::string& source = "shop") {
    std::string text;
    for (auto i = 1; i <= count; ++i)
      text += R"({"id":"c)" + std::to_string(i) + "\"}\n";
    REQUIRE(app::import_records(context, {.file = folder.file("records.ndjson", text),
                                          .connection = source,
                                          .domain = "customers",
                                          .id_field = "id",
                                          .format = {}})
            == app::exit_ok);
  }

  void delete_records(int count) {
    auto db = app::open_session(context, storage::access::write).value();
    const auto shop = storage::find_connection(db, "shop").value().value();
    std::vector<std::string> ids;
    for (auto i = 1; i <= count; ++i)
      ids.push_back("c" + std::to_string(i));
    const auto deleted = storage::transact(db, [&](storage::session& open) {
      return storage::delete_records(open, shop.id, "customers", ids, app::wall_now());
    });
    REQUIRE(deleted.value() == count);
  }

  api::client::answer ask(const std::string& method, const std::string& target,
                          const json& body = nullptr) const {
    return ask_as(context.settings.api.token, method, target, body);
  }

  api::client::answer ask_as(const std::string& token, const std::string& method, const std::string& target,
                             const json& body = nullptr) const {
    auto settings = context.settings.api;
    settings.token = token;
    auto answer = api::client::of(settings).value().send(method, target, body, 30s);
    REQUIRE(answer);
    return std::move(*answer);
  }

  [[nodiscard]] std::uint16_t port() const {
    return config::parse_listen_address(context.settings.api.listen).value().port;
  }
  /// The head of a JSON request with the settings' token.
  [[nodiscard]] std::string authorized() const {
    return "Authorization: Bearer " + context.settings.api.token + "\r\nContent-Type: application/json\r\n";
  }

  /// Asks until the answer is as expected; the last one when it never is.
  template <class Expected>
  json ask_until(const std::string& target, Expected expected) const {
    const auto give_up = std::chrono::steady_clock::now() + 20s;
    auto answer = ask("GET", target).document;
    while (!expected(answer) && std::chrono::steady_clock::now() < give_up)
      answer = ask("GET", target).document;
    CHECK(expected(answer));
    return answer;
  }

  /// Waits until so many rows have the status.
  void wait_for(const std::string& status, int count, const std::string& rule = "to-crm") const {
    ask_until("/v1/rules/" + rule + "/ledger/counts",
              [&](const json& counted) { return counted.at("counts").value(status, 0) == count; });
  }

  temporary_folder folder;
  app::command_context context;
  running_crm crm;
  std::unique_ptr<app::node> node;
};

} // namespace sluice::tests
