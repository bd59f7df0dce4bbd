#pragma once

#include "core/ledger.hpp"
#include "core/rule.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace sluice::core {

/// Which kind of step read the candidate.
enum class step_kind : std::uint8_t { settle, drain, delta, backfill };

[[nodiscard]] std::string_view to_string(step_kind kind) noexcept;

enum class action : std::uint8_t {
  skip,       ///< write nothing (a drain clears the row's next attempt)
  create,     ///< the target does not hold it
  update,     ///< the target holds an older version
  suppress,   ///< nothing to send
  filter,     ///< the rule's filter leaves it out
  refuse,     ///< it cannot be projected: undeliverable
  await,      ///< dependent, and its parent is not in the target yet
  withdraw,   ///< delete or deactivate, as the rule's policy says
  reactivate, ///< the target holds it inactive
  hold,       ///< a withdrawal the volume breaker holds back
};

[[nodiscard]] std::string_view to_string(action what) noexcept;

/// What decide needs beside the candidate. The two questions are asked at most once, and only when the answer
/// matters: they cost a pass over the payload.
struct decide_facts {
  step_kind step = step_kind::delta;
  update_mode updates = update_mode::overwrite;
  delete_policy deletes = delete_policy::ignore;
  std::int64_t revision = 1;      ///< the rule's
  bool dependent = false;         ///< the domain depends on another one
  bool anchor_known = true;       ///< the parent has a reference in the target
  bool anchor_needed = false;     ///< the projection or the target's path of an update takes that reference
  bool hold_live = false;         ///< a volume-breaker hold is in force
  bool withdrawal_allowed = true; ///< this step may still withdraw one more
  bool resend = false; ///< a backfill that sends again what the target already has; other steps ignore it
  std::function<bool()> filter_passes; ///< empty: every record passes
  std::function<bool()> projects;      ///< empty: always succeeds
};

/// What to do with one candidate: total over every combination, no I/O, no clock but `now`. A candidate
/// without a record (its id is none: a ledger row outlives its record) is skipped. The order of the rules is
/// that of the design's table; docs/architecture.md prints it.
[[nodiscard]] action decide(const candidate& candidate, const decide_facts& facts, timestamp now);

/// What becomes of an update that is to go out, decide's own and one that follows a reactivation: it goes, it
/// awaits its parent, or it cannot be projected.
[[nodiscard]] action decide_update(const decide_facts& facts);

} // namespace sluice::core
