#include "actors/dispatcher.hpp"
#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <string>
#include <utility>

/// The dispatcher's questions to the database, and what the answers change.
namespace sluice::actors {

namespace m = messages;

namespace {

constexpr core::duration clean_up_interval = std::chrono::hours{1};

} // namespace

void dispatcher_state::look_for_changes() {
  if (looks_ > 0) {
    look_again_ = true;
    return;
  }
  ++looks_;
  look_failed_ = false;
  auto seen = [this](const m::changes_seen& answer) { on_changes_seen(answer); };
  auto failed = [this](const caf::error& error) { failed_to_look(error); };
  m::request(self_, resources_.readers.front(), resources_.node->settings->actors.request_timeout,
             m::look_for_changes{}, seen, failed);
}

void dispatcher_state::on_changes_seen(const m::changes_seen& seen) {
  auto idle_when_asked = schedule_.idle(now());
  if (seen.configuration_version != configuration_version_)
    list_routes(seen.configuration_version);
  else if (seen.markers)
    consume_markers();
  else
    looked_idle_ = idle_when_asked;
  looked();
}

/// A question is answered; the hint that came meanwhile is served now.
void dispatcher_state::looked() {
  --looks_;
  if (looks_ == 0 && std::exchange(look_again_, false))
    look_for_changes();
  start_ready();
}

/// The next tick or hint asks again: a database that answers with failures is not asked without a pause.
void dispatcher_state::failed_to_look(const caf::error& error) {
  telemetry::log(telemetry::event::look_failed, name, {{"reason", describe(error)}});
  if (fault_of(error) == m::fault::lease_lost)
    resources_.unfit(describe(error));
  look_failed_ = true;
  look_again_ = false;
  looked();
}

void dispatcher_state::consume_markers() {
  ++looks_;
  auto consumed = [this](const m::markers_consumed& answer) {
    for (const auto& change : answer.rules) {
      if (schedule_.changed(change.rule, change.change_counter))
        self_->send(rules_.at(change.rule).actor, m::records_changed{});
    }
    looked();
  };
  auto failed = [this](const caf::error& error) { failed_to_look(error); };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout,
             m::consume_markers{}, consumed, failed);
}

void dispatcher_state::list_routes(std::int64_t configuration_version) {
  ++looks_;
  look_again_ = true; // the markers are looked at once the rules are known
  auto listed = [this, configuration_version](m::routes_listed& answer) {
    configuration_version_ = configuration_version;
    on_routes_listed(answer);
    looked();
  };
  auto failed = [this](const caf::error& error) { failed_to_look(error); };
  m::request(self_, resources_.readers.front(), resources_.node->settings->actors.request_timeout,
             m::list_routes{}, listed, failed);
}

void dispatcher_state::on_routes_listed(m::routes_listed& listed) {
  telemetry::log(telemetry::event::configuration_listed, name,
                 {{"rules", std::to_string(listed.routes.size())}});
  for (const auto& route : listed.routes) {
    if (!rules_.contains(route.rule))
      spawn_rule(route.rule, route.target);
  }
  for (auto rule : schedule_.set_routes(listed.routes, now())) {
    auto gone = rules_.extract(rule);
    rule_of_.erase(gone.mapped().actor.address());
    jobs_.erase(rule);
    self_->send_exit(gone.mapped().actor, caf::exit_reason::user_shutdown);
  }
  for (auto rule : schedule_.running_closed())
    self_->send(rules_.at(rule).actor, m::stop_chain{"the rule or one of its connections is not active",
                                                     core::run_ending::route_closed});
  dependents_.clear();
  for (const auto& route : listed.routes) {
    if (route.parent)
      dependents_[*route.parent].push_back(route.rule);
  }
  for (auto rule : listed.jobs) {
    jobs_.insert(rule);
    if (auto found = rules_.find(rule); found != rules_.end())
      self_->send(found->second.actor, m::continue_job{});
  }
  for (const auto& due : listed.dues)
    schedule_.set_due(due.rule, due.at);
}

void dispatcher_state::write_heartbeat() {
  auto written = [] {};
  auto failed = [this](const caf::error& error) {
    telemetry::log(telemetry::event::heartbeat_failed, name, {{"reason", describe(error)}});
    if (fault_of(error) == m::fault::lease_lost)
      resources_.unfit(describe(error));
  };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout,
             m::write_heartbeat{"dispatcher"}, written, failed);
}

void dispatcher_state::clean_up() {
  if (now() - cleaned_up_at_ < clean_up_interval)
    return;
  cleaned_up_at_ = now();
  const auto& settings = *resources_.node->settings;
  remove(m::prune_runs{now() - settings.delivery.run_retention,
                       now() - settings.volume.window - std::chrono::days{1}});
  remove(m::purge_expired{now() - settings.lifecycle.grace_period});
}

/// A batch, and the next one once it is committed: what others write meanwhile waits for one at the most.
template <class Removal>
void dispatcher_state::remove(Removal ask) {
  auto removed = [this, ask](const m::rows_removed& answer) {
    if (answer.rows > 0 && !stopping_)
      remove(ask);
  };
  auto failed = [](const caf::error& error) {
    telemetry::log(telemetry::event::clean_up_failed, name, {{"reason", describe(error)}});
  };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout, ask,
             removed, failed);
}

} // namespace sluice::actors
