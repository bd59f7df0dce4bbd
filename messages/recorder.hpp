#pragma once

#include "core/candidate_batch.hpp"
#include "core/cursor.hpp"
#include "core/ids.hpp"
#include "core/ledger.hpp"
#include "core/rule.hpp"
#include "core/run.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The conversation with the database. The recorder is the one writer; readers answer what only looks.
/// Every request is answered once its transaction is committed; a failure carries messages::fault.
namespace sluice::messages {

// the writer

/// sync_rule, when a chain starts: everything it needs to know. Opens the cursor of a rule that has none.
struct load_rule {
  core::rule_id rule{};
};

struct rule_loaded {
  core::sync_rule rule;
  core::connection source;
  core::connection target;
  core::delivery_cursor cursor;
};

/// sync_rule, before its chain's first write.
struct open_run {
  core::rule_id rule{};
};

struct run_opened {
  core::run_id run{};
};

/// sync_rule, before creates leave (D1).
struct record_intents {
  core::rule_id rule{};
  std::vector<core::intent> intents;
};

/// The batch they were written in, perhaps with others of the rule; it goes once all their outcomes are
/// durable.
struct intents_recorded {
  core::intent_batch_id batch{};
};

/// sync_rule, before its first chain and after a faulted one: creates an earlier life left become unknown
/// ones.
struct adopt_intents {
  core::rule_id rule{};
};

/// sync_rule, as answers come in and when local decisions are made: one transaction with the cursor (D3).
struct record_outcomes {
  core::rule_id rule{};
  core::run_id run{};
  std::vector<core::ledger_row> rows;
  std::vector<core::intent_batch_id> batches_done;
  std::vector<core::withdrawn_intent> intents_withdrawn; ///< creates that never left
  std::vector<core::intent> intents_kept;    ///< creates that went out and whose outcome is unknown
  std::vector<core::record_id> intents_done; ///< kept ones that are settled
  std::vector<core::postponed_intent> intents_postponed;
  core::cursor_advance cursor;
  core::run_counts counts;
};

struct outcomes_recorded {
  std::int64_t lost_races = 0;   ///< rows whose stored version was not the one that was read
  bool backfill_dropped = false; ///< the backfill ended or began anew meanwhile
};

/// sync_rule, when its chain is over; the first ending of a run stays.
struct close_run {
  core::rule_id rule{};
  core::run_id run{};
  core::run_ending ending = core::run_ending::completed;
  std::string reason;
};

/// dispatcher, when it starts and when a rule actor died: whatever still runs of the rule (none: of every
/// rule) is over.
struct abandon_runs {
  core::rule_id rule{};
};

/// dispatcher: takes the change markers, raising counters and rescan positions.
struct consume_markers {};

struct markers_consumed {
  std::vector<core::rule_change> rules;
};

/// throttle, before a grant is used and when a block begins.
struct record_window {
  core::connection_id connection{};
  std::string text;
};

/// sync_rule, when the target refuses the connection's credentials: its routes close until a person looks.
struct record_connection_fault {
  core::connection_id connection{};
  std::string reason;
};

/// dispatcher, every tick.
struct write_heartbeat {
  std::string name;
};

/// dispatcher, once in a while: removes old runs in bounded batches.
struct prune_runs {
  core::timestamp before{};
};

/// membership: prolong the node's lease.
struct renew_lease {};

/// Internal: behind everything queued when the first write of a group arrived.
struct commit_group {};

// clang-format off
using recorder = caf::typed_actor<
  caf::replies_to<load_rule>::with<rule_loaded>,
  caf::replies_to<open_run>::with<run_opened>,
  caf::replies_to<record_intents>::with<intents_recorded>,
  caf::reacts_to<adopt_intents>,
  caf::replies_to<record_outcomes>::with<outcomes_recorded>,
  caf::reacts_to<close_run>,
  caf::reacts_to<abandon_runs>,
  caf::replies_to<consume_markers>::with<markers_consumed>,
  caf::reacts_to<record_window>,
  caf::reacts_to<record_connection_fault>,
  caf::reacts_to<write_heartbeat>,
  caf::reacts_to<prune_runs>,
  caf::reacts_to<renew_lease>,
  caf::reacts_to<commit_group>>;
// clang-format on

// readers

/// dispatcher, at its start and when the configuration moved.
struct list_routes {};

struct routes_listed {
  std::vector<core::route> routes;
  std::vector<core::rule_due> dues; ///< when something of a rule falls due next
};

/// dispatcher, at a tick and after a hint.
struct look_for_changes {};

struct changes_seen {
  bool markers = false;
  std::int64_t configuration_version = 0;
};

/// sync_rule: a scan's next batch.
struct read_scan {
  core::scan_query query;
  core::step_kind step = core::step_kind::delta;
};

/// sync_rule: the drain's next chunk.
struct read_due {
  core::drain_query query;
};

/// sync_rule, when a chain starts: creates whose outcome is unknown, `all` after a crash or restart.
struct read_unsettled {
  core::rule_id rule{};
  bool all = false;
  std::int64_t limit = 200;
};

struct unsettled_read {
  std::vector<core::unsettled> found;
};

/// sync_rule, when a chain ends.
struct read_next_due {
  core::rule_id rule{};
};

struct next_due_read {
  std::optional<core::timestamp> at;
};

/// sync_rule, between steps: the cursor as it stands now (a backfill may have been ended or begun by a
/// person).
struct read_cursor {
  core::rule_id rule{};
};

/// throttle, when it starts.
struct load_window {
  core::connection_id connection{};
};

struct window_loaded {
  std::optional<std::string> text;
};

// clang-format off
using reader = caf::typed_actor<
  caf::replies_to<list_routes>::with<routes_listed>,
  caf::replies_to<look_for_changes>::with<changes_seen>,
  caf::replies_to<read_scan>::with<core::scan_batch>,
  caf::replies_to<read_due>::with<core::due_batch>,
  caf::replies_to<read_unsettled>::with<unsettled_read>,
  caf::replies_to<read_next_due>::with<next_due_read>,
  caf::replies_to<read_cursor>::with<core::delivery_cursor>,
  caf::replies_to<load_window>::with<window_loaded>>;
// clang-format on

// how they print and travel

template <class Inspector>
auto inspect(Inspector& f, load_rule& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, rule_loaded& x) {
  return f(x.rule, x.source, x.target, x.cursor);
}

template <class Inspector>
auto inspect(Inspector& f, open_run& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, run_opened& x) {
  return f(x.run);
}

template <class Inspector>
auto inspect(Inspector& f, record_intents& x) {
  return f(x.rule, x.intents);
}

template <class Inspector>
auto inspect(Inspector& f, intents_recorded& x) {
  return f(x.batch);
}

template <class Inspector>
auto inspect(Inspector& f, adopt_intents& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, record_outcomes& x) {
  return f(x.rule, x.run, x.rows, x.batches_done, x.intents_withdrawn, x.intents_kept, x.intents_done,
           x.intents_postponed, x.cursor, x.counts);
}

template <class Inspector>
auto inspect(Inspector& f, outcomes_recorded& x) {
  return f(x.lost_races, x.backfill_dropped);
}

template <class Inspector>
auto inspect(Inspector& f, close_run& x) {
  return f(x.rule, x.run, x.ending, x.reason);
}

template <class Inspector>
auto inspect(Inspector& f, abandon_runs& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, consume_markers&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, markers_consumed& x) {
  return f(x.rules);
}

template <class Inspector>
auto inspect(Inspector& f, record_window& x) {
  return f(x.connection, x.text);
}

template <class Inspector>
auto inspect(Inspector& f, record_connection_fault& x) {
  return f(x.connection, x.reason);
}

template <class Inspector>
auto inspect(Inspector& f, write_heartbeat& x) {
  return f(x.name);
}

template <class Inspector>
auto inspect(Inspector& f, prune_runs& x) {
  return f(x.before);
}

template <class Inspector>
auto inspect(Inspector& f, renew_lease&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, commit_group&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, list_routes&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, routes_listed& x) {
  return f(x.routes, x.dues);
}

template <class Inspector>
auto inspect(Inspector& f, look_for_changes&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, changes_seen& x) {
  return f(x.markers, x.configuration_version);
}

template <class Inspector>
auto inspect(Inspector& f, read_scan& x) {
  return f(x.query, x.step);
}

template <class Inspector>
auto inspect(Inspector& f, read_due& x) {
  return f(x.query);
}

template <class Inspector>
auto inspect(Inspector& f, read_unsettled& x) {
  return f(x.rule, x.all, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, unsettled_read& x) {
  return f(x.found);
}

template <class Inspector>
auto inspect(Inspector& f, read_next_due& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, next_due_read& x) {
  return f(x.at);
}

template <class Inspector>
auto inspect(Inspector& f, read_cursor& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, load_window& x) {
  return f(x.connection);
}

template <class Inspector>
auto inspect(Inspector& f, window_loaded& x) {
  return f(x.text);
}

} // namespace sluice::messages
