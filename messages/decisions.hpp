#pragma once

#include "core/backfill.hpp"
#include "core/cursor.hpp"
#include "core/ids.hpp"
#include "core/record_link.hpp"
#include "core/rule.hpp"
#include "core/rule_job.hpp"
#include "core/stop.hpp"
#include "messages/inspection.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// The recorder's part about what people and the volume breaker decide: stops, holds, releases, backfills by
/// hand, rows offered again, links.
namespace sluice::messages {

/// dispatcher, for a person: a manual stop begins, or the one that is live is returned.
struct record_stop {
  core::stop_request wanted;
};

/// dispatcher, for a person: the manual stop ends, named by its public id or, where that is empty, by where
/// it holds. Answered with the stop; `not_found` where none is live.
struct record_stop_end {
  std::string public_id;
  core::stop_target target;
  std::string by;
};

/// breaker: a rule's withdrawals are held, and the release in force ends; or the hold that is live is
/// returned.
struct record_hold {
  core::rule_id rule{};
  core::hold_finding finding;
};

/// breaker: the hold has nothing left to hold.
struct record_hold_healed {
  std::int64_t hold = 0;
};

/// breaker: every row the release confirmed is gone.
struct record_release_consumed {
  std::int64_t release = 0;
};

/// Whether the change was made; not, where somebody had ended it before.
struct stop_changed {
  bool changed = false;
};

/// sync_rule, for a person: the hold ends and so many withdrawals may go. Answered with the release;
/// `not_found` or `refused` with the reason.
struct record_release {
  std::string public_id;
  std::int64_t allowed = 0;
  std::string by;
};

/// sync_rule, for a person: the hold ends and nothing may go because of it. Answered as record_release.
struct record_hold_discarded {
  std::string public_id;
  std::string by;
};

/// sync_rule, for a person: a backfill begins, with its confirmation. Answered with the cursor;
/// `refused` with the reason.
struct record_backfill_start {
  core::backfill_start start;
};

/// sync_rule, for a person: the backfill with this bound and generation ends.
struct record_backfill_abort {
  core::rule_id rule{};
  core::timestamp until{};
  std::int64_t generation = 0;
};

struct backfill_aborted {
  bool aborted = false; ///< not, where it had ended or another had begun
};

/// sync_rule, for a person: one row is due now. Answered with it; `not_found` or `refused` with the reason.
struct record_offer {
  core::rule_id rule{};
  core::row_act act = core::row_act::retry;
  std::string source_id;
};

/// sync_rule, for a person: an act on many rows begins. `refused` where the rule has a live job.
struct record_job_start {
  core::job_start start;
};

/// sync_rule, while its rule has a live job: the next rows, with the job's position.
struct record_job_step {
  core::rule_id rule{};
  std::int64_t rows_max = 0;
};

/// sync_rule, for a person: the job ends. `not_found` or `refused` with the reason.
struct record_job_cancel {
  core::rule_id rule{};
  std::string public_id;
  std::string by;
};

/// sync_rule, for a person: remote ids the target has already. A refused line keeps all of them from being
/// stored, unless such lines are left out.
struct record_links {
  core::rule_id rule{};
  std::vector<core::record_link> links;
  bool skip_invalid = false;
};

/// operator API: a rule is switched on or off; the dispatcher finds the configuration moved. Answered with
/// the rule as it is then.
struct record_rule_switch {
  std::string rule; ///< its name
  bool active = false;
};

template <class Inspector>
auto inspect(Inspector& f, record_stop& x) {
  return f(x.wanted);
}

template <class Inspector>
auto inspect(Inspector& f, record_stop_end& x) {
  return f(x.public_id, x.target, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, record_hold& x) {
  return f(x.rule, x.finding);
}

template <class Inspector>
auto inspect(Inspector& f, record_hold_healed& x) {
  return f(x.hold);
}

template <class Inspector>
auto inspect(Inspector& f, record_release_consumed& x) {
  return f(x.release);
}

template <class Inspector>
auto inspect(Inspector& f, stop_changed& x) {
  return f(x.changed);
}

template <class Inspector>
auto inspect(Inspector& f, record_release& x) {
  return f(x.public_id, x.allowed, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, record_hold_discarded& x) {
  return f(x.public_id, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, record_backfill_start& x) {
  return f(x.start);
}

template <class Inspector>
auto inspect(Inspector& f, record_backfill_abort& x) {
  return f(x.rule, x.until, x.generation);
}

template <class Inspector>
auto inspect(Inspector& f, backfill_aborted& x) {
  return f(x.aborted);
}

template <class Inspector>
auto inspect(Inspector& f, record_offer& x) {
  return f(x.rule, x.act, x.source_id);
}

template <class Inspector>
auto inspect(Inspector& f, record_job_start& x) {
  return f(x.start);
}

template <class Inspector>
auto inspect(Inspector& f, record_job_step& x) {
  return f(x.rule, x.rows_max);
}

template <class Inspector>
auto inspect(Inspector& f, record_job_cancel& x) {
  return f(x.rule, x.public_id, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, record_links& x) {
  return f(x.rule, x.links, x.skip_invalid);
}

template <class Inspector>
auto inspect(Inspector& f, record_rule_switch& x) {
  return f(x.rule, x.active);
}

} // namespace sluice::messages
