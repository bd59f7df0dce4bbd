#pragma once

#include "core/ids.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// Backfills that a person starts, and what is counted before they may.
namespace sluice::core {

/// What a backfill bounded by `until` would meet.
struct backfill_preview {
  timestamp until{};
  std::int64_t records = 0; ///< of its range, tombstones of a rule that propagates them included
  std::int64_t creates = 0; ///< live records it would send a create for; errs high for undeliverable ones
  std::int64_t updates = 0; ///< of a resending one: live records the target already has
};

/// A start, with what the person who confirmed it had seen.
struct backfill_start {
  rule_id rule{};
  timestamp until{};
  bool resend = false;
  std::int64_t records = 0;
  std::int64_t creates = 0; ///< a count that meanwhile shows more refuses the start
  std::string by;
};

/// That somebody checked what the target does on a create, and what the backfill was going to cover.
struct backfill_confirmation {
  rule_id rule{};
  connection_id target{};
  timestamp until{};
  std::int64_t generation = 0;
  std::int64_t records = 0;
  std::int64_t creates = 0;
  bool resend = false;
  std::string confirmed_by;
  timestamp confirmed_at{};
};

/// How far the backfill in progress has come.
struct backfill_progress {
  timestamp until{};
  std::int64_t generation = 0;
  std::int64_t passed = 0; ///< records up to its position
  std::int64_t total = 0;  ///< records before its bound
};

template <class Inspector>
auto inspect(Inspector& f, backfill_preview& x) {
  return f(x.until, x.records, x.creates, x.updates);
}

template <class Inspector>
auto inspect(Inspector& f, backfill_start& x) {
  return f(x.rule, x.until, x.resend, x.records, x.creates, x.by);
}

template <class Inspector>
auto inspect(Inspector& f, backfill_confirmation& x) {
  return f(x.rule, x.target, x.until, x.generation, x.records, x.creates, x.resend, x.confirmed_by,
           x.confirmed_at);
}

template <class Inspector>
auto inspect(Inspector& f, backfill_progress& x) {
  return f(x.until, x.generation, x.passed, x.total);
}

} // namespace sluice::core
