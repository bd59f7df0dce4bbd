#pragma once

#include "core/time.hpp"
#include "messages/inspection.hpp"

#include <cstdint>

/// The recorder's part about what grows old.
namespace sluice::messages {

/// dispatcher, once in a while and again while rows were removed: a batch of old runs and counts of
/// withdrawals.
struct prune_runs {
  core::timestamp before{};
  core::timestamp withdrawals_before{}; ///< no later than a day before the volume window begins
};

/// dispatcher, likewise: a batch of a connection whose grace period is over, in the order of the foreign
/// keys.
struct purge_expired {
  core::timestamp disconnected_until{};
};

struct rows_removed {
  std::int64_t rows = 0; ///< zero: nothing is left to remove
};

template <class Inspector>
auto inspect(Inspector& f, prune_runs& x) {
  return f(x.before, x.withdrawals_before);
}

template <class Inspector>
auto inspect(Inspector& f, purge_expired& x) {
  return f(x.disconnected_until);
}

template <class Inspector>
auto inspect(Inspector& f, rows_removed& x) {
  return f(x.rows);
}

} // namespace sluice::messages
