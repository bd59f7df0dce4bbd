#pragma once

#include "api/json_body.hpp"
#include "api/server.hpp"
#include "tests/app/http_client.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <condition_variable>
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

/// A server on a free port of 127.0.0.1 with four routes: GET /v1/things and POST /v1/things/{name} answer
/// with what they were asked, POST /v1/later waits for `answer_later`,
/// POST /v1/never drops its request.
struct server_world {
  static constexpr auto token = "a-token-for-the-tests";

  explicit server_world(
      const std::function<void(config::api_settings&)>& change = [](auto&) {},
      core::duration answer_timeout = 30s) {
    config::api_settings settings;
    settings.listen = "127.0.0.1:0";
    settings.token = token;
    change(settings);
    routes.add("GET", "/v1/things", {});
    routes.add("POST", "/v1/things/{name}", {});
    routes.add("POST", "/v1/later", {});
    routes.add("POST", "/v1/never", {});
    auto started = api::server::start(
        {settings, &routes, [this](api::arrived request) { serve(std::move(request)); }, answer_timeout});
    REQUIRE(started);
    server = std::move(*started);
  }

  void serve(api::arrived request) {
    ++served;
    if (request.to->pattern == "/v1/never")
      return;
    if (request.to->pattern == "/v1/later") {
      const std::lock_guard guard{mutex};
      later.push_back(std::move(request));
      came.notify_all();
      return;
    }
    nlohmann::ordered_json seen{{"method", request.asked.method}, {"body", request.asked.body}};
    for (const auto& [name, value] : request.asked.parameters)
      seen[name] = value;
    for (const auto& [name, value] : request.asked.query)
      seen["query"][name] = value;
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

  api::router routes;
  std::mutex mutex;
  std::condition_variable came;
  std::vector<api::arrived> later;
  std::atomic<int> served = 0;
  std::unique_ptr<api::server> server; ///< last: its thread uses the rest
};

} // namespace sluice::tests
