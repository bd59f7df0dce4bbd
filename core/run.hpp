#pragma once

#include "core/ids.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// How a run ends; the first writer wins.
enum class run_ending : std::uint8_t {
  completed,    ///< a delta pass found nothing and no backfill is in progress
  route_closed, ///< the rule or one of its connections is off
  breaker_open, ///< the connection's circuit is open
  throttled,    ///< the target's budget or block asks for a longer wait than a run may take
  stopped,      ///< a person's stop, or the node's shutdown
  faulted,      ///< a fault of the rule, its connection or this program; `reason` says which
  abandoned,    ///< its owner died
};

[[nodiscard]] std::string_view to_string(run_ending ending) noexcept;
[[nodiscard]] std::optional<run_ending> parse_run_ending(std::string_view text) noexcept;

/// What a chain did, by outcome.
struct run_counts {
  std::int64_t examined = 0;
  std::int64_t created = 0;
  std::int64_t updated = 0;
  std::int64_t withdrawn = 0;
  std::int64_t reactivated = 0;
  std::int64_t suppressed = 0;
  std::int64_t filtered = 0;
  std::int64_t refused = 0;
  std::int64_t failed = 0;
  std::int64_t ambiguous = 0;
  std::int64_t skipped = 0;

  run_counts& operator+=(const run_counts& other) noexcept;
  friend bool operator==(const run_counts&, const run_counts&) = default;
};

template <class Inspector>
auto inspect(Inspector& f, run_counts& x) {
  return f(x.examined, x.created, x.updated, x.withdrawn, x.reactivated, x.suppressed, x.filtered, x.refused,
           x.failed, x.ambiguous, x.skipped);
}

/// A run as the history shows it.
struct listed_run {
  run_id id{};
  std::string public_id;
  rule_id rule{};
  std::string rule_name;
  std::optional<run_ending> ending; ///< absent: running
  std::string reason;
  timestamp started_at{};
  std::optional<timestamp> ended_at;
  run_counts counts;
};

template <class Inspector>
auto inspect(Inspector& f, listed_run& x) {
  return f(x.id, x.public_id, x.rule, x.rule_name, x.ending, x.reason, x.started_at, x.ended_at, x.counts);
}

} // namespace sluice::core
