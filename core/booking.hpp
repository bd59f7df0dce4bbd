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

/// Every function here returns the row to write: its row_version is one above that of the row it leaves. A
/// row that breaks the ledger's invariants, before or after, ends the program.

/// The ledger row after an action that needs no call: suppress, filter, refuse, await, hold; and a drain's
/// skip, which clears the next attempt (unless a clock set back makes the row wait again) and notes the
/// revision a refused or filtered row was passed over under. `error_class` and `reason` are kept for refuse
/// and await alone.
[[nodiscard]] ledger_row book_local(const candidate& candidate, action what, const booking& with,
                                    std::string error_class, std::string reason);

/// The ledger row of a dependent record that waits for its parent, whose source id it keeps.
[[nodiscard]] ledger_row book_await(const candidate& candidate, const booking& with,
                                    std::string anchor_source_id, std::string reason);

/// The ledger row after a call's outcome. `version` is the change signal of what was sent (an intent's own,
/// when its bytes were repeated). Three successes leave the record undecided, so the row becomes failed, due
/// at once, with attempts 0, and whoever decides again finds what is still to do in its target state:
///   a record newer than `version` ("record_moved_on");
///   a reactivation, which says nothing about content ("reactivated");
///   a lookup that found the record, whose content there is unknown ("linked"). A caller who knows that it
///   found its own create books that create as accepted instead.
/// A lookup that finds nothing is due at once ("not_found"): for settling. A create that met "exists" and is
/// not found either is booked as that create's `exists`, which counts as rejected.
/// "Gone": success for a delete, rejected for a create, else remote_gone. Ambiguous: any call but a lookup,
/// which then is transient. Not for rate_limited, unauthorized and unattempted: nothing is booked for those.
[[nodiscard]] ledger_row book_outcome(const candidate& candidate, operation op, const outcome& outcome,
                                      timestamp version, const booking& with);

/// A person says that the target holds the record under this id; its content there is unknown, so the row is
/// due at once, as after a lookup that found it. Whatever stood in the way of the record no longer does.
[[nodiscard]] ledger_row book_linked(const candidate& candidate, std::string remote_id, const booking& with);

/// By how many (1, 0, -1) the records the target holds have grown with one row's write.
[[nodiscard]] std::int64_t known_delta(bool held_before, target_state after) noexcept;

/// Whether the call took a record out of the target; one that was not there any more counts.
[[nodiscard]] bool withdrew(operation op, outcome_kind kind) noexcept;

/// Settled as never arrived, or as unknowable past its key: failed, due at once, so that the drain decides
/// again. Costs no attempt.
[[nodiscard]] ledger_row book_due_again(const ledger_row& row, timestamp now, std::string reason);

/// The node stopped while the record's withdrawal or reactivation was out: it may have been carried out or
/// not. Due at once, and taken for withdrawn until the target says otherwise. Costs no attempt.
[[nodiscard]] ledger_row book_interrupted(const ledger_row& row, timestamp now);

} // namespace sluice::core
