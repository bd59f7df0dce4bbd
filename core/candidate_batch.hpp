#pragma once

#include "core/decide.hpp"
#include "core/ids.hpp"
#include "core/ledger.hpp"
#include "core/record.hpp"
#include "core/rule.hpp"
#include "core/time.hpp"
#include "core/volume_breaker.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a rule asks of the database and gets: values that travel between storage and actors.
namespace sluice::core {

/// Which records a scan wants. Reads the mirror in (content_changed_at, id) order strictly after `after`; a
/// pass that is inclusive on time starts at {floor, record 0}.
struct scan_query {
  rule_id rule{};
  connection_id source{};
  std::string domain;
  position after{};
  std::optional<timestamp> until; ///< set for a backfill: only records changed before this
  delete_policy deletes = delete_policy::ignore;
  bool dependent = false;
  std::int64_t limit = 200;           ///< candidates
  std::int64_t examine_limit = 20000; ///< rows looked at in one call, so that a reader is never held for long
  std::optional<duration> volume_window; ///< set: count for the volume breaker too, in the same snapshot
  timestamp now{};                       ///< with it: the reader's clock
};

struct scan_batch {
  std::vector<candidate> candidates; ///< in scan order
  position examined_to{};            ///< everything up to here was looked at; `after` when nothing was
  std::int64_t examined = 0;
  bool through = false;               ///< nothing lies beyond `examined_to` in this scan's range
  std::optional<volume_count> volume; ///< where it was asked for
};

struct drain_query {
  rule_id rule{};
  connection_id source{};
  std::string domain;
  std::string after_source_id; ///< the chunk before's last; empty at first
  timestamp now{};
  std::int64_t revision =
      1; ///< the rule's: undeliverable and filtered rows of an older one are offered again
  std::int64_t limit = 200;
  std::string anchor_domain; ///< of a dependent rule: rows whose parent has a reference now are offered too
  connection_id target{};    ///< with it: the parent's rule is the one of this source, target and domain
  std::optional<duration> volume_window; ///< as in scan_query
  position delta_after{}; ///< with it: where the next delta pass begins; its tombstones are pending ones too
};

struct due_batch {
  std::vector<candidate>
      candidates; ///< in source id order; one whose record left the mirror has record.id none
  std::optional<volume_count> volume; ///< where it was asked for
};

/// An intent that waits to be settled, with its record where the mirror still has it.
struct unsettled {
  intent made;
  candidate about;
};

/// Marks an intent whose call is over as waiting to be settled.
struct postponed_intent {
  record_id record{};
  std::optional<timestamp> settle_at; ///< absent: only a person can settle it
  std::int32_t attempts = 0;
};

/// A step's write to its rule's backfill.
struct backfill_step {
  timestamp until{};           ///< compare-and-set: the bound and …
  std::int64_t generation = 0; ///< … the generation the step had read
  std::optional<position> to;
  bool finished = false;
};

/// A create that never left: its intent is taken out of its batch.
struct withdrawn_intent {
  intent_batch_id batch{};
  record_id record{};
};

/// One write of a step to its cursor. Everything absent is left alone; positions only ever move forward.
struct cursor_advance {
  std::optional<position> delta;
  std::optional<timestamp> pass_began_at; ///< delta's position when a pass began: previous_pass_at
  /// A pass that began at or before the marker's time is through: clears rescan_from, where the change
  /// counter still is this one (else a marker came meanwhile, and the next pass is its own).
  std::optional<std::int64_t> rescanned_counter;
  std::optional<std::int64_t> completed_counter; ///< the chain is through: what it had seen when it began
  std::optional<backfill_step> backfill;

  [[nodiscard]] bool empty() const noexcept {
    return !delta && !pass_began_at && !rescanned_counter && !completed_counter && !backfill;
  }
};

/// What the dispatcher knows of an active push-out rule.
struct route {
  rule_id rule{};
  connection_id target{};
  bool open = false; ///< both connections are active
  std::int64_t change_counter = 0;
  std::int64_t completed_counter = 0;
  bool backfilling = false;
  std::optional<rule_id> parent; ///< of a dependent rule: whose creates its records wait for
};

/// A rule whose source and domain a marker named.
struct rule_change {
  rule_id rule{};
  std::int64_t change_counter = 0;
};

/// The earliest moment something of a rule falls due: a next attempt or an intent's settling.
struct rule_due {
  rule_id rule{};
  timestamp at{};
};

template <class Inspector>
auto inspect(Inspector& f, scan_query& x) {
  return f(x.rule, x.source, x.domain, x.after, x.until, x.deletes, x.dependent, x.limit, x.examine_limit,
           x.volume_window, x.now);
}

template <class Inspector>
auto inspect(Inspector& f, scan_batch& x) {
  return f(x.candidates, x.examined_to, x.examined, x.through, x.volume);
}

template <class Inspector>
auto inspect(Inspector& f, drain_query& x) {
  return f(x.rule, x.source, x.domain, x.after_source_id, x.now, x.revision, x.limit, x.anchor_domain,
           x.target, x.volume_window, x.delta_after);
}

template <class Inspector>
auto inspect(Inspector& f, due_batch& x) {
  return f(x.candidates, x.volume);
}

template <class Inspector>
auto inspect(Inspector& f, unsettled& x) {
  return f(x.made, x.about);
}

template <class Inspector>
auto inspect(Inspector& f, withdrawn_intent& x) {
  return f(x.batch, x.record);
}

template <class Inspector>
auto inspect(Inspector& f, postponed_intent& x) {
  return f(x.record, x.settle_at, x.attempts);
}

template <class Inspector>
auto inspect(Inspector& f, backfill_step& x) {
  return f(x.until, x.generation, x.to, x.finished);
}

template <class Inspector>
auto inspect(Inspector& f, cursor_advance& x) {
  return f(x.delta, x.pass_began_at, x.rescanned_counter, x.completed_counter, x.backfill);
}

template <class Inspector>
auto inspect(Inspector& f, route& x) {
  return f(x.rule, x.target, x.open, x.change_counter, x.completed_counter, x.backfilling, x.parent);
}

template <class Inspector>
auto inspect(Inspector& f, rule_change& x) {
  return f(x.rule, x.change_counter);
}

template <class Inspector>
auto inspect(Inspector& f, rule_due& x) {
  return f(x.rule, x.at);
}

} // namespace sluice::core
