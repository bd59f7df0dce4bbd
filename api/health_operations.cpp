#include "api/json_body.hpp"
#include "api/operations.hpp"
#include "api/readiness.hpp"
#include "telemetry/exposition.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace sluice::api {

namespace m = messages;

namespace {

/// Less than the ten seconds Prometheus gives an answer: what the node itself knows is shown all the same.
constexpr core::duration survey_patience = std::chrono::seconds{5};

/// The process answers, and that is all it says.
void live(desk&, const request&, const responder& answer) {
  answer(json_response({{"status", "live"}}));
}

void answer_with(desk& at, const m::survey_taken* found, const responder& answer) {
  auto& metrics = *at.links().metrics;
  if (found)
    metrics.connections.rename(found->names);
  metrics.refresh(found ? &found->survey : nullptr, at.now(), at.links().time->steady());
  answer({200, telemetry::exposition_of(metrics), std::string{telemetry::exposition_type}, {}});
}

void show_metrics(desk& at, const request& asked, const responder& answer) {
  if (!asked.who.tenants.everything()) {
    answer(as_response(forbidden("metrics are the whole node's; this token is for some tenants alone")));
    return;
  }
  m::take_survey question{at.links().health, at.links().metrics->connections.known()};
  at.look<m::survey_taken>(at.links().reader, survey_patience, std::move(question),
                           [&at, answer](const m::survey_taken* found) { answer_with(at, found, answer); });
}

} // namespace

void add_health_operations(router& to, access metrics) {
  to.add("GET", "/healthz", access::anyone, live);
  const auto ready = std::make_shared<readiness>();
  to.add("GET", "/readyz", access::anyone,
         [ready](desk& at, const request&, const responder& answer) { ready->ask(at, answer); });
  to.add("GET", "/metrics", metrics, show_metrics);
}

} // namespace sluice::api
