#pragma once

#include "core/ids.hpp"
#include "core/provider_event_rank.hpp"
#include "storage/soci_session.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>

// Rows of attempt_projections as projecting and rebuilding write them. Both throw: use inside `guarded`.

namespace sluice::storage {

/// What some events of one attempt come to.
class folded_events {
public:
  void add(core::provider_event_id id, core::projected_event event);

  [[nodiscard]] const core::projection& told() const noexcept { return told_; }
  [[nodiscard]] core::provider_event_id event() const noexcept { return event_; } ///< that `told` is by

private:
  core::projection told_;
  core::provider_event_id event_{};
};

using folded_attempts = std::map<core::notification_attempt_id, folded_events>;

/// Each where it outranks what is projected, as core::outranks has it: written twice, or in another order, it
/// comes to the same. Returns the attempts whose projection moved.
[[nodiscard]] std::unordered_set<std::int64_t> write_projections(session& db, const folded_attempts& attempts,
                                                                 core::timestamp now);

} // namespace sluice::storage
