#pragma once

#include "core/decide.hpp"
#include "core/ledger.hpp"
#include "core/outcome.hpp"
#include "core/retry.hpp"

#include <optional>
#include <string>

namespace sluice::core {

/// What stays the same for every row one step writes.
struct booking {
  std::int64_t revision = 1; ///< the rule's
  const retry_schedule* retries = nullptr;
  timestamp now{};
  double jitter = 0; ///< in [0, 1], see retry_schedule
};

/// The ledger row after an action that needs no call: suppress, filter, refuse, await, hold; and a drain's
/// skip, which clears the next attempt. `reason` goes into `error` for refuse and await.
[[nodiscard]] ledger_row book_local(const candidate& candidate, action what, const booking& with,
                                    std::string error_class, std::string reason);

/// The ledger row after a call's outcome. `version` is the change signal of what was sent (an intent's own,
/// when its bytes were repeated). A withdraw that meets "gone": success for a delete, remote_gone for a
/// deactivate. Not for rate_limited, unauthorized and unattempted: nothing is booked for those.
[[nodiscard]] ledger_row book_outcome(const candidate& candidate, operation op, const outcome& outcome,
                                      timestamp version, const booking& with);

/// Settled as never arrived, or as unknowable past its key: failed, due at once, so that the drain decides
/// again.
[[nodiscard]] ledger_row book_due_again(const ledger_row& row, timestamp now, std::string reason);

} // namespace sluice::core
