#pragma once

#include "core/rule.hpp"
#include "core/subscription_wish.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// Tenants, connections, rules and subscriptions as somebody wants them. Names are the identity: what exists
/// under its name is changed, what does not is made. Nothing that is absent is removed.
struct configuration {
  std::vector<std::string> tenants;
  std::vector<connection> connections; ///< id and public_id are ignored; credentials empty: left as stored
  struct rule {
    sync_rule rule; ///< source and target are ignored: the names below count
    std::string source_name;
    std::string target_name;
  };
  std::vector<rule> rules;
  std::vector<subscription_wish> subscriptions;
  std::string by{}; ///< who wants it so, for the audit of subscriptions
};

/// One line of what a configuration changes or would change.
struct configuration_change {
  std::string kind; ///< "tenant", "connection", "rule", "subscription"
  std::string name;
  std::string what;                ///< "create", "change", "same"
  std::vector<std::string> fields; ///< changed fields by name; credentials as "credentials", without values
  std::string tenant{};            ///< of a subscription, whose name is its tenant's; else empty

  [[nodiscard]] bool changes() const { return what != "same"; }
  friend bool operator==(const configuration_change&, const configuration_change&) = default;
};

/// A subscription that was made or changed with a configuration.
struct applied_subscription {
  subscription_id id{};
  std::string public_id;
  std::string tenant;
  std::string name;
  std::string verification_key; ///< of one that was made and pushes: what its receiver verifies with
};

/// What somebody who edits one thing has seen of it: the time of its last change, absent where there was
/// nothing.
struct seen_version {
  enum class subject : std::uint8_t { connection, rule };
  subject of = subject::connection;
  std::string name;
  std::optional<timestamp> changed_at;
};

template <class Inspector>
auto inspect(Inspector& f, seen_version& x) {
  return f(x.of, x.name, x.changed_at);
}

template <class Inspector>
auto inspect(Inspector& f, configuration::rule& x) {
  return f(x.rule, x.source_name, x.target_name);
}

/// A connection leaves out its credentials.
template <class Inspector>
auto inspect(Inspector& f, configuration& x) {
  return f(x.tenants, x.connections, x.rules, x.subscriptions, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, configuration_change& x) {
  return f(x.kind, x.name, x.what, x.fields, x.tenant);
}

/// Leaves out the key: of a secret both ends have it is the secret.
template <class Inspector>
auto inspect(Inspector& f, applied_subscription& x) {
  return f(x.id, x.public_id, x.tenant, x.name);
}

} // namespace sluice::core
