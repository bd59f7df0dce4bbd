#pragma once

#include "core/backfill.hpp"
#include "core/ids.hpp"
#include "core/ledger.hpp"
#include "core/record_link.hpp"
#include "core/rule_job.hpp"
#include "messages/inspection.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// A person's acts on one rule. Whoever speaks for the person asks the dispatcher, which hands the question
/// to the rule's own actor, for nobody else writes the rule's rows. Each is answered once its change is
/// durable; the fault is `not_found` where what is named does not exist,
/// `refused` where it may not be done as asked or the rule is switched off, with a sentence that says why.
namespace sluice::messages {

/// A backfill begins, counted and confirmed before. Answered with the cursor.
struct start_backfill {
  core::backfill_start start;
};

/// The backfill in progress ends; the batch that is out is delivered to its end. Answered with the cursor.
struct abort_backfill {
  core::rule_id rule{};
  std::string by;
};

/// The hold ends and so many of the withdrawals it holds may go. Answered with the release.
struct release_hold {
  core::rule_id rule{};
  std::string public_id; ///< the hold's
  std::int64_t allowed = 0;
  std::string by;
};

/// The hold ends and nothing may go because of it: what is still there to withdraw is counted anew. Answered
/// with the stop that ended.
struct discard_hold {
  core::rule_id rule{};
  std::string public_id; ///< the hold's
  std::string by;
};

/// One record that waits is due now. Answered with the row.
struct offer_record {
  core::rule_id rule{};
  core::row_act act = core::row_act::retry;
  std::string source_id;
  std::string by;
};

/// Many records are due, batch by batch; whatever becomes of the node, the rule goes on with it. Answered
/// with the job once it has begun.
struct start_job {
  core::job_start start;
};

/// The job ends; what it has done stays done. Answered with the job.
struct cancel_job {
  core::rule_id rule{};
  std::string public_id;
  std::string by;
};

/// The target holds this record under this id, a person says: of a record whose create is unknown, that is
/// terminal, or that was never delivered. Its content there counts as unknown, so the rule decides at once
/// what to send. Answered with the row.
struct link_record {
  core::rule_id rule{};
  std::string source_id;
  std::string remote_id;
  std::string by;
};

/// The same of many records, which all are linked or none, but that refused lines may be left out. Refused
/// while the rule delivers, for what it has in hand may be one of them. Answered with what became of them.
struct link_records {
  core::rule_id rule{};
  std::vector<core::record_link> links;
  bool skip_invalid = false;
  std::string by;
};

/// The create whose outcome is unknown never arrived, a person says: it is made again. Answered with the row.
struct resend_record {
  core::rule_id rule{};
  std::string source_id;
  std::string by;
};

template <class Inspector>
auto inspect(Inspector& f, start_backfill& x) {
  return f(x.start);
}

template <class Inspector>
auto inspect(Inspector& f, abort_backfill& x) {
  return f(x.rule, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, release_hold& x) {
  return f(x.rule, x.public_id, x.allowed, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, discard_hold& x) {
  return f(x.rule, x.public_id, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, offer_record& x) {
  return f(x.rule, x.act, x.source_id, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, start_job& x) {
  return f(x.start);
}

template <class Inspector>
auto inspect(Inspector& f, cancel_job& x) {
  return f(x.rule, x.public_id, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, link_record& x) {
  return f(x.rule, x.source_id, x.remote_id, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, link_records& x) {
  return f(x.rule, x.links, x.skip_invalid, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, resend_record& x) {
  return f(x.rule, x.source_id, x.by);
}

} // namespace sluice::messages
