#pragma once

#include "core/delivery_page.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

/// What the tests of the Delivery page are made of.
namespace sluice::tests {

using namespace sluice::core;
using namespace std::chrono_literals;

inline const timestamp now = from_us(1'700'000'000'000'000);

/// The ids of a connection end in …c001 for the first, those of a rule in …f001, of a tenant in …a001.
inline std::string uuid(char kind, std::int64_t number) {
  auto digits = std::to_string(number);
  digits.insert(0, 3 - digits.size(), '0');
  return std::string{"018f3c2a-7b1e-7000-8000-00000000"} + kind + digits;
}

/// Tenants with a mirror "shop of T" and a target "crm of T" each, and rules between them that do well.
struct page_world {
  page_world() {
    facts.installation.heartbeat_at = now - 1s;
    add_tenant("acme");
    add_tenant("bolt");
  }

  void add_tenant(const std::string& name) {
    ++tenants;
    for (const auto* kind : {"shop", "crm"}) {
      connection_life made;
      auto& is = made.connection;
      is.id = {static_cast<std::int64_t>(facts.connections.size()) + 1};
      is.public_id = uuid('c', is.id.value);
      is.name = std::string{kind} + " of " + name;
      is.tenant = name;
      made.tenant_public_id = uuid('a', tenants);
      facts.connections.push_back(made);
    }
  }

  rule_facts& add_rule(const std::string& name, std::int64_t tenant = 1) {
    auto& made = facts.rules.emplace_back();
    made.rule = {static_cast<std::int64_t>(facts.rules.size())};
    made.public_id = uuid('f', made.rule.value);
    made.name = name;
    made.source = {2 * tenant - 1};
    made.target = {2 * tenant};
    made.active = true;
    made.route_open = true;
    made.completed_at = now - 1min;
    made.ended.emplace();
    made.ended->ending = run_ending::completed;
    return made;
  }

  delivery_stop& add_stop(stop_target target, stop_cause cause, timestamp at = now) {
    auto& made = facts.stops.emplace_back();
    made.id = static_cast<std::int64_t>(facts.stops.size());
    made.target = target;
    made.cause = cause;
    made.set_at = at;
    return made;
  }

  void stop(rule_facts& rule, timestamp at = now) {
    rule.stops.rule = add_stop({stop_scope::rule, {}, rule.rule}, stop_cause::manual, at).id;
  }

  void hold(rule_facts& rule, timestamp at = now) {
    rule.stops.hold = add_stop({stop_scope::rule, {}, rule.rule}, stop_cause::volume_breaker, at).id;
  }

  void stop_connection(connection_id into) {
    const auto id = add_stop({stop_scope::connection, into, {}}, stop_cause::manual).id;
    for (auto& rule : facts.rules)
      if (rule.target == into)
        rule.stops.connection = id;
  }

  void stop_everything() {
    const auto id = add_stop({}, stop_cause::manual).id;
    facts.installation.stopped = true;
    for (auto& rule : facts.rules)
      rule.stops.global = id;
  }

  [[nodiscard]] delivery_page page(const std::string& search = "", std::size_t cards_max = 500) const {
    return make_delivery_page(facts, {search, cards_max}, health_settings{}, now);
  }

  delivery_facts facts;
  std::int64_t tenants = 0;
};

inline void fail(rule_facts& rule) {
  rule.ended->ending = run_ending::faulted;
}

inline void throttle(rule_facts& rule) {
  rule.ended->ending = run_ending::throttled;
}

inline void go_stale(rule_facts& rule) {
  rule.change_counter = rule.completed_counter + 1;
  rule.completed_at = now - 16min;
}

using texts = std::vector<std::string>;

/// The cards' rules; several on one card are joined by "+".
inline texts names(const page_group& group) {
  texts found;
  for (const auto& card : group.cards) {
    std::string line;
    for (const auto* rule : card.rules)
      line += (line.empty() ? "" : "+") + rule->facts->name;
    found.push_back(line);
  }
  return found;
}

} // namespace sluice::tests
