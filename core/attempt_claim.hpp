#pragma once

#include "core/time.hpp"

#include <cstdint>

namespace sluice::core {

/// The attempt that is on its way.
struct attempt_claim {
  std::int64_t number = 0; ///< from 1
  timestamp lease_until{};

  friend bool operator==(const attempt_claim&, const attempt_claim&) = default;
};

template <class Inspector>
auto inspect(Inspector& f, attempt_claim& x) {
  return f(x.number, x.lease_until);
}

} // namespace sluice::core
