#include "api/readiness.hpp"

#include "api/json_body.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace sluice::api {

namespace m = messages;

namespace {

constexpr core::duration look_again_after = std::chrono::seconds{1};
constexpr core::duration patience = std::chrono::seconds{2}; ///< whoever probes does not wait long
constexpr const char* well = "ok";

const char* dispatcher_check(const std::optional<core::installation_facts>& found,
                             const core::health_settings& settings, core::timestamp now) {
  if (!found)
    return "not known while the database does not answer";
  if (!found->heartbeat_at)
    return "has shown no sign of life yet";
  return now - *found->heartbeat_at > settings.heartbeat_stale_after
             ? "has shown no sign of life for too long"
             : well;
}

/// What is not well, as one sentence; empty where all is.
std::string faults_of(const nlohmann::ordered_json& checks) {
  std::string faults;
  for (const auto& [name, check] : checks.items()) {
    if (check != well)
      faults += (faults.empty() ? "the " : "; the ") + name + " " + check.get<std::string>();
  }
  return faults;
}

} // namespace

void readiness::ask(desk& at, const responder& answer) {
  waiting_.push_back(answer);
  if (waiting_.size() > 1)
    return; // a look is under way
  if (looked_at_ && at.links().time->steady() - *looked_at_ < look_again_after)
    answer_all(at);
  else
    look(at);
}

void readiness::look(desk& at) {
  at.look<core::installation_facts>(at.links().delivery_reader, patience, m::read_installation{},
                                    [self = shared_from_this(), &at](const core::installation_facts* found) {
                                      self->looked_at_ = at.links().time->steady();
                                      self->found_ = found ? std::optional{*found} : std::nullopt;
                                      self->answer_all(at);
                                    });
}

void readiness::answer_all(desk& at) {
  const auto answer = verdict(at);
  for (const auto& each : std::exchange(waiting_, {}))
    each(answer);
}

response readiness::verdict(const desk& at) const {
  const auto& links = at.links();
  const nlohmann::ordered_json checks{{"database", found_ ? well : "does not answer"},
                                      {"lease", links.lease_held() ? well : "is not held"},
                                      {"dispatcher", dispatcher_check(found_, links.health, at.now())}};
  const auto faults = faults_of(checks);
  if (faults.empty())
    return json_response({{"status", "ready"}, {"checks", checks}});
  return as_response(
      {503, "not_ready", "The node is not ready.", faults, {{"checks", checks}}, {{"Retry-After", "1"}}});
}

} // namespace sluice::api
