#include "storage/rule_set.hpp"

#include <map>
#include <tuple>

namespace sluice::storage {
namespace {

using route_key = std::tuple<std::string_view, std::string_view, std::string_view>;

/// Push-out rules by their source, target and domain.
using route_map = std::map<route_key, const rule_among_others*>;

route_key key_of(const rule_among_others& one) {
  return {one.source_name, one.target_name, one.rule.domain};
}

const rule_among_others* parent_of(const rule_among_others& child, const route_map& routes) {
  const auto found = routes.find({child.source_name, child.target_name, child.rule.anchor_domain});
  return found == routes.end() ? nullptr : found->second;
}

std::string named(const rule_among_others& one) {
  return "rule \"" + one.rule.name + "\"";
}

std::string route_text(const rule_among_others& one) {
  return "source \"" + one.source_name + "\" and target \"" + one.target_name + "\"";
}

/// Only of a pair an apply names: two that were there before are not this apply's doing.
route_map map_routes(std::span<const rule_among_others> rules, std::vector<std::string>& faults) {
  route_map routes;
  for (const auto& one : rules) {
    if (one.rule.direction != core::rule_direction::push_out)
      continue;
    const auto [first, added] = routes.try_emplace(key_of(one), &one);
    if (!added && (one.planned || first->second->planned))
      faults.push_back(named(*first->second) + " and " + named(one) + " both deliver domain \""
                       + one.rule.domain + "\" of " + route_text(one) + "; one rule for it is allowed.");
  }
  return routes;
}

/// "customers -> orders -> customers" when the rule is its own ancestor and the first of its circle by name.
std::string circle_of(const rule_among_others& start, const route_map& routes) {
  std::string path = start.rule.domain;
  const auto* at = &start;
  for (std::size_t steps = 0; steps < routes.size() && at->rule.dependent(); ++steps) {
    at = parent_of(*at, routes);
    if (at == nullptr || at->rule.name < start.rule.name)
      return {};
    path += " -> " + at->rule.domain;
    if (at == &start)
      return path;
  }
  return {};
}

} // namespace

std::vector<std::string> rule_set_faults(std::span<const rule_among_others> rules) {
  std::vector<std::string> faults;
  const auto routes = map_routes(rules, faults);
  for (const auto& one : rules) {
    if (!one.rule.dependent())
      continue;
    if (parent_of(one, routes) == nullptr)
      faults.push_back(named(one) + " is anchored on domain \"" + one.rule.anchor_domain
                       + "\", but no push_out rule of " + route_text(one)
                       + " delivers that domain; add one to the file.");
    else if (const auto circle = circle_of(one, routes); !circle.empty())
      faults.push_back(named(one) + " would wait for itself: " + circle
                       + "; anchors must end at a root domain.");
  }
  return faults;
}

std::vector<std::string> dependents_of(const rule_among_others& parent,
                                       std::span<const rule_among_others> rules) {
  std::vector<std::string> names;
  for (const auto& one : rules)
    if (one.source_name == parent.source_name && one.target_name == parent.target_name && one.rule.dependent()
        && one.rule.anchor_domain == parent.rule.domain)
      names.push_back(one.rule.name);
  return names;
}

} // namespace sluice::storage
