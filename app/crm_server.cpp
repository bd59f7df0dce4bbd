#include "app/command_context.hpp"
#include "app/crm.hpp"
#include "app/crm_behaviour.hpp"
#include "app/crm_store.hpp"
#include "app/http_server.hpp"
#include "app/http_text.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace sluice::app {
namespace {

core::duration monotonic_now() {
  return std::chrono::duration_cast<core::duration>(std::chrono::steady_clock::now().time_since_epoch());
}

http_reaction answer_of(crm_reply reply) {
  return {.status = reply.status, .body = std::move(reply.body)};
}

} // namespace

struct crm_server::implementation {
  explicit implementation(const crm_options& chosen) : options{chosen}, behaviour{chosen} {}

  [[nodiscard]] std::string state() const {
    const auto& counts = behaviour.counts();
    return "{\"requests\":" + std::to_string(counts.requests) + ",\"collections\":" + store.state_json()
           + ",\"peak_requests_in_60s\":" + std::to_string(behaviour.peak()) + ",\"rate_limited\":"
           + std::to_string(counts.rate_limited) + ",\"failed\":" + std::to_string(counts.failed)
           + ",\"lost_replies\":" + std::to_string(counts.lost_replies)
           + ",\"hung\":" + std::to_string(counts.hung) + "}";
  }

  http_reaction react(const served_request& request) {
    const auto path = request.target;
    if (path == "/_state") {
      return answer_of({200, state()});
    }
    if (constexpr std::string_view prefix = "/_state/"; path.starts_with(prefix)) {
      return answer_of({200, store.items_json(path.substr(prefix.size()))});
    }
    auto reaction = serve(behaviour.next(monotonic_now()), request);
    reaction.after = options.latency;
    return reaction;
  }

  http_reaction serve(crm_mood mood, const served_request& request) {
    switch (mood) {
    case crm_mood::limit: {
      auto refused = answer_of({429, R"({"error":"too many requests"})"});
      refused.headers = retry_after_line(behaviour.retry_after_seconds(monotonic_now()));
      return refused;
    }
    case crm_mood::fail:
      return answer_of({503, R"({"error":"not now"})"});
    case crm_mood::hang:
      return {.kind = reaction_kind::hang};
    case crm_mood::lose_reply:
      (void)handle(request);
      return {.kind = reaction_kind::cut};
    case crm_mood::serve:
      break;
    }
    return answer_of(handle(request));
  }

  crm_reply handle(const served_request& request) {
    const auto key = options.ignore_keys ? std::string_view{} : request.header("Idempotency-Key");
    return store.handle({.method = request.method,
                         .target = request.target,
                         .body = request.body,
                         .idempotency_key = key,
                         .at = wall_now()});
  }

  crm_options options;
  crm_behaviour behaviour;
  crm_store store;
  std::optional<http_server> server;
};

crm_server::crm_server(std::unique_ptr<implementation> made) : implementation_{std::move(made)} {}
crm_server::crm_server(crm_server&&) noexcept = default;
crm_server& crm_server::operator=(crm_server&&) noexcept = default;
crm_server::~crm_server() = default;

std::expected<crm_server, std::string> crm_server::listen(const crm_options& options) {
  const auto address = read_listen_option(options.listen);
  if (!address) {
    return std::unexpected{address.error()};
  }
  auto made = std::make_unique<implementation>(options);
  auto server = http_server::listen(
      *address, [target = made.get()](const served_request& request) { return target->react(request); });
  if (!server) {
    return std::unexpected{std::move(server).error()};
  }
  made->server = std::move(*server);
  return crm_server{std::move(made)};
}

std::string crm_server::address() const {
  return implementation_->server->address();
}

std::uint16_t crm_server::port() const noexcept {
  return implementation_->server->port();
}

void crm_server::run() {
  implementation_->server->run();
}

void crm_server::stop() {
  implementation_->server->stop();
}

void crm_server::stop_on_signals() {
  implementation_->server->stop_on_signals();
}

} // namespace sluice::app
