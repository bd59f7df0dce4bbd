#pragma once

#include "core/api_token.hpp"
#include "core/call.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// How far a stop reaches.
enum class stop_scope : std::uint8_t {
  global,       ///< every outside call of the installation
  connection,   ///< every call into one connection
  rule,         ///< one rule's calls
  subscription, ///< one subscription's pushes
  profile,      ///< every call to one provider profile: messages, and questions about them
};

enum class stop_cause : std::uint8_t {
  manual,         ///< a person's: no call starts in its scope
  volume_breaker, ///< a hold: this rule's withdrawals wait, its creates and updates go on
};

enum class stop_resolution : std::uint8_t {
  resumed,     ///< a manual stop ended, or a hold was discarded without letting anything go
  released,    ///< a hold ended with an allowance
  self_healed, ///< nothing was left to hold
};

[[nodiscard]] std::string_view to_string(stop_scope scope) noexcept;
[[nodiscard]] std::string_view to_string(stop_cause cause) noexcept;
[[nodiscard]] std::string_view to_string(stop_resolution resolution) noexcept;
[[nodiscard]] std::optional<stop_scope> parse_stop_scope(std::string_view text) noexcept;
[[nodiscard]] std::optional<stop_cause> parse_stop_cause(std::string_view text) noexcept;
[[nodiscard]] std::optional<stop_resolution> parse_stop_resolution(std::string_view text) noexcept;

/// Where a stop holds. Invariant: the id of its scope is set, and no other.
struct stop_target {
  stop_scope scope = stop_scope::global;
  connection_id connection{};
  rule_id rule{};
  subscription_id subscription{};
  provider_profile_id profile{};

  /// Whether a call of `owner` into `into` lies within.
  [[nodiscard]] bool reaches(call_owner owner, connection_id into) const noexcept {
    switch (scope) {
    case stop_scope::global:
      return true;
    case stop_scope::connection:
      return connection == into;
    case stop_scope::rule:
      return owner == call_owner{rule};
    case stop_scope::subscription:
      return owner == call_owner{subscription};
    case stop_scope::profile:
      return owner == call_owner{profile};
    }
    return true;
  }

  friend bool operator==(const stop_target&, const stop_target&) = default;
};

/// What tripped the volume breaker, counted in one snapshot.
struct hold_finding {
  std::int64_t pending = 0;   ///< withdrawals that would go out, those of the window included
  std::int64_t known = 0;     ///< records the target holds under the rule
  std::int64_t threshold = 0; ///< the limit they exceeded

  friend bool operator==(const hold_finding&, const hold_finding&) = default;
};

/// What a stopped subscription or profile is called, and whose it is.
struct stopped_owner {
  std::string public_id;
  std::string name;
  std::string tenant;

  friend bool operator==(const stopped_owner&, const stopped_owner&) = default;
};

/// A stop or hold, live or ended: a row of the history.
struct delivery_stop {
  std::int64_t id = 0;
  std::string public_id; ///< UUIDv7
  stop_target target;
  stop_cause cause = stop_cause::manual;
  std::string reason;
  std::string set_by;
  timestamp set_at{};
  std::optional<hold_finding> finding; ///< of a hold
  std::optional<timestamp> ended_at;   ///< absent: live
  std::string ended_by;
  std::optional<stop_resolution> resolution;
  std::optional<std::int64_t> allowed_withdrawals; ///< of a release
  std::optional<timestamp> allowance_consumed_at;  ///< a release is in force until then
  std::optional<stopped_owner> subscription;       ///< of that scope; absent: what is left of it is gone, too
  std::optional<stopped_owner> profile;            ///< likewise

  [[nodiscard]] bool live() const noexcept { return !ended_at; }
};

/// "stopped by ada: the account is audited", as whatever it reaches is told.
[[nodiscard]] std::string stopped_by(std::string_view set_by, std::string_view reason);

/// A person's stop that is to be.
struct stop_request {
  stop_target target;
  std::string reason;
  std::string by;
};

/// A stop or hold that holds now, and whether it did so before it was asked for.
struct stop_in_force {
  delivery_stop stop;
  bool was_live = false;
};

/// Which stops of the history, newest first.
struct stop_page {
  std::optional<stop_cause> cause{};
  std::optional<rule_id> rule{};
  std::optional<connection_id> connection{};
  tenant_scope tenants{};     ///< stops of everything, and of what lies within them
  std::int64_t before_id = 0; ///< the page before's last; 0 at first
  std::int64_t limit = 100;
};

template <class Inspector>
auto inspect(Inspector& f, stop_request& x) {
  return f(x.target, x.reason, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, stop_in_force& x) {
  return f(x.stop, x.was_live);
}

template <class Inspector>
auto inspect(Inspector& f, stop_page& x) {
  return f(x.cause, x.rule, x.connection, x.tenants, x.before_id, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, stop_target& x) {
  return f(x.scope, x.connection, x.rule, x.subscription, x.profile);
}

template <class Inspector>
auto inspect(Inspector& f, hold_finding& x) {
  return f(x.pending, x.known, x.threshold);
}

template <class Inspector>
auto inspect(Inspector& f, stopped_owner& x) {
  return f(x.public_id, x.name, x.tenant);
}

template <class Inspector>
auto inspect(Inspector& f, delivery_stop& x) {
  return f(x.id, x.public_id, x.target, x.cause, x.reason, x.set_by, x.set_at, x.finding, x.ended_at,
           x.ended_by, x.resolution, x.allowed_withdrawals, x.allowance_consumed_at, x.subscription,
           x.profile);
}

} // namespace sluice::core
