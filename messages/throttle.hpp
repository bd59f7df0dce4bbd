#pragma once

#include "core/ids.hpp"
#include "core/time.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>

/// The conversation about one connection's request budget. Every call, lookups included, has a granted slot.
namespace sluice::messages {

/// sync_rule, before calls: may `wanted` go? `per_minute` is what the writer's settings say (0: no limit).
struct request_budget {
  core::rule_id rule{};
  std::int64_t wanted = 0;
  std::int64_t per_minute = 0;
};

/// `granted` of them now, durably taken; the rest not before `rest_at`.
struct budget_granted {
  std::int64_t granted = 0;
  std::optional<core::timestamp> rest_at;
};

/// sync_rule: so many granted calls have ended, the last one at `ended_at`.
struct calls_ended {
  core::rule_id rule{};
  std::int64_t count = 0;
  core::timestamp ended_at{};
};

/// sync_rule: so many grants were never used.
struct budget_returned {
  core::rule_id rule{};
  std::int64_t count = 0;
};

/// sync_rule: the target answered 429. `wait` is what it asked for; absent: the default block.
struct connection_rate_limited {
  std::optional<core::duration> wait;
  core::timestamp answered_at{};
};

/// dispatcher: a rule actor died and none of its calls is out; whatever it held has ended by now.
struct caller_died {
  core::rule_id rule{};
};

// clang-format off
using throttle = caf::typed_actor<
  caf::replies_to<request_budget>::with<budget_granted>,
  caf::reacts_to<calls_ended>,
  caf::reacts_to<budget_returned>,
  caf::reacts_to<connection_rate_limited>,
  caf::reacts_to<caller_died>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, request_budget& x) {
  return f(x.rule, x.wanted, x.per_minute);
}

template <class Inspector>
auto inspect(Inspector& f, budget_granted& x) {
  return f(x.granted, x.rest_at);
}

template <class Inspector>
auto inspect(Inspector& f, calls_ended& x) {
  return f(x.rule, x.count, x.ended_at);
}

template <class Inspector>
auto inspect(Inspector& f, budget_returned& x) {
  return f(x.rule, x.count);
}

template <class Inspector>
auto inspect(Inspector& f, connection_rate_limited& x) {
  return f(x.wait, x.answered_at);
}

template <class Inspector>
auto inspect(Inspector& f, caller_died& x) {
  return f(x.rule);
}

} // namespace sluice::messages
