#include "api/operation_parts.hpp"
#include "api/operations.hpp"
#include "api/status_view.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::int64_t runs_max = 1000;

void status(desk& at, const request& asked, const responder& answer) {
  const auto which = query_text(asked, "rules");
  if (!which.empty() && which != "all" && which != "attention") {
    answer(as_response(invalid_member("rules", "rules must be attention (the default) or all")));
    return;
  }
  with_names(at, asked, answer, [&at, answer, all = which == "all"](const seen_names& called) {
    at.show<m::health_read>(at.links().reader, m::read_health{}, answer,
                            [&at, called, all](const m::health_read& read) {
                              return status_view(read, called, at.links().health, at.now(), all);
                            });
  });
}

void rule_status(desk& at, const request& asked, const responder& answer) {
  at.with_rule(asked, answer, [&at, answer](m::rule_found& found) {
    const names called{[](core::rule_id) { return std::string{}; },
                       [found](core::connection_id id) {
                         return id == found.rule.source ? found.source_name : found.target_name;
                       }};
    at.ask<m::health_read>(
        at.links().reader, m::read_health{found.rule.id}, answer,
        [&at, answer, called](m::health_read& read) {
          if (read.rules.empty()) {
            answer(as_response(conflict("the rule has the direction pull_in: it delivers nothing")));
            return;
          }
          const auto& rule = read.rules.front();
          const auto state = core::state_of(rule, read.installation, at.links().health, at.now());
          answer(json_response(rule_state_view(rule, state, called)));
        });
  });
}

json runs_view(const m::runs_listed& listed) {
  auto runs = json::array();
  for (const auto& run : listed.runs)
    runs.push_back(run_view(run));
  return {{"runs", std::move(runs)}};
}

void rule_runs(desk& at, const request& asked, const responder& answer) {
  const auto limit = query_number(asked, "limit", 100, 1, runs_max);
  if (!limit) {
    answer(as_response(limit.error()));
    return;
  }
  at.with_rule(asked, answer, [&at, answer, limit = *limit](m::rule_found& found) {
    at.show<m::runs_listed>(at.links().overview, m::list_runs{found.rule.id, {}, limit}, answer, runs_view);
  });
}

void runs(desk& at, const request& asked, const responder& answer) {
  const auto limit = query_number(asked, "limit", 100, 1, runs_max);
  if (!limit) {
    answer(as_response(limit.error()));
    return;
  }
  at.show<m::runs_listed>(at.links().overview, m::list_runs{std::nullopt, asked.who.tenants, *limit}, answer,
                          runs_view);
}

} // namespace

void add_status_operations(router& to) {
  to.add("GET", "/v1/status", access::viewer, status);
  to.add("GET", "/v1/rules/{rule}", access::viewer, rule_status);
  to.add("GET", "/v1/runs", access::viewer, runs);
  to.add("GET", "/v1/rules/{rule}/runs", access::viewer, rule_runs);
}

} // namespace sluice::api
