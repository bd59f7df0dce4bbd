#pragma once

#include "api/json_body.hpp"
#include "api/server.hpp"
#include "tests/app/http_client.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::tests {

[[nodiscard]] inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

using namespace std::chrono_literals;

/// A server on a free port of 127.0.0.1. GET /v1/things and POST /v1/things/{name} answer with what they were
/// asked and by whom, as do GET /v1/open for anyone, POST /v1/records for intake and GET /v1/keys for admins;
/// POST /v1/later waits for `answer_later`, as do POST /v1/lines/{name}, which takes a stream, and
/// GET /v1/pieces for tests that answer themselves; POST /v1/never drops its request. POST /v1/raw/{name}, a
/// raw route of 1,024 bytes and half a second, and POST /v1/open-body are for anyone.
struct server_world {
  static constexpr auto token = "a-token-for-the-tests";

  explicit server_world(
      const std::function<void(config::api_settings&)>& change = [](auto&) {},
      core::duration answer_timeout = 30s) {
    config::api_settings settings;
    settings.listen = "127.0.0.1:0";
    settings.token = token;
    change(settings);
    routes.add("GET", "/v1/things", api::access::viewer, {});
    routes.add("POST", "/v1/things/{name}", api::access::operate, {});
    routes.add("GET", "/v1/open", api::access::anyone, {});
    routes.add("POST", "/v1/records", api::access::intake, {});
    routes.add("GET", "/v1/keys", api::access::administer, {});
    routes.add("POST", "/v1/later", api::access::operate, {});
    routes.add_streamed("POST", "/v1/lines/{name}", api::access::intake, {});
    routes.add("GET", "/v1/pieces", api::access::viewer, {});
    routes.add("POST", "/v1/never", api::access::operate, {});
    routes.add("POST", "/v1/open-body", api::access::anyone, {});
    routes.add_raw("POST", "/v1/raw/{name}", api::access::anyone, {1024, 500ms}, {});
    who = std::make_shared<const api::senders>(settings.token, api::session_seal::with({}, 1h));
    api::server::plan plan;
    plan.settings = settings;
    plan.socket_path = settings.socket.starts_with('/') ? settings.socket : std::string{};
    plan.routes = &routes;
    plan.who = who;
    plan.find_token = [this](const std::string& digest, const std::function<void(api::found_token)>& answer) {
      answer(find_token(digest));
    };
    plan.serve = [this](api::arrived request) { serve(std::move(request)); };
    plan.time = &time;
    plan.answer_timeout = answer_timeout;
    plan.metrics = metrics;
    auto started = api::server::start(std::move(plan));
    REQUIRE(started);
    server = std::move(*started);
  }

  api::found_token find_token(const std::string& digest) {
    const std::lock_guard guard{mutex};
    if (tokens_unreadable)
      return std::unexpected{api::unavailable("the database is away")};
    const auto found = tokens.find(digest);
    return found == tokens.end() ? std::optional<core::api_token>{} : found->second;
  }

  void add_token(const std::string& text, const core::api_token& made) {
    const std::lock_guard guard{mutex};
    tokens[api::token_digest(text)] = made;
  }

  void serve(api::arrived request) {
    ++served;
    if (request.to->pattern == "/v1/never")
      return;
    if (request.to->pattern == "/v1/later" || request.to->takes_lines
        || request.to->pattern == "/v1/pieces") {
      const std::lock_guard guard{mutex};
      later.push_back(std::move(request));
      came.notify_all();
      return;
    }
    nlohmann::ordered_json seen{{"method", request.asked.method}, {"body", request.asked.body}};
    if (request.asked.who.name != "api")
      seen["who"] = request.asked.who.name;
    for (const auto& [name, value] : request.asked.parameters)
      seen[name] = value;
    for (const auto& [name, value] : request.asked.query)
      seen["query"][name] = value;
    if (const auto& raw = request.asked.raw) {
      seen["target"] = raw->target;
      seen["source"] = raw->source;
      seen["headers"] = raw->headers;
      seen["key"] = request.asked.idempotency_key;
    }
    request.answer(api::json_response(seen));
  }

  void answer_later() {
    const std::lock_guard guard{mutex};
    for (const auto& request : later)
      request.answer(api::json_response({{"late", true}}));
    later.clear();
  }

  [[nodiscard]] bool wait_for_later(std::size_t count) {
    std::unique_lock guard{mutex};
    return came.wait_for(guard, 10s, [&] { return later.size() >= count; });
  }

  static std::string headers(const std::string& more = "") {
    return "Authorization: Bearer " + std::string{token} + "\r\nContent-Type: application/json\r\n" + more;
  }

  [[nodiscard]] http_client client() const { return http_client{server->port()}; }

  /// The clock of tests: it stands.
  struct standing_time final : core::time_source {
    [[nodiscard]] core::timestamp wall() const override { return core::from_us(1'700'000'000'000'000); }
    [[nodiscard]] core::duration steady() const override { return {}; }
  };

  standing_time time;
  std::shared_ptr<const api::senders> who;
  std::map<std::string, core::api_token> tokens;
  bool tokens_unreadable = false;
  api::router routes;
  std::shared_ptr<telemetry::metrics> metrics = std::make_shared<telemetry::metrics>();
  std::mutex mutex;
  std::condition_variable came;
  std::vector<api::arrived> later;
  std::atomic<int> served = 0;
  std::unique_ptr<api::server> server; ///< last: its thread uses the rest
};

} // namespace sluice::tests
