#pragma once

#include "core/candidate_batch.hpp"
#include "core/cursor.hpp"
#include "core/ids.hpp"
#include "core/ledger.hpp"
#include "core/rule.hpp"
#include "core/run.hpp"
#include "messages/callback_records.hpp"
#include "messages/changes.hpp"
#include "messages/clean_up.hpp"
#include "messages/decisions.hpp"
#include "messages/event_records.hpp"
#include "messages/inspection.hpp"
#include "messages/notification_records.hpp"
#include "messages/replay_records.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The conversation with the recorder, the one writer of the database. Every request is answered once its
/// transaction is committed; a failure carries messages::fault.
namespace sluice::messages {

/// sync_rule, when a chain starts: everything it needs to know. Opens the cursor of a rule that has none.
struct load_rule {
  core::rule_id rule{};
};

struct rule_loaded {
  core::sync_rule rule;
  core::connection source;
  core::connection target;
  core::delivery_cursor cursor;
  bool cursor_opened = false;          ///< the rule had none
  bool ledger_found = false;           ///< … though it has ledger rows: its cursor went missing
  std::optional<core::rule_id> parent; ///< of a dependent rule, where it exists: see read_anchors
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

/// sync_rule, before its first chain and after a faulted one: creates an earlier life left are unknown now.
struct adopt_intents {
  core::rule_id rule{};
};

/// sync_rule, as answers come in and when local decisions are made: one transaction with the cursor (D3).
struct record_outcomes {
  core::rule_id rule{};
  core::run_id run{};
  std::vector<core::ledger_row> rows;
  std::vector<core::intent_batch_id> batches_done;
  std::vector<core::withdrawn_intent> intents_withdrawn; ///< calls that never left
  std::vector<core::intent> intents_kept;    ///< creates that went out and whose outcome is unknown
  std::vector<core::record_id> intents_done; ///< kept ones that are settled
  std::vector<core::postponed_intent> intents_postponed;
  core::cursor_advance cursor;
  core::run_counts counts;
  std::int64_t known_delta = 0; ///< by how many the records the target holds have grown
  std::int64_t withdrawn = 0;   ///< withdrawals that reached the target
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

/// sync_rule, when a chain is over that opened no run and whose ending must show in the rule's state: it
/// broke off, or it completed and may be the first to do so since another broke off.
struct record_ending {
  core::rule_id rule{};
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
  caf::reacts_to<record_ending>,
  caf::reacts_to<abandon_runs>,
  caf::replies_to<consume_markers>::with<markers_consumed>,
  caf::reacts_to<record_window>,
  caf::reacts_to<record_connection_fault>,
  caf::reacts_to<write_heartbeat>,
  caf::replies_to<prune_runs>::with<rows_removed>,
  caf::replies_to<purge_expired>::with<rows_removed>,
  caf::replies_to<record_changes>::with<changes_recorded>,
  caf::reacts_to<renew_lease>,
  caf::replies_to<record_stop>::with<core::stop_in_force>,
  caf::replies_to<record_stop_end>::with<core::delivery_stop>,
  caf::replies_to<record_hold>::with<core::stop_in_force>,
  caf::replies_to<record_hold_healed>::with<stop_changed>,
  caf::replies_to<record_release_consumed>::with<stop_changed>,
  caf::replies_to<record_release>::with<core::delivery_stop>,
  caf::replies_to<record_hold_discarded>::with<core::delivery_stop>,
  caf::replies_to<record_backfill_start>::with<core::delivery_cursor>,
  caf::replies_to<record_backfill_abort>::with<backfill_aborted>,
  caf::replies_to<record_offer>::with<core::ledger_row>,
  caf::replies_to<record_job_start>::with<core::rule_job>,
  caf::replies_to<record_job_step>::with<core::job_step>,
  caf::replies_to<record_job_cancel>::with<core::rule_job>,
  caf::replies_to<record_links>::with<core::links_recorded>,
  caf::replies_to<record_rule_switch>::with<core::sync_rule>,
  caf::reacts_to<commit_group>>::extend_with<event_recorder>::extend_with<replay_recorder>
    ::extend_with<callback_recorder>::extend_with<notification_recorder>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, load_rule& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, rule_loaded& x) {
  return f(x.rule, x.source, x.target, x.cursor, x.cursor_opened, x.ledger_found, x.parent);
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
           x.intents_postponed, x.cursor, x.counts, x.known_delta, x.withdrawn);
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
auto inspect(Inspector& f, record_ending& x) {
  return f(x.rule, x.ending, x.reason);
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
auto inspect(Inspector& f, renew_lease&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, commit_group&) {
  return f();
}

} // namespace sluice::messages
