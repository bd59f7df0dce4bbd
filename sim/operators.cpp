#include "sim/operators.hpp"

namespace sluice::sim {

using core::connection_status;

rule_facts facts_of(harness::world& world, const plan::rule& rule) {
  rule_facts made{world.rule_id(rule.name),     rule.name,
                  rule.options.domain,          rule.target,
                  rule.options.updates,         rule.options.deletes,
                  !rule.options.filter.empty(), {}};
  if (!rule.options.anchor_domain.empty()) // rules of the first target are called after their domains
    made.parent = world.rule_id(rule.options.anchor_domain);
  return made;
}

std::string operators::act() {
  ++acts_;
  for (const auto& target : plan_.targets) {
    if (mend(target.name))
      return "mends connection " + target.name;
  }
  auto holds = live(core::stop_cause::volume_breaker);
  if (!holds.empty() && dice_.chance(0.6))
    return end_hold(dice_.pick(holds));
  auto& rule = dice_.pick(plan_.rules);
  switch (dice_.below(5)) {
  case 0:
    return switch_rule(rule);
  case 1:
    return switch_connection(rule.options.target);
  case 2:
    return switch_connection("shop");
  case 3:
    if (rule.may_filter)
      return switch_filter(rule);
    [[fallthrough]];
  default:
    return change_mapping(rule);
  }
}

void operators::mend_all() {
  mend("shop");
  for (const auto& target : plan_.targets)
    mend(target.name);
  for (auto& rule : plan_.rules) {
    if (!rule.options.active)
      switch_rule(rule);
  }
  for (const auto& stop : live(core::stop_cause::manual))
    end(stop);
  for (const auto& hold : live(core::stop_cause::volume_breaker))
    release(hold);
}

std::vector<core::delivery_stop> operators::live(core::stop_cause cause) {
  auto found = world_.live_stops();
  std::erase_if(found, [cause](const core::delivery_stop& stop) { return stop.cause != cause; });
  return found;
}

std::string operators::end_hold(const core::delivery_stop& hold) {
  if (dice_.chance(0.7)) {
    release(hold);
    return "releases a hold";
  }
  static_cast<void>(world_.ask<core::delivery_stop>(
      world_.dispatcher(), messages::discard_hold{hold.target.rule, hold.public_id, "an operator"}));
  return "discards a hold";
}

void operators::release(const core::delivery_stop& hold) {
  auto allowed = hold.finding->pending;
  checker_.released(hold.target.rule, allowed, {world_.clock().steady(), world_.now()});
  static_cast<void>(world_.ask<core::delivery_stop>(
      world_.dispatcher(), messages::release_hold{hold.target.rule, hold.public_id, allowed, "an operator"}));
}

void operators::apply(const plan::rule& rule) {
  world_.change_rule(rule.name, rule.options);
  checker_.rule_is(facts_of(world_, rule));
}

std::string operators::change_mapping(plan::rule& rule) {
  rule.options.mapping = mapping_text(rule, ++revision_);
  apply(rule);
  return "changes the mapping of rule " + rule.name;
}

std::string operators::switch_filter(plan::rule& rule) {
  rule.options.filter = rule.options.filter.empty() ? tier_filter : "";
  apply(rule);
  return "changes the filter of rule " + rule.name;
}

std::string operators::switch_rule(plan::rule& rule) {
  rule.options.active = !rule.options.active;
  apply(rule);
  return "switches rule " + rule.name + (rule.options.active ? " on" : " off");
}

std::string operators::switch_connection(const std::string& name) {
  if (!mend(name))
    world_.set_connection_status(name, connection_status::inactive);
  return "switches connection " + name;
}

bool operators::mend(const std::string& name) {
  if (world_.connection(name).status == connection_status::active)
    return false;
  world_.set_connection_status(name, connection_status::active);
  return true;
}

} // namespace sluice::sim
