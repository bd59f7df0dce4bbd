#pragma once

#include "core/ids.hpp"
#include "core/run.hpp"
#include "core/time.hpp"
#include "messages/alarm.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>

/// The conversation about which rules run.
namespace sluice::messages {

/// sync_rule: its chain is over and it is idle again.
struct chain_ended {
  core::rule_id rule{};
  core::run_ending ending = core::run_ending::completed;
  std::int64_t seen_counter = 0;           ///< the change counter its chain had seen when it began
  std::optional<core::timestamp> next_due; ///< when something of the rule falls due
  std::optional<core::timestamp> retry_at; ///< throttled or circuit open: when it is worth trying again
};

/// The database's watch: somebody else committed something. Only a hint.
struct changes_hinted {};

/// `deliver --once`: answered when every rule is idle and nothing is due.
struct await_idle {};

/// The node's end: no chain starts any more; answered when every running chain has ended.
struct shut_down {};

/// Internal: every dispatch interval.
struct dispatch_tick {};

// clang-format off
using dispatcher = caf::typed_actor<
  caf::reacts_to<chain_ended>,
  caf::reacts_to<changes_hinted>,
  caf::reacts_to<await_idle>,
  caf::reacts_to<shut_down>,
  caf::reacts_to<dispatch_tick>,
  caf::reacts_to<alarm_rang>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, chain_ended& x) {
  return f(x.rule, x.ending, x.seen_counter, x.next_due, x.retry_at);
}

template <class Inspector>
auto inspect(Inspector& f, changes_hinted&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, await_idle&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, shut_down&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, dispatch_tick&) {
  return f();
}

} // namespace sluice::messages
