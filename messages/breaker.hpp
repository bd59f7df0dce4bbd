#pragma once

#include "core/circuit.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"
#include "core/volume_breaker.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// The conversation with the breaker: may a rule go on, and how did its calls fare.
namespace sluice::messages {

/// sync_rule, when a chain starts and between steps.
struct ask_clearance {
  core::rule_id rule{};
  core::connection_id connection{};
};

enum class clearance_kind : std::uint8_t {
  clear,   ///< go on
  trial,   ///< the circuit is half open: one call, and its outcome decides
  refused, ///< the circuit is open until `retry_at`
};

[[nodiscard]] constexpr std::string_view to_string(clearance_kind kind) noexcept {
  switch (kind) {
  case clearance_kind::clear:
    return "clear";
  case clearance_kind::trial:
    return "trial";
  case clearance_kind::refused:
    return "refused";
  }
  return "unknown";
}

struct clearance {
  clearance_kind kind = clearance_kind::clear;
  std::optional<core::timestamp> retry_at;
};

/// A stretch of answers of one kind, in the order they came.
struct judged_stretch {
  core::circuit_signal signal = core::circuit_signal::success;
  std::int32_t count = 0;
};

/// sync_rule, with each group of answers.
struct calls_judged {
  core::connection_id connection{};
  std::vector<judged_stretch> stretches;
};

/// sync_rule: the trial it was given was never made.
struct trial_unused {
  core::connection_id connection{};
};

/// sync_rule whose deletions propagate, with each batch it has read: may what the batch withdraws go?
/// Answered once a hold that begins or ends with it, or a release that is used up, is durable.
struct judge_withdrawals {
  core::rule_id rule{};
  core::volume_count count;
};

struct withdrawal_clearance {
  bool hold_live = false;   ///< withdrawals are held
  std::int64_t allowed = 0; ///< without a hold, so many of the batch may go
};

// clang-format off
using breaker = caf::typed_actor<
  caf::replies_to<ask_clearance>::with<clearance>,
  caf::replies_to<calls_judged>::with<clearance>,
  caf::reacts_to<trial_unused>,
  caf::replies_to<judge_withdrawals>::with<withdrawal_clearance>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, ask_clearance& x) {
  return f(x.rule, x.connection);
}

template <class Inspector>
auto inspect(Inspector& f, clearance& x) {
  return f(x.kind, x.retry_at);
}

template <class Inspector>
auto inspect(Inspector& f, judged_stretch& x) {
  return f(x.signal, x.count);
}

template <class Inspector>
auto inspect(Inspector& f, calls_judged& x) {
  return f(x.connection, x.stretches);
}

template <class Inspector>
auto inspect(Inspector& f, judge_withdrawals& x) {
  return f(x.rule, x.count);
}

template <class Inspector>
auto inspect(Inspector& f, withdrawal_clearance& x) {
  return f(x.hold_live, x.allowed);
}

template <class Inspector>
auto inspect(Inspector& f, trial_unused& x) {
  return f(x.connection);
}

} // namespace sluice::messages
