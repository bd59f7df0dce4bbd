#pragma once

#include "core/cursor.hpp"
#include "core/ids.hpp"
#include "core/ledger.hpp"
#include "core/run.hpp"
#include "core/stop.hpp"
#include "core/time.hpp"
#include "messages/acts.hpp"
#include "messages/alarm.hpp"
#include "messages/inspection.hpp"
#include "messages/reconciler.hpp"
#include "messages/throttle.hpp"
#include "messages/token_keeper.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>

/// The conversation about which rules run. The dispatcher is also the front door for what people ask of a
/// node's rules.
namespace sluice::messages {

/// sync_rule: its chain is over and it is idle again.
struct chain_ended {
  core::rule_id rule{};
  core::run_ending ending = core::run_ending::completed;
  std::int64_t seen_counter = 0;           ///< the change counter its chain had seen when it began
  std::optional<core::timestamp> next_due; ///< when something of the rule falls due
  std::optional<core::timestamp> retry_at; ///< throttled or circuit open: when it is worth trying again
};

/// sync_rule: its rows have something to do, or will have, and none of its chains sees to it.
struct chain_wanted {
  core::rule_id rule{};
};

/// sync_rule, at most once a second and when its chain ends: the target holds records it did not hold before,
/// which others may wait for.
struct references_made {
  core::rule_id rule{};
};

/// For a person: no call starts within it any more once this is answered, and its rules' chains end. Where
/// one is live already it is returned.
struct set_stop {
  core::stop_request wanted;
};

/// For a person: the manual stop ends, named by its public id or, where that is empty, by where it holds. Its
/// rules go on at once. `not_found` where none is live.
struct end_stop {
  std::string public_id;
  core::stop_target target;
  std::string by;
};

/// verifier: who keeps the budget and the access token of a target connection.
struct find_target {
  core::connection_id connection{};
};

struct target_found {
  throttle its_throttle;
  token_keeper its_token_keeper;
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
  caf::reacts_to<chain_wanted>,
  caf::reacts_to<references_made>,
  caf::reacts_to<creates_due>,
  caf::replies_to<set_stop>::with<core::stop_in_force>,
  caf::replies_to<end_stop>::with<core::delivery_stop>,
  caf::replies_to<start_backfill>::with<core::delivery_cursor>,
  caf::replies_to<abort_backfill>::with<core::delivery_cursor>,
  caf::replies_to<release_hold>::with<core::delivery_stop>,
  caf::replies_to<discard_hold>::with<core::delivery_stop>,
  caf::replies_to<offer_record>::with<core::ledger_row>,
  caf::replies_to<start_job>::with<core::rule_job>,
  caf::replies_to<cancel_job>::with<core::rule_job>,
  caf::replies_to<link_record>::with<core::ledger_row>,
  caf::replies_to<link_records>::with<core::links_recorded>,
  caf::replies_to<resend_record>::with<core::ledger_row>,
  caf::replies_to<find_target>::with<target_found>,
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
auto inspect(Inspector& f, chain_wanted& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, references_made& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, set_stop& x) {
  return f(x.wanted);
}

template <class Inspector>
auto inspect(Inspector& f, end_stop& x) {
  return f(x.public_id, x.target, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, find_target& x) {
  return f(x.connection);
}

template <class Inspector>
auto inspect(Inspector& f, target_found& x) {
  return f(x.its_throttle, x.its_token_keeper);
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
