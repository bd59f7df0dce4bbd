#include "actors/dispatcher.hpp"
#include "actors/sync_rule.hpp"
#include "actors/throttle.hpp"
#include "actors/token_keeper.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <caf/send.hpp>

#include <string>
#include <utility>

/// The actors the dispatcher keeps: one a rule, a throttle and a token keeper a target.
namespace sluice::actors {

namespace m = messages;

dispatcher_state::~dispatcher_state() {
  auto end = [](const auto& actor) { caf::anon_send_exit(actor, caf::exit_reason::user_shutdown); };
  for (const auto& [rule, entry] : rules_)
    end(entry.actor);
  for (const auto& [connection, actors] : targets_) {
    end(actors.throttle);
    end(actors.token_keeper);
  }
}

m::sync_rule dispatcher_state::rule_actor(core::rule_id rule) const {
  auto found = rules_.find(rule);
  return found == rules_.end() ? m::sync_rule{} : found->second.actor;
}

m::throttle dispatcher_state::throttle_of(core::connection_id target) const {
  auto found = targets_.find(target);
  return found == targets_.end() ? m::throttle{} : found->second.throttle;
}

m::token_keeper dispatcher_state::token_keeper_of(core::connection_id target) const {
  auto found = targets_.find(target);
  return found == targets_.end() ? m::token_keeper{} : found->second.token_keeper;
}

void dispatcher_state::spawn_rule(core::rule_id rule, core::connection_id target) {
  const auto& talk_to = actors_of(target);
  auto reader = static_cast<std::size_t>(rule.value) % resources_.readers.size();
  rule_links links{resources_.node, resources_.readers[reader], talk_to.throttle, talk_to.token_keeper,
                   m::dispatcher{self_}};
  auto actor = self_->spawn(actors::sync_rule, rule, std::move(links));
  self_->monitor(actor);
  rule_of_[actor.address()] = rule;
  rules_[rule] = {actor, target};
}

const dispatcher_state::target_actors& dispatcher_state::actors_of(core::connection_id target) {
  auto found = targets_.find(target);
  if (found != targets_.end())
    return found->second;
  auto throttle =
      self_->spawn(actors::throttle, throttle_resources{target, resources_.node->recorder,
                                                        resources_.readers.front(), resources_.node->time,
                                                        resources_.node->settings, resources_.node->metrics});
  auto token_keeper =
      self_->spawn(actors::token_keeper, token_keeper_resources{target, resources_.node, throttle});
  return targets_.emplace(target, target_actors{throttle, token_keeper}).first->second;
}

void dispatcher_state::on_down(const caf::down_msg& down) {
  auto found = rule_of_.find(down.source);
  if (found == rule_of_.end())
    return;
  auto rule = found->second;
  rule_of_.erase(found);
  if (!stopping_)
    restart_rule(rule);
}

/// Two lives of one rule never overlap: the second begins when the courier has answered all calls of the
/// first.
void dispatcher_state::restart_rule(core::rule_id rule) {
  auto quiet = [this, rule] {
    telemetry::log(telemetry::event::rule_restarted, name, {{"rule", std::to_string(rule.value)}});
    auto target = rules_.at(rule).target;
    self_->send(actors_of(target).throttle, m::caller_died{rule});
    self_->send(resources_.node->recorder, m::abandon_runs{rule});
    spawn_rule(rule, target);
    if (jobs_.contains(rule))
      self_->send(rules_.at(rule).actor, m::continue_job{});
    if (schedule_.running(rule))
      schedule_.chain_ended({rule, core::run_ending::abandoned, 0, {}, {}}, now());
    start_ready();
  };
  auto failed = [this, rule](const caf::error&) { restart_rule(rule); };
  self_->send(resources_.node->courier, m::withdraw_calls{rule});
  m::request(self_, resources_.node->courier, resources_.node->settings->actors.request_timeout,
             m::await_quiet{rule}, quiet, failed);
}

} // namespace sluice::actors
